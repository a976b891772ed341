"""Which English words name what other words are kinds of: a puppy is a dog, and a dog a pet.

For ranking only: people tell of their puppy and are asked for their pets. A word that mostly means something else
is left out ("train", "course", "turkey", "fall"). Pure data, in each group the kinds before the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_LIVING: Final = """
dog: puppy pup doggy doggie doggo retriever poodle labrador beagle corgi terrier bulldog husky dachshund
chihuahua; cat: kitten kitty; bird: parrot canary eagle owl pigeon sparrow robin; pet: dog cat hamster rabbit
bunny parrot canary goldfish turtle tortoise gerbil ferret; animal: dog cat bird rabbit turtle tortoise horse
pony cow pig sheep goat fish deer elephant lion tiger monkey snake wolf fox whale dolphin shark penguin lizard
frog squirrel insect dinosaur; flower: tulip lily sunflower daisy orchid daffodil; plant: flower tree; tree: oak
pine maple willow; insect: bee butterfly ant mosquito; parent: mother father; sibling: sister brother; family
relative: parent sibling son daughter wife husband grandmother grandfather aunt uncle cousin niece nephew;
child: son daughter baby toddler; partner: spouse girlfriend boyfriend fiance fiancee; spouse: wife husband;
colleague: coworker workmate; job profession occupation career: nurse teacher engineer doctor dentist lawyer
chef waiter waitress bartender barista accountant programmer journalist plumber electrician mechanic firefighter
pilot cashier receptionist banker carpenter hairdresser therapist veterinarian architect librarian professor
counselor
"""

_DOING: Final = """
martial art: karate judo taekwondo kickboxing jujitsu aikido; sport: soccer football basketball baseball
softball tennis golf hockey volleyball cricket rugby karate judo taekwondo kickboxing surf ski snowboard skate
swim cycle badminton wrestling gymnastics climb archery; exercise workout: gym yoga jog swim pilates aerobics
weightlifting; game: chess poker monopoly scrabble puzzle console; console: xbox playstation nintendo; hobby:
craft photograph garden cook bake draw paint; craft: knit sew pottery crochet origami; art: paint draw sculpture
pottery mural; outdoor: hike camp picnic mountaineering climb kayak fish; music: song album concert singer jazz
rap opera orchestra; instrument: guitar piano violin drum flute cello saxophone clarinet trumpet trombone
ukulele banjo harp accordion harmonica; trip travel: journey trip travel vacation flight tour cruise roadtrip
getaway; event: party wedding concert festival conference parade fair workshop fundraiser meetup gala funeral
graduation reunion exhibition; book: novel biography; genre: fantasy mystery thriller romance comedy horror
jazz; dance: ballet salsa tango waltz hiphop flamenco; celebration: birthday anniversary wedding graduation;
author: novelist poet; movie: film; show: series sitcom; award: medal trophy prize; holiday: christmas
thanksgiving easter halloween hanukkah diwali
"""

_THINGS: Final = """
food: dish fruit vegetable dessert snack bread cheese rice noodle bacon sausage egg; dish: pizza pasta burger
sushi salad soup sandwich steak pancake taco burrito curry lasagna spaghetti omelette ramen dumpling; snack:
chips popcorn nuts pretzel cookie; ingredient: flour sugar butter egg garlic salt vanilla cheese spice; spice:
cinnamon pepper garlic ginger; fruit: apple banana strawberry blueberry raspberry peach grape mango pineapple
cherry pear lemon watermelon; vegetable: carrot potato tomato onion broccoli spinach cucumber lettuce cabbage
mushroom pumpkin zucchini; dessert: cake cheesecake cookie pie brownie pudding cupcake tart muffin pastry donut;
meal: breakfast lunch dinner supper brunch; drink beverage: coffee tea beer wine juice soda cocktail milk
whiskey vodka champagne lemonade latte smoothie; vehicle: car truck motorcycle bus van bicycle scooter jeep boat
ship airplane; clothes clothing: shirt dress jacket coat jeans pants trousers shoe hat sweater skirt sock scarf
boot hoodie; jewelry: necklace bracelet earring pendant brooch; furniture: sofa couch table chair desk wardrobe
bookshelf; device gadget: phone laptop computer tablet camera smartwatch; toy: doll lego teddy; tool: hammer
screwdriver wrench; social media: instagram facebook tiktok youtube twitter; medicine: pill aspirin antibiotic
insulin; gift: present; home: house apartment condo; room: kitchen bedroom bathroom basement attic garage;
color: red blue green yellow purple pink black white brown gray; season: spring summer autumn winter; weather:
rain snow storm sunny cloudy windy; nature: forest mountain lake beach ocean river waterfall; school: college
university kindergarten; subject: mathematics history biology chemistry physics geography economics psychology
philosophy; business company: startup store bakery; illness disease: flu cancer fever diabetes asthma pneumonia
covid migraine arthritis allergy; injury: sprain fracture bruise concussion; emotion: happy sad angry anxious
nervous excited scared proud lonely stressed upset grateful jealous
"""

_PLACES: Final = """
place location: country state city town village park beach mountain lake island forest museum restaurant cafe;
country: usa uk england scotland ireland britain america canada mexico france germany italy spain portugal japan
china korea india thailand vietnam indonesia philippines singapore australia brazil argentina peru chile
colombia cuba sweden norway denmark finland iceland poland russia ukraine hungary greece netherlands belgium
switzerland austria egypt morocco kenya nigeria israel; city: london paris tokyo rome berlin munich madrid
barcelona lisbon dublin vienna prague amsterdam milan venice florence moscow istanbul kyoto osaka seoul beijing
shanghai bangkok mumbai sydney melbourne toronto vancouver montreal york chicago boston seattle miami
philadelphia dallas houston denver portland atlanta; state: california texas florida michigan minnesota oregon
washington carolina georgia ohio colorado arizona nevada virginia alaska hawaii illinois indiana wisconsin
pennsylvania massachusetts tennessee kentucky alabama louisiana utah montana idaho missouri kansas iowa oklahoma
maryland; language: spanish french german italian japanese chinese korean russian portuguese arabic hindi
"""

_FIELDS: Final = """
relationship: partner dating single divorced married engaged breakup; wedding: bride groom engaged fiance
fiancee; religion: church mosque temple synagogue god faith pray bible christian muslim jewish buddhist hindu
catholic; politics: election vote government president liberal conservative democrat republican campaign mayor;
volunteer charity: shelter donate fundraiser nonprofit; money: salary savings rent loan mortgage debt budget
income wage; finance: money; education: school degree; study: exam college university; health: doctor hospital
illness diet exercise
"""
"""What is asked for by its field of life, though it is no kind of it."""


def _kinds() -> dict[str, tuple[str, ...]]:
    """Return what each word is a kind of, and what that is a kind of in turn."""
    direct: dict[str, list[str]] = {}
    for table in (_LIVING, _DOING, _THINGS, _PLACES, _FIELDS):
        for group in table.split(";"):
            kinds, _, words = group.partition(":")
            for word in words.split():
                direct.setdefault(word, []).extend(kinds.split())
    return {word: tuple(_above(word, direct)) for word in direct}


def _above(word: str, direct: Mapping[str, list[str]]) -> dict[str, None]:
    found: dict[str, None] = {}
    left = list(direct[word])
    while left:
        kind = left.pop(0)
        if kind != word and kind not in found:
            found[kind] = None
            left.extend(direct.get(kind, ()))
    return found


KINDS: Final[Mapping[str, tuple[str, ...]]] = _kinds()
"""What each word is a kind of, all in lower case."""
