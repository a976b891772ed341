"""Which facts a wish to forget is about. Pure.

Conservative on what isn't said: a wish that names nothing, such as "forget it", forgets nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from typing import Final

from ...protocols.claims import Claim, same_claim
from ...protocols.clauses import chinese, japanese
from ...protocols.clauses.frame import ANY_PREDICATE, SELF
from ...protocols.clauses.split import fold_clause
from ...protocols.facts import speaker_key, stands_since
from ...protocols.records import Fact, FactStatus, Reflection
from ...protocols.rejections import readings
from ...protocols.scripts import CJK, simplified, words
from ...protocols.tokens import terms
from ..directives.folding import fold, fold_term
from ..directives.inflection import Language, plurals, stem, stems
from ..directives.phrasebook import phrasebook
from .corrections import Occasion, is_after, own_claims, reject
from .decisions import reject_fact
from .ledger import Ledger

_IDLE: Final = frozenset(
    terms(
        "old former previous current new whole entire thing things stuff everything anything nothing something"
        " fact story talk talked say said tell told mention mentioned know knew forget"
    )
)
"""Words of a wish that name no topic."""

_LINKING: Final = words(
    "de del d di da do das dos el la los las le les l du des que qu a o os as al en em sobre sur um una uno un une"
    " der die das den dem des dass daß von vom uber zu ich bin je suis eu estou estoy soy sou yo"
    " я что о об про у меня мне есть мой моя мое мои моего моей моих мою моем"
)
"""Words of other languages than English that join others and name no topic, folded."""

_OLD: Final = re.compile(
    r"\b(?:old|former|previous|viej[oa]s?|antigu[oa]s?|anterior(?:es)?|alt(?:e[nmrs]?)?|fruher\w*|ehemalig\w*"
    r"|ancien(?:ne)?s?|vieux|vieille|precedent\w*|velh[oa]s?|antig[oa]s?|стар\w+|прежн\w+|бывш\w+)\b"
    r"|旧|老(?=的|号|地址|手机|电话|家|房)|以前|之前|原来的|前の|古い|昔の|옛|예전|이전"
)
_NEW: Final = re.compile(
    r"\b(?:new|current|present|nuev[oa]s?|actual(?:es)?|neu(?:e[nmrs]?)?|aktuell\w*|nouve(?:au|lles?)|actuel\w*"
    r"|nov[oa]s?|atua(?:l|is)|нов\w+|текущ\w+|нынешн\w+)\b"
    r"|新|现在的|目前的|今の|새|현재|지금"
)
"""What tells one of two apart, folded: who has the old number forgotten keeps the new one."""

_FIRST_PERSON: Final = re.compile(
    simplified(
        r"^(?:(?:that|how|when|where|who|what|why|whether|the fact that) )*i\b(?!')|^(?:that )?i'(?:m|ve|d)\b"
        r"|^我(?!的|们|家|弟|哥|姐|妹|爸|妈|爷|奶|叔|姨|舅|老|前|男|女|朋|同|儿|丈|妻|表|堂|闺|室"
        r"|邻居|上司|领导|姑|孩子|最好的|好朋友|外公|外婆|那个|这个|那位|这位)"
        r"|^(?:私|僕|俺)[はが]|^(?:que )?(?:yo |eu |estoy |soy |tengo |estou |sou |tenho )"
        r"|^(?:dass )?ich\b|^(?:que )?(?:je |j')|^(?:что )?я\b"
    )
)
"""The beginning of a statement of the person about themselves."""

_OTHER_NUMBER: Final = re.compile(
    r"\b(?!(?:my|our|the|old|new|current|former|previous|phone|mobile|cell|telephone|home|work|contact|is|a)\b)"
    r"([a-z]+) numbers?\b|\bnumbers? (?:of|theory|one|line|games?|plates?)\b"
)
_ANY_NUMBER: Final = frozenset(terms("number"))
"""Whose number is meant by "my number" alone: the telephone's, not that of a room or an order."""

_ABOUT: Final = re.compile(
    simplified(
        r"(?:的?(?:事情?|这件事|那件事)|のこと|こと|吧"
        r"|(?:라는|던|는|은|ㄴ|한|된)? ?(?:것|거|일|사실|얘기|이야기))$"
    )
)
"""What ends the topic of a wish in Chinese, Japanese and Korean."""

_WHOSE: Final = re.compile(
    simplified(
        r"^(?:关于|有关)?(?:我们?|咱们?|私|僕|俺|うち|내|제|우리|저희)?家?(?:的|の)?[ ]?"
        r"(?:旧|老(?!师|板|婆|公|人|家)|以前的?|原来的?|之前的?|新的?|前の|古い|昔の|新しい"
        r"|(?:옛날|예전|이전|새) ?)*"
    )
)
"""What stands before the topic of a wish in Chinese, Japanese and Korean."""

_KIN: Final = simplified(f"{chinese.KIN}|{japanese.KIN}")
_TITLE: Final = "(?P<title>さん|くん|君|ちゃん|様)"
_PERSON: Final = re.compile(
    simplified(
        f"(?:(?:那个|这个|那位|这位|最好的|好)?(?P<kin>{_KIN})(?:の|的|叫)?\\s*)?(?P<name>.{{2,}}?){_TITLE}?"
    )
)
"""Somebody's own friend or sister by name, or anybody with a title: 朋友小明, 友达の健太さん, 健太さん."""

_ONE_OF_THEM: Final = re.compile(_KIN)

REASON: Final = "forgotten at the wish of"
"""How the reason of a fact begins that was retracted because the person asked to forget it."""

PREFIX: Final = 2
"""Characters that two words share before they are compared as forms of one."""

_QUALIFIER: Final = re.compile(f"(?:{_OLD.pattern})|(?:{_NEW.pattern})")
_WORD: Final = re.compile(r"[^\W_]+")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_LANGUAGES: Final[tuple[Language, ...]] = ("english", "spanish", "portuguese", "german", "french", "italian")

_VITAL: Final = re.compile(
    simplified(
        r"\b(?:allerg\w*|anaphyla\w*|asthma\w*|diabet\w*|epilep\w*|intoleran\w*|medication|insulin)\b"
        r"|过敏|哮喘|糖尿病|癫痫|アレルギー|喘息|てんかん"
    )
)
"""What can harm to forget: "forget my cat" leaves "I'm allergic to cats", unless the ailment itself is named."""


def forget(
    ledger: Ledger, occasion: Occasion, objects: Sequence[str], reflections: Iterable[Reflection] = ()
) -> tuple[str, ...]:
    """Retract the facts that a person asks to forget, reject what they say, and return their texts.

    What was made of them is rejected as well, so that it isn't recalled from this commit on: reflections that rest
    on nothing else, which would tell the same in other words, and where the owner wishes it those that name the
    topic.

    Args:
        ledger: what is stored.
        occasion: the turn with the wish; what was said after it isn't meant.
        objects: what the wish names, such as "my old number".
        reflections: what is believed, of any subject.
    """
    forgotten: dict[str, None] = {}
    for named in objects:
        meant = [
            fact
            for fact in ledger.facts(FactStatus.ACTIVE, FactStatus.SUPERSEDED, FactStatus.RETRACTED)
            if not is_forgotten(fact)
            and not is_after(stands_since(fact), occasion.at, occasion.now)
            and is_about(fact, named, ledger, by=occasion.by)
        ]
        for fact in _told_apart(meant, named):
            reject_fact(ledger, occasion, fact, f"{REASON} {occasion.cause}")
            forgotten[fact.text] = None
    for reflection in reflections:
        if reflection.subject == occasion.subject and _goes_with(reflection, ledger, objects, by=occasion.by):
            names = ledger.names
            reject(ledger, occasion, reflection.text, entity=reflection.entity, about="", names=names, firm=True)
    return tuple(forgotten)


def is_forgotten(fact: Fact) -> bool:
    """Return whether a fact was retracted because the person asked to forget it."""
    return fact.status is FactStatus.RETRACTED and fact.reason.startswith(REASON)


def _goes_with(reflection: Reflection, ledger: Ledger, objects: Iterable[str], *, by: str) -> bool:
    sources = [ledger.fact(source) for source in reflection.sources]
    if sources and all(fact is not None and is_forgotten(fact) for fact in sources):
        return True
    return by == "" and any(may_be_forgotten(reflection.text, named) for named in objects)


def is_about(fact: Fact, named: str, ledger: Ledger, *, by: str) -> bool:
    """Return whether a fact is about what a wish names.

    Args:
        fact: the fact.
        named: what the wish names.
        ledger: whose names the owner's are.
        by: account key of who wishes it; a wish is about their own words, or about those of somebody whom
            the owner names.
    """
    topic = named
    if speaker_key(fact) != by:
        label = fact.speaker.label if fact.speaker else ""
        if by != "" or not label or fold_clause(label) not in fold_clause(named):
            return False
        topic = re.sub(rf"{re.escape(fold_clause(label))}(?:'s|的|の)?", " ", fold_clause(named))
    if _is_other(fact.text, topic):
        return False
    wished = [
        claim
        for claim in readings(_ABOUT.sub("", fold_clause(topic)), ledger.names if by == "" else ())
        if claim.frame.predicate != ANY_PREDICATE
    ]
    known = own_claims(ledger, fact)
    if wished and any(same_claim(claim, own) for claim in wished for own in known):
        return True
    return not _is_spared(fact.text, named) and _is_named(fact.text, topic, known)


def _is_named(text: str, topic: str, known: Collection[Claim]) -> bool:
    """Return whether a fact, by its words or by the slots of its claims, is about a topic."""
    subjects = {claim.frame.subject for claim in known}
    if subjects and SELF not in subjects and _FIRST_PERSON.search(fold_clause(topic)):
        # "Forget that I like tea" isn't about the brother's tea.
        return False
    named_by = topic_words(topic)
    if _is_another_number(text, named_by):
        return False
    slots = (frozenset(claim.frame.slot.split()) for claim in known if claim.frame.slot)
    return names_topic(text, topic) or any(named_by and named_by <= slot for slot in slots)


def _is_another_number(text: str, wanted: frozenset[str]) -> bool:
    """Return whether a wish is about "my number" alone and a text holds the word in another sense."""
    return wanted == _ANY_NUMBER and bool(_OTHER_NUMBER.search(fold_clause(text)))


def _is_spared(text: str, named: str) -> bool:
    """Return whether a text tells what could harm if it were forgotten, and the wish doesn't name that."""
    return bool(_VITAL.search(fold_clause(text))) and not _VITAL.search(fold_clause(named))


def may_be_forgotten(text: str, named: str) -> bool:
    """Return whether what is believed tells of the topic of a wish, and forgetting it harms nobody."""
    return not _is_spared(text, named) and names_topic(text, named)


def names_topic(text: str, named: str) -> bool:
    """Return whether a text has all the words that name the topic of a wish.

    Args:
        text: what was told.
        named: what the wish names, such as "my old number".
    """
    return Told(text).names_topic(named)


class Told:
    """A text that was told, read once however many wishes it is compared with.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def names_topic(self, named: str) -> bool:
        """Return whether the text has all the words that name the topic of a wish, such as "my old number"."""
        wanted = topic_words(named)
        if not wanted or not all(piece in self._spelled for piece in _pieces(named)):
            return False
        return (
            all(map(self._has, wanted))
            and not _is_other(self._folded, named)
            and not _is_another_number(self._text, wanted)
        )

    def _has(self, word: str) -> bool:
        if CJK.search(word):
            return word in self._folded or _is_person_of(word, self._folded)
        return word in self._held or any(_are_forms(word, other) for other in self._spoken.get(word[:PREFIX], ()))

    @cached_property
    def _spelled(self) -> str:
        return self._text.lower() if self._text.isascii() else fold(self._text).text

    @cached_property
    def _folded(self) -> str:
        return fold_clause(self._text)

    @cached_property
    def _held(self) -> frozenset[str]:
        return frozenset(terms(self._folded))

    @cached_property
    def _spoken(self) -> dict[str, set[str]]:
        """The words by how they begin: no others are compared as forms of one."""
        spoken: dict[str, set[str]] = {}
        for word in _WORD.findall(self._spelled):
            spoken.setdefault(word[:PREFIX], set()).add(word)
        return spoken


@lru_cache(1 << 10)
def _pieces(named: str) -> tuple[str, ...]:
    """Return what any text holds that names the topic of a wish, folded: how its words begin, or a name."""
    return tuple(fold_term(_name_in(word) if CJK.search(word) else word[:PREFIX]) for word in topic_words(named))


def _name_in(word: str) -> str:
    """Return the name in what names somebody's friend or sister, or somebody with a title; else all of it."""
    found = _PERSON.fullmatch(word)
    return found["name"] if found and (found["kin"] or found["title"]) else word


def _is_person_of(word: str, folded: str) -> bool:
    """Return whether a text tells of the person whom a topic names, with another particle or title."""
    found = _PERSON.fullmatch(word)
    if found is None or _ONE_OF_THEM.fullmatch(word) or not (found["kin"] or found["title"]):
        return False
    name = re.escape(found["name"])
    if CJK.search(name) is None:
        name = rf"(?<![a-z0-9]){name}(?![a-z0-9])"
    if found["kin"]:
        return re.search(rf"{found['kin']}(?:の|的|叫|名叫|[、，,\s])*{name}", folded) is not None
    # A noun with a title may be no name: who forgets "the nurse" is still a nurse.
    return re.search(rf"{name}(?:[はがもをのとにへ]|{_TITLE})", folded) is not None


def _told_apart(meant: list[Fact], named: str) -> list[Fact]:
    """Return, of the facts that a wish can mean, those that share its "old" or "new" where any does."""
    folded = fold_term(named)
    for qualifier in (_OLD, _NEW):
        if qualifier.search(folded) and (
            marked := [fact for fact in meant if qualifier.search(fold_term(fact.text))]
        ):
            return marked
    return meant


def _is_other(told: str, named: str) -> bool:
    """Return whether a text is about the new one where the wish names the old one, or the other way round."""
    text, wish = fold_term(told), fold_term(named)
    return any(
        ours.search(wish) and others.search(text) and not ours.search(text) and not others.search(wish)
        for ours, others in ((_OLD, _NEW), (_NEW, _OLD))
    )


@lru_cache(1 << 12)
def _are_forms(word: str, other: str) -> bool:
    """Return whether two words are forms of one in any of the languages with endings."""
    if _CYRILLIC.search(word):
        return not stems(word, "russian").isdisjoint(stems(other, "russian"))
    return word in plurals(other) or any(stem(word, one) == stem(other, one) for one in _LANGUAGES)


@lru_cache(1 << 10)
def topic_words(named: str) -> frozenset[str]:
    """Return the words of a wish that name its topic."""
    folded = fold_clause(named)
    if CJK.search(folded):
        return frozenset(filter(None, [_WHOSE.sub("", _ABOUT.sub("", folded))]))
    named_by = (word for word in terms(folded) if fold_term(word) not in _joining())
    return frozenset(word for word in named_by if not _QUALIFIER.fullmatch(fold_term(word))) - _IDLE


@cache
def _joining() -> frozenset[str]:
    """Return the words that name no topic, as they are and as the terms that they become."""
    determiners = {fold_term(word) for locale in phrasebook() for word in locale.determiners}
    plain = determiners | _LINKING
    return frozenset(plain | {fold_term(term) for word in plain for term in terms(word)})
