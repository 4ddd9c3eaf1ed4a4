"""English sentences about airships: several per attribute, so that no fact is always told in the same words.

Keys are `kind.attribute`; fields are those of `prose` (`{s}`, `{p}`, `{v}` ...) and of each datum's `extra`.
"""

TEMPLATES: dict[str, tuple[str, ...]] = {
    "line.founded": (
        "{S} was founded in {v}.",
        "The charter of {s} was signed in {v}.",
        "{P} story begins in {v}, when four partners pooled their savings to buy a secondhand envelope.",
    ),
    "line.base": (
        "{S} is based at {v}.",
        "{P} home port is {v}.",
        "From its offices at {v}, {s} plans every departure.",
    ),
    "line.flagship": (
        "{P} flagship is the {v}.",
        "The {v} serves as flagship of {s}.",
        "Pride of the fleet, and since {year} the flagship of {s}, is the {v}.",
    ),
    "line.fleet": (
        "At the end of {year}, {s} operated {v}.",
        "{P} fleet counted {v} at the close of {year}.",
        "With {v} on its books at the end of {year}, {s} is neither the giant nor the dwarf of the trade.",
    ),
    "line.baggage": (
        "Each passenger of {s} may bring {v} of baggage free of charge.",
        "{P} free baggage allowance is {v} a head.",
        "Anything up to {v} travels free with {s}; the rest is weighed on the dock.",
    ),
    "line.punctuality": (
        "In {year}, {v} of {p} departures left on time.",
        "{P} punctuality rate for {year} was {v}.",
    ),
    "line.head": (
        "{S} has been led by {v} since {since}.",
        "Since {since} the managing director of {s} has been {v}.",
        "{v} took over as managing director of {s} in {since} and still holds the post.",
    ),
    "line.head_before": (
        "{v} was managing director of {s} from {since} to {until}.",
        "Between {since} and {until}, {s} was run by {v}.",
        "From {since} until {until} the managing director of {s} was {v}.",
    ),
    "line.passengers": (
        "{S} carried {v} in {year}.",
        "In {year}, {v} flew with {s}.",
    ),
    "ship.yard": (
        "{S} was built by {v}.",
        "{P} builder was {v}.",
        "{v} built {s} on its longest slip.",
    ),
    "ship.launched": (
        "{S} was launched in {v}.",
        "In {v}, {s} lifted off for the first time.",
        "{P} maiden flight took place in {v}.",
    ),
    "ship.length": (
        "{S} measures {v} from nose to tail.",
        "At {v} in length, {s} needs a calm morning to turn in harbour.",
        "{P} hull is {v} long.",
    ),
    "ship.engine": (
        "{S} is driven by four {v} engines.",
        "Four engines of the type {v} propel {s}.",
        "{P} engines are of the {v} type.",
    ),
    "ship.capacity": (
        "Since the refit of {refit}, {s} has carried {v}.",
        "After {p} refit in {refit} there was room for {v} on board.",
        "Rebuilt in {refit}, {s} now has berths and seats for {v}.",
    ),
    "ship.capacity_before": (
        "Before the refit of {refit}, {s} carried {v}.",
        "Until {p} refit in {refit} there was room for only {v}.",
    ),
    "ship.refit": (
        "{S} was refitted in {v}.",
        "A thorough refit followed in {v}, for which {s} spent a winter in the shed.",
    ),
    "ship.speed_builder": (
        "The builder gives {p} top speed as {v}.",
        "According to the builder, {s} reaches a top speed of {v}.",
    ),
    "ship.speed_register": (
        "In the acceptance trials of the {office}, {s} reached a top speed of {v}.",
        "The {office} measured {p} top speed at {v}.",
    ),
    "yard.founded": (
        "{S} was founded in {v}.",
        "The first keel at {s} was laid in {v}, the year of its founding.",
    ),
    "yard.founder": (
        "{S} was founded by {v}.",
        "{P} founder was {v}.",
        "The founder of {s}, {v}, is said to have drawn the first hull on a tablecloth.",
    ),
    "yard.town": (
        "{S} lies at {v}.",
        "{P} sheds stand at {v}.",
        "Visitors find {s} at {v}, ten minutes on foot from the quay.",
    ),
    "yard.workers": (
        "{S} employs {v}.",
        "Today {v} earn their living at {s}.",
    ),
    "yard.slips": (
        "{S} has {v}.",
        "Up to {v} can be in use at {s} at the same time.",
    ),
    "maker.founded": (
        "{S} was founded in {v}.",
        "{P} workshops opened in {v}.",
    ),
    "maker.founder": (
        "{S} was founded by {v}.",
        "{P} founder, {v}, came to engines by way of clock repair.",
    ),
    "maker.town": (
        "{S} has its seat at {v}.",
        "{P} test stands are at {v}, well away from the houses.",
    ),
    "engine.maker": (
        "{S} is made by {v}.",
        "{P} manufacturer is {v}.",
        "{v} developed and builds {s}.",
    ),
    "engine.weight": (
        "{S} weighs {v} without its mount.",
        "{P} dry weight is {v}.",
    ),
    "engine.power_maker": (
        "The maker rates {s} at {v}.",
        "According to the data sheet of the maker, {s} delivers {v}.",
    ),
    "engine.power_test": (
        "On an independent test bench, {s} delivered {v}.",
        "Bench measurements at {academy} put {p} output at {v}.",
    ),
    "harbour.island": (
        "{S} lies on {v}.",
        "{P} masts rise on the southern shore of {v}.",
        "Travellers reach {s} by way of {v}, the island on which it stands.",
    ),
    "harbour.opened": (
        "{S} opened in {v}.",
        "The first airship moored at {s} in {v}, the year of its opening.",
    ),
    "harbour.masts": (
        "{S} has {v}.",
        "At {s}, {v} are in service.",
    ),
    "harbour.elevation": (
        "{P} landing field lies {v} above the sea.",
        "{S} stands at an elevation of {v}.",
    ),
    "harbour.master": (
        "The harbour master of {s} has been {v} since {since}.",
        "Since {since}, {v} has been harbour master of {s}.",
    ),
    "harbour.master_before": (
        "{v} was harbour master of {s} from {since} to {until}.",
        "From {since} to {until} the harbour master of {s} was {v}.",
    ),
    "harbour.passengers": (
        "{S} handled {v} in {year}.",
        "In {year}, {v} passed through {s}.",
    ),
    "harbour.landings": (
        "{S} recorded {v} in {year}.",
        "In {year} the log of {s} shows {v}.",
    ),
    "person.born": (
        "{S} was born in {v}.",
        "{P} year of birth is {v}.",
    ),
    "person.birthplace": (
        "{P} birthplace is {v}.",
        "{S} was born at {v}, within sight of the mooring lights.",
        "{S} comes from {v}, a place of fishing huts and long winters.",
    ),
    "person.studied": (
        "{S} studied at {v}.",
        "{P} training took place at {v}.",
    ),
    "route.distance": (
        "{S} covers {v}.",
        "The distance flown on {s} is {v}.",
    ),
    "route.duration": (
        "A flight on {s} takes {v} in fair weather.",
        "{P} scheduled flying time is {v}.",
    ),
    "route.fare": (
        "A single ticket for {s} costs {v}.",
        "{P} standard fare is {v}.",
    ),
    "route.line": (
        "{S} is flown by {v}.",
        "Only {v} serves {s}.",
    ),
    "incident.ship": (
        "The airship concerned was the {v}.",
        "{S} befell the {v}.",
    ),
    "incident.date": (
        "{S} happened on {v}.",
        "The day of {s} was {v}.",
    ),
    "incident.cause": (
        "The inquiry named {v} as the cause of {s}.",
        "The cause of {s}, the inquiry found, was {v}.",
    ),
    "incident.injured_line": (
        "The operator reported {v} after {s}.",
        "According to the operator, {s} left {v}.",
    ),
    "incident.injured_inquiry": (
        "The official inquiry into {s} counted {v}.",
        "The inquiry established that {s} left {v}.",
    ),
    "incident.chair": (
        "The inquiry into {s} was chaired by {v}.",
        "{v} presided over the inquiry into {s}.",
    ),
}

COLOUR: dict[str, tuple[str, ...]] = {
    "line": (
        "Its timetables are printed on blue paper, a habit nobody can explain.",
        "Regular travellers praise the soup and complain about the blankets.",
        "Crews change ships every fortnight so that no one grows too fond of a single hull.",
        "In storm season the office answers the telephone in verse.",
    ),
    "ship": (
        "A brass telescope on the promenade deck may be used by anyone who returns the lens cap.",
        "The envelope is patched twice a year, always by the same two riggers.",
        "On windless nights the crew opens the gallery for stargazers.",
        "Pilots describe the handling as patient rather than nimble.",
    ),
    "yard": (
        "A bell is rung when a hull leaves the shed, and work stops for the afternoon.",
        "Apprentices spend their first year learning to sew.",
        "The great doors open only on days without wind.",
    ),
    "maker": (
        "Each casting is struck with a hammer and listened to before it is machined.",
        "The works brass band is better known locally than its products.",
    ),
    "engine": (
        "Mechanics like it because every bolt can be reached with one spanner.",
        "It runs on heavy spirit and tolerates a good deal of damp.",
    ),
    "harbour": (
        "The harbour café closes only when the fog bell rings.",
        "Gulls nest on the oldest mast, which is therefore never painted in spring.",
        "A lamp is lit for every airship that is still expected.",
        "The night market on the quay sells rope, tea and second-hand charts.",
    ),
    "person": (
        "Colleagues remember a dry wit and a dislike of long meetings.",
        "A collection of barometers fills the house.",
        "The memoirs, announced twice, have not appeared.",
    ),
    "route": (
        "On clear days the reefs show green below the left-hand windows.",
        "Tea is served as soon as the mast is out of sight.",
    ),
    "incident": (
        "Rescue boats were alongside within the hour.",
        "Windows rattled as far away as the fish market.",
    ),
}
