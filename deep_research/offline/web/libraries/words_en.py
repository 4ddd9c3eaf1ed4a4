"""English sentences about mechanical clerks, books, libraries and barges, several per attribute, and
sentences that state nothing.

Keys are `kind.attribute`; fields are those of `prose` (`{s}`, `{p}`, `{v}` ...) and of each datum's `extra`.
"""

TEMPLATES: dict[str, tuple[str, ...]] = {
    "town.people": ("At the latest count {s} had {v}.", "{S} counts {v} on both banks."),
    "town.bridges": ("{S} is held together by {v}.", "Anyone crossing all of {s} walks over {v}."),
    "town.market": (
        "Market day in {s} is {v}.",
        "Stalls fill the quays of {s} every {v}.",
        "Every {v} the farmers row into {s} to sell what they have.",
    ),
    "town.statue": (
        "The main square of {s} is watched over by the statue of {v}.",
        "In front of {p} town hall stands a bronze of {v}.",
    ),
    "forge.lit": ("Hammers have been heard at {s} since {v}.", "The fire of {s} has not gone out since {v}."),
    "forge.town": (
        "{S} is in {v}, on the wrong side of the canal.",
        "The gates of {s} open on a side street of {v}.",
        "{S} has its anvils in {v}.",
    ),
    "forge.smiths": ("{S} pays {v}.", "At the anvils of {s} you find {v}."),
    "forge.chimney": ("{P} chimney rises to {v}.", "{P} smoke leaves through a chimney {v} tall."),
    "maker.opened": ("{S} opened its shutters in {v}.", "{S} has been in business since {v}."),
    "maker.founder": (
        "{S} was started by {v} with one lathe and a loan.",
        "The founder of {s} was {v}.",
        "{v} founded {s}.",
    ),
    "maker.spring": (
        "{S} buys its mainsprings from {v}.",
        "{v} supplies {s} with mainsprings.",
        "Every spring that {s} uses was rolled at {v}.",
    ),
    "maker.staff": ("{S} employs {v}.", "On weekdays {v} sit at the benches of {s}."),
    "clerk.maker": (
        "{S} was put together by {v}.",
        "The plate on the back of {s} names {v} as the maker.",
        "{v} built {s}.",
    ),
    "clerk.made": ("{S} took its first steps in {v}.", "The year of construction stamped on {s} is {v}."),
    "clerk.height": ("{S} stands {v} tall.", "From heel to hat {s} measures {v}."),
    "clerk.cogs": ("There are {v} inside {s}.", "{S} is driven by {v}."),
    "clerk.tune": ("While sorting cards {s} whistles {v}.", "{S} knows one melody, {v}."),
    "clerk.winding": (
        "Since the overhaul of {overhaul}, {s} has run for {v} on one winding.",
        "Wound up fully, {s} keeps going for {v}, thanks to an overhaul in {overhaul}.",
    ),
    "clerk.winding_before": (
        "Until the overhaul of {overhaul}, {s} stopped after {v}.",
        "Before it was overhauled in {overhaul}, {s} ran for {v} on one winding.",
    ),
    "clerk.speed_maker": (
        "According to its makers, {s} fetches {v}.",
        "The workshop promises that {s} will bring {v} to the desk.",
        "{P} speed is {v}, says the workshop.",
    ),
    "clerk.speed_trial": (
        "In a trial held by the {readers}, {s} fetched {v}.",
        "The {readers} stopped the time and arrived at {v} for {s}.",
    ),
    "bindery.opened": ("{S} has sewn books since {v}.", "The first volume left {s} in {v}."),
    "bindery.binders": ("{S} has {v} on its payroll.", "Needles are plied at {s} by {v}."),
    "bindery.leather": (
        "Everything that is bound at {s} is bound in {v}.",
        "{S} works with {v} and refuses any other leather.",
    ),
    "bindery.town": ("{S} is found in {v}.", "The windows of {s} look out on the main canal of {v}."),
    "book.author": ("{S} was written by {v}.", "The author of {s} is {v}.", "It was {v} who wrote {s}."),
    "book.topic": ("{S} tells of {v}.", "The subject of {s} is {v}."),
    "book.pages": ("{S} runs to {v}.", "A reader of {s} has {v} to turn."),
    "book.pictures": ("{S} is illustrated with {v}.", "There are {v} in {s}."),
    "book.bindery": ("{S} was bound at {v}.", "The covers of {s} are the work of {v}.", "{v} bound {s}."),
    "book.worth": ("For insurance, the original of {s} is valued at {v}.", "{S} is insured for {v}."),
    "book.year_title": (
        "The title page of {s} gives the year {v}.",
        "{S} was printed in {v}, if its title page is to be believed.",
    ),
    "book.year_lab": (
        "The {lab} has examined {s} and dates the printing to {v}.",
        "By the fibres of its paper, says the {lab}, {s} was printed in {v}.",
    ),
    "library.town": (
        "{S} stands on a canal in {v}.",
        "The town of {s} is {v}.",
        "Readers find {s} in {v}, next to the fish steps.",
    ),
    "library.opened": ("{S} lent its first book in {v}.", "{S} was opened in {v}."),
    "library.seats": ("The reading room of {s} has {v}.", "{S} offers {v}, most of them near a window."),
    "library.shelves": (
        "Placed end to end, the shelves of {s} would stretch for {v}.",
        "{S} has {v} of shelves.",
    ),
    "library.clerk": (
        "The chief mechanical clerk of {s} is {v}.",
        "At the desk of {s} readers are served by {v}, its chief clerk.",
        "{v} is chief clerk at {s} and has never been late.",
    ),
    "library.treasure": (
        "The most precious volume of {s} is {v}.",
        "In a glass case at {s} lies {v}, its greatest treasure.",
        "The pride of {s} is its copy of {v}.",
    ),
    "library.librarian": (
        "{v} has been head librarian of {s} since {since}.",
        "Since {since}, {s} has been run by {v}, the head librarian.",
    ),
    "library.librarian_before": (
        "From {since} to {until} the head librarian of {s} was {v}.",
        "{v} was in charge of {s} as head librarian between {since} and {until}.",
    ),
    "library.fee": (
        "Since the charter of {charter}, membership of {s} has cost {v} a year.",
        "Under the charter of {charter}, members pay {s} {v} a year.",
    ),
    "library.fee_before": (
        "Until the charter of {charter}, a year's membership of {s} cost {v}.",
        "Before the charter came in {charter}, {s} asked its members for {v} a year.",
    ),
    "library.loans": ("{S} recorded {v} in {year}.", "In {year} the desk of {s} stamped {v}."),
    "library.visitors": ("{S} welcomed {v} in {year}.", "In {year} the turnstile of {s} counted {v}."),
    "barge.launched": ("{S} was launched in {v}.", "{S} has been afloat since {v}."),
    "barge.length": ("{S} is {v} long.", "From bow to stern {s} measures {v}."),
    "barge.stops": ("On its round {s} makes {v}.", "{S} ties up for readers at {v}."),
    "barge.stock": ("{S} sails with {v} on board.", "The hold of {s} is fitted out for {v}."),
    "barge.home": (
        "{S} takes its books from {v}, to which it belongs.",
        "{S} belongs to {v}.",
        "Each Friday night {s} returns to its parent library, {v}.",
    ),
    "barge.favourite": (
        "The book most often borrowed from {s} is {v}.",
        "Nothing on {s} is borrowed as often as {v}.",
    ),
    "barge.captain": (
        "{v} has been captain of {s} since {since}.",
        "At the tiller of {s} since {since} stands {v}, the captain.",
    ),
    "barge.captain_before": (
        "{v} was captain of {s} from {since} to {until}.",
        "Between {since} and {until}, {s} had {v} as its captain.",
    ),
    "barge.joined": ("{S} signed up {v} in {year}.", "In {year} the guest book of {s} showed {v}."),
    "affair.date": (
        "{S} came to light on {v}.",
        "It was on {v} that {s} began, with a knock at the returns window.",
    ),
    "affair.library": (
        "{S} concerned {v}, to which the book belonged.",
        "The library at the centre of {s} was {v}.",
    ),
    "affair.book": ("{S} was about a copy of {v}.", "The overdue book in {s} was a copy of {v}."),
    "affair.hiding": ("In the course of {s} the book was found {v}.", "The book of {s} was discovered {v}."),
    "affair.late": ("When {s} began, the book was {v} overdue.", "The loan behind {s} was {v} late."),
    "affair.fine_library": (
        "The library closed {s} with a bill of {v}.",
        "The bill that the library wrote out because of {s} was for {v}.",
    ),
    "affair.fine_court": (
        "Ruling on {s}, the {court} allowed a fine of {v}.",
        "The {court} ended {s} with a fine of {v} and no more.",
    ),
    "person.born": ("{S} was born in {v}.", "{P} year of birth is given as {v}."),
    "person.islet": (
        "{S} grew up on the islet of {v}.",
        "{P} childhood was spent on {v}, an islet with one street.",
        "The islet on which {s} grew up is {v}.",
    ),
    "person.job": ("{S} first earned a living as {v}.", "{P} first job was that of {v}."),
    "person.pet": ("{S} shares a house with {v}.", "{P} constant companion is {v}."),
}

COLOUR: dict[str, tuple[str, ...]] = {
    "town": (
        "Front doors are numbered by the height of the last flood.",
        "Laundry is hung across the canals and taken in for funerals.",
        "Geese are allowed on the pavement before noon.",
    ),
    "forge": (
        "Neighbours set their watches by the steam hammer.",
        "A failed spring is nailed over the gate as a warning.",
    ),
    "maker": (
        "Talking is forbidden while a hairspring is being set.",
        "Lost screws are searched for with a magnet on a fishing rod.",
    ),
    "clerk": (
        "Small children are lifted up to shake its hand.",
        "It bows to hats and ignores umbrellas.",
        "A drop of oil is given on the first day of every month.",
        "Dust makes it sneeze, which took its engineers four years.",
    ),
    "bindery": (
        "The glue is cooked at night, for the sake of the neighbours.",
        "Each sewer signs the inside of the spine, where nobody looks.",
    ),
    "book": (
        "Readers are asked not to laugh out loud.",
        "A tea stain in one copy has been studied more than the text.",
        "School plays are made of it, most of them too long.",
        "The last sentence is left blank for the reader.",
    ),
    "library": (
        "Wet boots are exchanged for felt slippers at the door.",
        "Soup is served in the map room when it rains.",
        "Whispering lessons are given on the stairs.",
        "A gondolier brings the large atlases to the window.",
    ),
    "barge": (
        "A brass horn announces it two bends ahead.",
        "Returned volumes are dried over the stove, if need be.",
        "The ship's cat sleeps under the letter S.",
        "Poetry is stored below the waterline.",
    ),
    "affair": (
        "A crowd had gathered, mostly to see the handwriting.",
        "The borrower blamed a great-aunt.",
        "Nobody could find the pencil.",
    ),
    "person": (
        "Acquaintances recall a fondness for wet weather and strong tea.",
        "Several letters end in the middle of a word.",
        "There is a chair that nobody else may sit in.",
    ),
}
