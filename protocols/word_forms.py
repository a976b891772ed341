"""English words that belong together and whose suffixes don't tell: "went" and "go", "musician" and "music".

A question and the text that answers it are seldom written in the same form. A form that is a common word of its
own is left out ("rose", "ground", "wound", "lay", "dove", "bore", "bound"). Pure data, each group with its base
first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_IRREGULAR: Final = """
arise arose arisen; awake awoke awoken; be was were been; beat beaten; become became; begin began begun; bend
bent; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built;
burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt; dig
dug; do did done; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell
fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown; forbid forbade forbidden;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given; go went
gone goes; grow grew grown; hang hung; have had; hear heard; hide hid hidden; hold held; keep kept; kneel knelt;
know knew known; lead led; lean leant; leap leapt; learn learnt; leave left; lend lent; light lit; lose lost; make
made; mean meant; meet met; pay paid; prove proven; ride rode ridden; ring rang rung; rise risen; run ran; say
said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot;
show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; smell smelt;
speak spoke spoken; spell spelt; spend spent; spill spilt; spin spun; stand stood; steal stole stolen; stick
stuck; sting stung; strike struck; swear swore sworn; sweep swept; swell swollen; swim swam swum; swing swung;
take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand
understood; wake woke woken; wear wore worn; weave woven; weep wept; win won; withdraw withdrew withdrawn; write
wrote written; child children; man men; woman women; foot feet; tooth teeth; goose geese; mouse mice; person
people; wife wives; knife knives; shelf shelves; wolf wolves; loaf loaves; half halves; thief thieves; scarf
scarves; calf calves; bus buses; gas gases; quiz quizzes
"""

_DERIVED: Final = """
music musician; guitar guitarist; piano pianist; violin violinist; drum drummer; art artist artistic; paint
painter; dance dancer; sing singer; write writer; bake baker bakery; teach teacher; drive driver; run runner;
swim swimmer; hike hiker; bike biker; cycle cyclist; climb climber; surf surfer; ski skier skiing; game gamer;
play player; garden gardener; farm farmer; photograph photographer photography photographic photo; allergy
allergic; marry marriage; die dead death died dying; advise advice; choose choice; believe belief; fly flight;
grow growth; lose loss; speak speech speaker; law lawyer; science scientist scientific; therapy therapist;
psychology psychologist; biology biologist; history historian historic historical; design designer; develop
developer; program programmer; manage manager management; act actor actress; direct director; produce producer;
build builder; own owner; travel traveler traveller; train trainer; read reader; decide decision; compete
competition competitor; perform performer performance; member membership; lead leader leadership; strong
strength; warm warmth; angry anger; hungry hunger; succeed success successful; friend friendship; politics
political politician; magic magician; library librarian; vegan veganism; religion religious; nation national;
culture cultural; environment environmental; finance financial; medicine medical; nature natural; person
personal; tradition traditional; profession professional; education educational; emotion emotional; region
regional; japan japanese; china chinese; spain spanish; france french; germany german; italy italian; england
english; britain british; america american; canada canadian; mexico mexican; korea korean; india indian; sweden
swedish; norway norwegian; denmark danish; finland finnish; poland polish; russia russian; greece greek; turkey
turkish; portugal portuguese; brazil brazilian; thailand thai; vietnam vietnamese; ireland irish; scotland
scottish; switzerland swiss; netherlands dutch; australia australian; austria austrian; ukraine ukrainian; egypt
egyptian
"""

_SPELT: Final = """
color colour; favorite favourite; flavor flavour; humor humour; neighbor neighbour; honor honour; labor labour;
behavior behaviour; rumor rumour; harbor harbour; center centre; theater theatre; meter metre; liter litre;
fiber fibre; gray grey; jewelry jewellery; program programme; tire tyre; pajamas pyjamas; cozy cosy; mom mum;
mommy mummy; airplane aeroplane; aluminum aluminium; catalog catalogue; dialog dialogue; defense defence;
license licence; practice practise; organize organise; realize realise; recognize recognise; apologize
apologise; memorize memorise; specialize specialise; fertilize fertilise; analyze analyse; cancel cancelled;
counselor counsellor; enroll enrol; fulfill fulfil; skillful skilful; mustache moustache; donut doughnut; yogurt
yoghurt; plow plough; skeptical sceptical; pediatrician paediatrician; anemia anaemia; diarrhea diarrhoea
"""

_SHORTENED: Final = """
mother mom mommy mama mamma mum mummy ma; father dad daddy papa; grandmother grandma granny nana; grandfather
grandpa granddad; child kid; brother bro; sister sis; husband hubby; bicycle bike; television tv telly;
refrigerator fridge; veterinarian vet; university uni; telephone phone; laboratory lab; gymnasium gym;
examination exam; birthday bday; advertisement advert ad; vegetable veggie veg; mathematics maths math;
influenza flu; airplane plane; application app; information info; picture pic; appointment appt; medication meds
"""


def _bases() -> dict[str, str]:
    """Return the base of each form; that of a base which is itself a form of another group is that group's."""
    bases: dict[str, str] = {}
    for table in (_SHORTENED, _SPELT, _DERIVED, _IRREGULAR):
        for line in table.split(";"):
            base, *forms = line.split()
            for form in forms:
                bases.setdefault(form, bases.get(base, base))
    return bases


def _other_words() -> dict[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = {}
    for line in (*_SHORTENED.split(";"), *_SPELT.split(";")):
        base, *forms = line.split()
        groups.setdefault(BASES.get(base, base), [BASES.get(base, base)]).extend((base, *forms))
    return {
        word: tuple(other for other in dict.fromkeys(group) if other != word)
        for group in groups.values()
        for word in group
    }


BASES: Final[Mapping[str, str]] = _bases()
"""The base of each form, both in lower case; for ranking."""

OTHER_WORDS: Final[Mapping[str, tuple[str, ...]]] = _other_words()
"""The other words and spellings for the very same thing ("dad" and "father"), all in lower case."""
