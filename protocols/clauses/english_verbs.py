"""English verbs by their forms, and what stands before them. Data and the spelling rules that make forms."""

from __future__ import annotations

from typing import Final

from ..scripts import words

AUXILIARIES: Final = words(
    "am is are was were be been being do does did have has had can could will would shall should may might must "
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't cannot couldn't won't wouldn't "
    "shouldn't mustn't dont doesnt didnt isnt cant wont ain't gonna wanna gotta",
)
SUBJECTS: Final = words("i we you he she they it who")
CONTRACTIONS: Final = words(
    "i'm i've i'd i'll im ive you're you've you'd you'll we're we've we'd we'll he's he'd he'll she's "
    "she'd she'll "
    "it's it'd it'll they're they've they'd they'll that's there's here's what's who's where's name's",
)
POSSESSORS: Final = words("my our your his her their its the this these those some most all people every each")

_REGULAR: Final = words(
    "add admit adopt agree allow answer appear apply argue arrive ask attend avoid bake believe belong "
    "book borrow "
    "call camp cancel care carry cause celebrate change check clean climb close collect compare complain "
    "compose consider contact contain continue cook count cover crash create cross cry cycle dance decide deliver "
    "depend describe design die disappear discover discuss dislike dress drop earn email end enjoy enter enroll "
    "exercise exist expect explain explore fail fear fill finish fix follow forward garden graduate greet guess "
    "hang happen hate help hike hope hug ignore imagine improve include introduce invite join jog jump kick kiss "
    "knit laugh launch learn lie like list listen live lock look love manage marry matter measure mention miss "
    "mix move name need notice offer open order organize own pack paint park pass pick plan plant play practice "
    "practise prefer prepare promise propose protect pull push quit raise reach realize recall receive recommend "
    "relax remember remind remove rent repair repeat replace reply report rescue rest retire return sail save "
    "search seem serve share shop show shower sign skate ski skip smell smoke snow sound spell sprain start stare "
    "stay stop study suffer suggest support suppose surprise switch talk taste test text thank tidy tour train "
    "translate travel treat trust try turn type use visit volunteer wait wake walk want wash waste watch water "
    "welcome whisper wish wonder work worry",
)
_IRREGULAR: Final = """
    become became|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought|build built
    buy bought|catch caught|choose chose chosen|come came|cost|cut|deal dealt|draw drew drawn|drink drank drunk
    drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
    forget forgot forgotten|forgive forgave|freeze froze|get got gotten|give gave given|go went gone|goes
    grow grew grown|hear heard|hide hid hidden|hit|hold held|hurt|keep kept|know knew known|lead led|leave left
    lend lent|let|lose lost|make made|mean meant|meet met|pay paid|put|read|ride rode ridden|ring rang|rise rose
    run ran|say said|see saw seen|sell sold|send sent|set|shoot shot|sing sang sung|sit sat|sleep slept|speak
    spoke spoken|spend spent|stand stood|steal stole stolen|swim swam swum|take took taken|teach taught|tell told
    think thought|throw threw thrown|understand understood|wear wore worn|win won|write wrote written
"""
_IRREGULAR_FORMS: Final = tuple(tuple(group.split()) for group in _IRREGULAR.replace("\n", "|").split("|"))
_VOWELS: Final = frozenset("aeiou")


def _third_person(base: str) -> str:
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _pasts(base: str) -> tuple[str, ...]:
    if base.endswith("y") and base[-2] not in _VOWELS:
        return (base[:-1] + "ied",)
    return (base + "d",) if base.endswith("e") else (base + "ed", base + base[-1] + "ed")


BASES: Final = _REGULAR | {group[0] for group in _IRREGULAR_FORMS if group and group[0] != "goes"}
"""Verbs in the form that commands take."""

_GROUPS: Final = [group for group in _IRREGULAR_FORMS if group]
PASTS: Final = frozenset({past for base in _REGULAR for past in _pasts(base)}) | {
    form for group in _GROUPS for form in group[1:]
}
"""Past forms that are told apart from the base form, doubled consonants included."""

THIRD_PERSONS: Final = frozenset(_third_person(base) for base in BASES) | {"goes", "has", "does", "is"}

STATIVES: Final = words("love hate need want prefer live miss work like enjoy")
"""Base forms that open a sentence without its "I" more often than they command."""
