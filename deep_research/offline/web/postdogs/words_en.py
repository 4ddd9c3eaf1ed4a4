"""English sentences about post dogs, sleds, huts, postal lines and stamps, several per attribute, and
sentences that state nothing.

Keys are `kind.attribute`; fields are those of `prose` (`{s}`, `{p}`, `{v}` ...) and of each datum's `extra`.
"""

TEMPLATES: dict[str, tuple[str, ...]] = {
    "mill.opened": ("{S} made its first sheet in {v}.", "Paper has come out of {s} since {v}."),
    "mill.tonnes": ("{S} produces {v} of paper a year.", "A year's output of {s} is {v}."),
    "mill.hands": ("{S} gives work to {v}.", "The wage book of {s} lists {v}."),
    "mill.river": (
        "The wheels of {s} are turned by the {v}.",
        "{S} stands on the {v}, which drives its wheels.",
    ),
    "printer.opened": ("{S} opened its doors in {v}.", "{P} first job, a hymn sheet, is dated {v}."),
    "printer.presses": ("{S} runs {v}.", "In the hall of {s} you can count {v}."),
    "printer.mill": (
        "{S} buys all its paper from {v}.",
        "The paper used at {s} comes from {v}.",
        "{v} supplies {p} paper.",
    ),
    "workshop.opened": ("{S} has built sleds since {v}.", "The first sled left {s} in {v}."),
    "workshop.founder": (
        "{S} was founded by {v}.",
        "It was {v} who started {s}, in a borrowed barn.",
        "The founder of {s} is {v}.",
    ),
    "workshop.hands": ("{S} has {v} at its benches.", "On the staff of {s} are {v}."),
    "sled.workshop": (
        "{S} was built by {v}.",
        "{S} came from the benches of {v}.",
        "The maker's plate of {s} reads {v}.",
    ),
    "sled.built": ("{S} was finished in {v}.", "{P} runners first touched snow in {v}."),
    "sled.length": ("From nose to brake {s} measures {v}.", "{S} is {v} long."),
    "sled.weight": ("Empty, {s} weighs {v}.", "{P} weight without load is {v}."),
    "sled.room": (
        "Since it was rebuilt in {rebuilt}, {s} has had room for {v}.",
        "The rebuilding of {rebuilt} left {s} with space for {v}.",
    ),
    "sled.room_before": (
        "Before the rebuilding of {rebuilt}, {s} took {v}.",
        "{P} old box, replaced in {rebuilt}, held {v}.",
    ),
    "kennel.opened": ("{S} has trained dogs since {v}.", "{S} opened in {v} with two bitches and a bucket."),
    "kennel.breeder": (
        "{S} was set up by {v}.",
        "The breeder who started {s} is {v}.",
        "{v} founded {s} on a bet.",
    ),
    "kennel.village": (
        "{S} lies just outside the village of {v}.",
        "You find {s} in {v}, behind the sawmill.",
    ),
    "kennel.pups": ("{S} raises {v} in a good year.", "A good year brings {v} to the straw of {s}."),
    "kennel.pens": ("{S} consists of {v} and a kitchen.", "The yard of {s} has {v}."),
    "dog.kennel": ("{S} was bred at {v}.", "{v} is where {s} was born and trained.", "{S} grew up at {v}."),
    "dog.born": ("{S} was whelped in {v}.", "{P} year of birth is {v}."),
    "dog.weight": ("On the scales {s} shows {v}.", "{S} weighs {v} in full winter coat."),
    "dog.run": ("{P} longest run without a night's rest was {v}.", "{S} once covered {v} in a single run."),
    "dog.load_kennel": (
        "The kennel says that {s} can pull {v}.",
        "In the kennel's words, {s} starts a load of {v} from a standstill.",
        "{P} pulling strength is {v}, if you ask the kennel.",
    ),
    "dog.load_test": (
        "When the {inspectors} tested {s}, the greatest load moved was {v}.",
        "The {inspectors} puts {p} greatest load at {v}.",
    ),
    "hut.built": ("{S} was built in {v}.", "The beam over the door of {s} bears the year {v}."),
    "hut.bunks": ("{S} sleeps travellers in {v}.", "There are {v} under the roof of {s}."),
    "hut.snow": (
        "The deepest snow ever measured at {s} was {v}.",
        "{P} snow stake has been buried up to {v}, its record.",
    ),
    "hut.dish": (
        "The house dish of {s} is {v}.",
        "Everybody who stops at {s} is served {v}.",
        "{S} is famous for {v}.",
    ),
    "hut.keeper": (
        "{v} has been keeper of {s} since {since}.",
        "{P} present keeper is {v}, there since {since}.",
    ),
    "hut.keeper_before": (
        "From {since} to {until} the keeper of {s} was {v}.",
        "{v} kept the stove of {s} burning from {since} until {until}.",
    ),
    "hut.guests": ("{S} put up {v} in {year}.", "In {year} the visitors' book of {s} counted {v}."),
    "line.founded": ("{S} carried its first mailbag in {v}.", "{S} has been running since {v}."),
    "line.length": ("{S} is {v} long from end to end.", "The trail of {s} measures {v}."),
    "line.team": ("{S} keeps {v} in harness.", "The roster of {s} has {v} on it."),
    "line.terminus": (
        "{S} ends at {v}.",
        "The last stop of {s} is {v}.",
        "Whatever is left in the bag is handed over at {v}, the terminus of {s}.",
    ),
    "line.leader": (
        "The lead dog of {s} is {v}.",
        "At the head of {p} first team runs {v}.",
        "{v} leads the first team of {s}.",
    ),
    "line.sled": (
        "The main sled of {s} is the {v}.",
        "{S} loads its heaviest mail on the {v}, its main sled.",
    ),
    "line.postage": (
        "Since the tariff reform of {reform} a letter with {s} has cost {v}.",
        "Under the tariff reform of {reform}, {s} charges {v} for a letter.",
    ),
    "line.postage_before": (
        "Until the tariff reform of {reform}, {s} carried a letter for {v}.",
        "Before the reform of {reform} {p} charge for a letter was {v}.",
    ),
    "line.postmaster": (
        "{v} has been postmaster of {s} since {since}.",
        "{P} postmaster, appointed in {since}, is {v}.",
    ),
    "line.postmaster_before": (
        "{v} served as postmaster of {s} from {since} to {until}.",
        "The postmaster of {s} from {since} until {until} was {v}.",
    ),
    "line.letters": ("{S} delivered {v} in {year}.", "In {year} the sorters of {s} handled {v}."),
    "line.parcels": ("{S} carried {v} in {year}.", "In {year} the load of {s} came to {v}."),
    "stamp.designer": (
        "{S} was drawn by {v}.",
        "{v} designed {s} at a kitchen table.",
        "The picture for {s} is the work of {v}.",
    ),
    "stamp.printer": ("{S} was printed by {v}.", "{S} came off the presses of {v}."),
    "stamp.motif": (
        "{S} shows the post dog {v}.",
        "The dog on {s} is {v}, in profile.",
        "{v} can be seen on {s}, with one ear down.",
    ),
    "stamp.issued": ("{S} went on sale on {v}.", "The first day of issue of {s} was {v}."),
    "stamp.colours": ("{S} was printed in {v}.", "It took {v} to print {s}."),
    "stamp.height": ("{S} stands {v} high.", "With its teeth, {s} is {v} tall."),
    "stamp.record": (
        "The highest price ever paid for {s} is {v}.",
        "At auction {s} has fetched as much as {v}.",
    ),
    "stamp.run_printer": (
        "According to the printers, {s} had a run of {v}.",
        "The printers' job sheet for {s} says {v}.",
    ),
    "stamp.run_club": (
        "The {club} puts the run of {s} at {v}.",
        "By the count of the {club}, {s} was printed in {v}.",
    ),
    "blizzard.date": ("{S} broke on {v}.", "The first gusts of {s} were felt on {v}."),
    "blizzard.hours": ("{S} blew for {v}.", "It took {v} before {s} was over."),
    "blizzard.line": (
        "{S} stopped the {v} on the open trail.",
        "The mail caught in the middle of {s} was that of the {v}.",
    ),
    "blizzard.hut": (
        "While {s} raged, the drivers sheltered at {v}.",
        "Dogs and drivers found shelter from the worst of {s} in {v}.",
    ),
    "blizzard.lost_line": (
        "The line's own tally after {s} was {v} lost.",
        "By the line's account, {v} went missing in {s}.",
    ),
    "blizzard.lost_ombudsman": (
        "The {ombudsman} found that {v} were lost in {s}.",
        "The {ombudsman} traced the missing mail of {s} and arrived at {v}.",
    ),
    "person.born": ("{S} was born in {v}.", "{P} year of birth is {v}."),
    "person.birthplace": (
        "{S} comes from the village of {v}.",
        "{P} birthplace is {v}.",
        "The village in which {s} was born is {v}.",
    ),
    "person.school": ("{S} went to {v}.", "{P} school was {v}."),
    "person.hobby": ("{P} hobby is {v}.", "In the evenings {s} relaxes by {v}."),
}

COLOUR: dict[str, tuple[str, ...]] = {
    "mill": (
        "On washing days the whole valley smells of wet rags.",
        "The ducks below the weir are said to be slightly bleached.",
    ),
    "printer": (
        "Apprentices are sent to fetch striped ink on their first morning.",
        "Misprints are burned in the yard under supervision.",
    ),
    "workshop": (
        "Ash planks dry under the roof for as long as it takes.",
        "A grey cat inspects every runner before it is waxed.",
    ),
    "sled": (
        "Drivers swear that it hums on cold snow.",
        "A horseshoe is screwed under the seat, facing uphill.",
        "Children wave at it, and the brake squeaks in reply.",
    ),
    "kennel": (
        "Visitors are sniffed in order of height.",
        "Supper is announced with a ladle on a frying pan.",
        "Nobody has ever finished counting the boots that were chewed there.",
    ),
    "dog": (
        "Fond of apple peel and suspicious of umbrellas, as drivers tell.",
        "Thunder is ignored, geese are not.",
        "A red scarf is worn on the last trip before the holidays.",
        "Fan mail arrives weekly and is eaten.",
    ),
    "hut": (
        "Wet mittens are hung over the stove by colour.",
        "The door opens inwards, for reasons that become clear in February.",
        "Card games stop when the wind changes.",
    ),
    "line": (
        "Love letters travel at the top of the bag, by old custom.",
        "Drivers sing on the way down and save their breath on the way up.",
        "In thick fog the drivers let go of the reins and trust the team.",
    ),
    "stamp": (
        "The gum tastes faintly of pears.",
        "Sheets with a crooked edge are kept in biscuit tins all over the valley.",
        "Children trade it for marbles.",
    ),
    "blizzard": (
        "Ropes were strung between the houses.",
        "The weathercock was found in spring.",
        "Bread was passed from window to window on a shovel.",
    ),
    "person": (
        "Friends mention a loud laugh and cold feet.",
        "A drawer full of unanswered postcards is part of the legend.",
        "Breakfast is taken standing, summer and winter.",
    ),
}
