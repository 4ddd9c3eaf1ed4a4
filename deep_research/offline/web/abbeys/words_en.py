"""English sentences about abbeys, bells, cheeses and choirs, several per attribute, and sentences that state
nothing.

Keys are `kind.attribute`; fields are those of `prose` (`{s}`, `{p}`, `{v}` ...) and of each datum's `extra`.
"""

TEMPLATES: dict[str, tuple[str, ...]] = {
    "valley.pass_height": (
        "The only road out of {s} climbs to a pass at {v}.",
        "Mule trains leaving {s} must cross a saddle {v} high.",
        "{P} pass, at {v}, is shut by snow from November to May.",
    ),
    "valley.people": (
        "{S} is home to {v}.",
        "At the last head count {v} lived in {s}.",
    ),
    "valley.river": (
        "The {v} runs the whole length of {s}.",
        "{S} is drained by the {v}.",
    ),
    "mine.opened": (
        "Picks were first swung at {s} in {v}.",
        "{P} oldest gallery dates from {v}.",
    ),
    "mine.depth": (
        "{P} deepest gallery is {v} below the entrance.",
        "The ladders of {s} go down {v}.",
    ),
    "mine.miners": (
        "The pay list of {s} names {v}.",
        "{S} gives bread to {v}.",
    ),
    "mine.valley": (
        "The mouth of {s} is in {v}.",
        "{S} was driven into the shady side of {v}.",
    ),
    "foundry.lit": (
        "{S} has poured bronze since {v}.",
        "The first fire of {s} was kindled in {v}.",
    ),
    "foundry.copper": (
        "{S} takes its copper from {v} and nowhere else.",
        "Every ingot of copper used by {s} is dug at {v}.",
        "{P} copper has always come from {v}.",
    ),
    "foundry.furnaces": (
        "{S} keeps {v} under one roof.",
        "In the casting hall of {s} stand {v}.",
    ),
    "foundry.apprentices": (
        "{S} is teaching {v} this year.",
        "The roll of {s} lists {v}.",
    ),
    "foundry.master": (
        "The fires of {s} have been in the charge of {v} since {since}.",
        "{v} became master founder of {s} in {since} and holds the ladle to this day.",
    ),
    "foundry.master_before": (
        "{v} held the ladle of {s} as master founder between {since} and {until}.",
        "Bells poured from {since} to {until} were the work of {v}, then {p} master founder.",
    ),
    "bell.foundry": (
        "{S} came out of the pit at {v}.",
        "{v} cast {s} in a single pour.",
        "The founder's mark on {s} is that of {v}.",
    ),
    "bell.cast": (
        "{P} mould was broken in {v}.",
        "{S} was cast in {v}.",
        "The year {v} stands on the shoulder of {s}.",
    ),
    "bell.weight_ledger": (
        "The foundry's ledger enters {s} at {v}.",
        "By the foundry's own account {s} weighs {v}.",
        "{P} weight in the foundry's books is {v}.",
    ),
    "bell.weight_scale": (
        "Hung from the great scale of the {office}, {s} came to {v}.",
        "The {office} certifies {p} weight as {v}.",
    ),
    "bell.diameter": (
        "{P} mouth is {v} across.",
        "{S} measures {v} at the lip.",
    ),
    "bell.pitch": (
        "Retuned in {retuned}, {s} now sounds at {v}.",
        "The retuning of {retuned} brought {s} to {v}.",
    ),
    "bell.pitch_before": (
        "Up to the retuning of {retuned}, {s} rang at {v}.",
        "{P} earlier voice, lost in the retuning of {retuned}, was {v}.",
    ),
    "cheese.deviser": (
        "{S} was devised by {v}.",
        "The recipe of {s} is the invention of {v}.",
        "We owe {s} to {v}, who was trying to make butter.",
    ),
    "cheese.first": (
        "{S} was first sold in {v}.",
        "The oldest surviving order for {s} is dated {v}.",
    ),
    "cheese.milk": (
        "{S} is made from {v}.",
        "Only {v} goes into {s}.",
    ),
    "cheese.months": (
        "{S} ripens for {v}.",
        "A wheel of {s} leaves the cave after {v}.",
        "It takes {v} of turning and brushing before {s} may be cut.",
    ),
    "cheese.litres": (
        "One wheel of {s} takes {v} of milk.",
        "To fill a single mould with {s}, the dairy pours {v} of milk.",
    ),
    "cheese.price": (
        "Since the price order of {order} a wheel of {s} has cost {v}.",
        "The price order of {order} fixed {s} at {v} a wheel.",
    ),
    "cheese.price_before": (
        "Before the price order of {order} a wheel of {s} went for {v}.",
        "Lists valid up to the price order of {order} ask {v} for a wheel of {s}.",
    ),
    "cheese.fat_label": (
        "The label of {s} promises {v} fat.",
        "According to {p} label the dry matter holds {v} fat.",
    ),
    "cheese.fat_lab": (
        "The {lab} found {v} fat in {s}.",
        "Samples of {s} analysed at the {lab} held {v} fat.",
    ),
    "abbey.valley": (
        "{S} stands in {v}.",
        "{P} walls rise on a ledge in {v}.",
    ),
    "abbey.altitude": (
        "The threshold of {s} is at {v}.",
        "Walkers reach {p} gate at a height of {v}.",
        "A brass stud in {p} porch marks an altitude of {v}.",
    ),
    "abbey.hallowed": (
        "{S} was hallowed in {v}.",
        "The first prayers at {s} were said in {v}.",
    ),
    "abbey.members": (
        "The refectory of {s} is laid for {v}.",
        "On the last roll of {s} stand {v}.",
    ),
    "abbey.bell": (
        "The great bell of {s} is {v}.",
        "{P} hours are struck by {v}, the great bell in the west tower.",
        "Sleep at {s} ends when {v}, the great bell, is rung at four.",
    ),
    "abbey.cheese": (
        "{S} makes a single cheese, {v}.",
        "The cellars of {s} turn out {v}.",
        "{v} is the cheese of {s}.",
    ),
    "abbey.cellarer": (
        "{v} has kept the cellar keys of {s} since {since}.",
        "{P} present cellarer, {v}, took the keys in {since}.",
    ),
    "abbey.cellarer_before": (
        "The cellar keys of {s} hung on the belt of {v} from {since} to {until}.",
        "As cellarer, {v} looked after {p} wheels between {since} and {until}.",
    ),
    "abbey.wheels": (
        "{S} sent {v} to market in {year}.",
        "The {year} make of {s} came to {v}.",
    ),
    "abbey.pilgrims": (
        "{S} gave soup to {v} in {year}.",
        "The guest book of {s} shows {v} for {year}.",
    ),
    "choir.formed": (
        "{S} first rehearsed in {v}.",
        "{P} oldest minute book opens in {v}.",
    ),
    "choir.home": (
        "{S} rehearses at {v}.",
        "{P} practice room is a former granary of {v}.",
    ),
    "choir.singers": (
        "{S} numbers {v}.",
        "When nobody has a cold, {s} fields {v}.",
    ),
    "choir.cantor": (
        "{v} has held the tuning fork of {s} since {since}.",
        "{P} cantor, chosen in {since}, is {v}.",
    ),
    "choir.cantor_before": (
        "Under {v}, cantor from {since} to {until}, {s} learned to sing in fog.",
        "The tuning fork of {s} was in the hands of {v} between {since} and {until}.",
    ),
    "choir.opener": (
        "{S} begins each evening with {v}.",
        "No concert of {s} opens with anything but {v}.",
    ),
    "choir.tickets": (
        "{S} sold {v} in {year}.",
        "The box office of {s} parted with {v} in {year}.",
    ),
    "work.composer": (
        "{S} was composed by {v}.",
        "{v} wrote {s} in one wet autumn.",
        "The score of {s} is signed by {v}.",
    ),
    "work.premiere": (
        "{S} was first heard on {v}.",
        "The first performance of {s} was given on {v}.",
    ),
    "work.bars": (
        "{S} runs to {v}.",
        "The score of {s} counts {v}.",
    ),
    "work.parts": (
        "{S} is set for {v}.",
        "The texture of {s}, thick as porridge, is woven from {v}.",
    ),
    "work.kept": (
        "The manuscript of {s} lies in the library of {v}.",
        "{v} guards the manuscript of {s}.",
    ),
    "contest.date": (
        "{S} took place on {v}.",
        "The choirs of {s} faced the cliff on {v}.",
    ),
    "contest.winner": (
        "{S} was won by the {v}.",
        "First place in {s} went to the {v}.",
    ),
    "contest.host": (
        "{v} was host to {s}.",
        "{S} was sung against the cliff of {v}.",
    ),
    "contest.crowd_organiser": (
        "The organisers of {s} spoke of {v}.",
        "According to the organisers, {s} drew {v}.",
    ),
    "contest.crowd_constables": (
        "The valley constables counted {v} at {s}.",
        "On the sheet of the constables {s} had {v}.",
    ),
    "contest.chair": (
        "The jury of {s} was led by {v}.",
        "{v} spoke for the jury of {s}.",
    ),
    "contest.prize": (
        "The prize of {s} was {v}.",
        "The winners of {s} took home {v}.",
    ),
    "person.born": (
        "{S} came into the world in {v}.",
        "The parish book gives {p} year of birth as {v}.",
    ),
    "person.birthplace": (
        "{S} is a native of {v}.",
        "{P} cradle stood in {v}.",
        "{P} birth village is {v}, a handful of roofs and a trough.",
    ),
    "person.teacher": (
        "{S} learned the craft from {v}.",
        "{P} teacher was {v}.",
    ),
    "person.instrument": (
        "{S} plays {v}.",
        "On feast days {s} can be heard on {v}.",
    ),
}

COLOUR: dict[str, tuple[str, ...]] = {
    "valley": (
        "Hay is still brought down on sledges in the first week of snow.",
        "The sun leaves the lower farms in October and is welcomed back with a procession.",
        "Goats have the right of way on all bridges.",
    ),
    "mine": (
        "A lantern is left burning for the mountain spirit, who is said to dislike whistling.",
        "Visitors are lent a leather apron and slide down to the first level.",
    ),
    "foundry": (
        "Nobody speaks while the bronze is running.",
        "The clay for the moulds is kneaded with goat hair and a splash of plum brandy.",
        "Broken bells are taken in exchange, and a cracked one hangs over the door.",
    ),
    "bell": (
        "Four ringers are needed, and a fifth to fetch the beer.",
        "Swallows leave the louvres a minute before it strikes.",
        "Storms are rung away with three slow strokes.",
        "The clapper is wrapped in leather during Lent.",
    ),
    "cheese": (
        "The rind is rubbed with a cloth that may not be washed.",
        "Locals eat it with pickled walnuts and refuse to discuss the matter.",
        "Knocked with a knuckle, a good wheel answers like a drum.",
        "Children are given the heel of the wheel for luck.",
    ),
    "abbey": (
        "Guests sleep under feather beds and wake with the cattle.",
        "The library cat has a place in the choir stalls.",
        "A rope bridge behind the orchard is closed to anyone who has dined.",
        "Silence is kept at table, except about the soup.",
    ),
    "choir": (
        "Members pay their fines in firewood.",
        "Rehearsals begin with a minute of listening to the rain gutter.",
        "The basses are recruited, by tradition, among the carters.",
        "Latecomers sing alone.",
    ),
    "work": (
        "The last page bears a stain that experts take for honey.",
        "Performers are asked to stamp once, very softly, near the end.",
        "It is never sung while hay is drying.",
    ),
    "contest": (
        "The echo answered late, as it does before rain.",
        "Dumplings ran out in the second hour.",
        "Two tenors had to be carried down the scree.",
    ),
    "person": (
        "Neighbours speak of long walks and a short temper with geese.",
        "A shelf of pressed gentians fills the study.",
        "An autobiography exists, in mirror writing.",
    ),
}
