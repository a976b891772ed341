"""Clauses of Korean, Russian, Spanish, Portuguese, German and French as frames: affirmed or denied, and of what.

No grammar of theirs is read but their plain negations ("no soy", "nicht", "ne ... pas", "не", 안, ~지 않아요),
what is so instead ("nicht Mimi, sondern Momo"), and the speaker's own home and name. What is left of a clause is a
bag of stems, so that a denial meets the statement that has its stems. The subject is the first word that names
somebody else, else the speaker.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import snowballstemmer
from msgspec import Struct
from msgspec.structs import replace

from ..scripts import HANGUL, words
from ..stopwords import ENGLISH
from .foreign_phrases import SPANISH_PERFECT, contrast, filled
from .frame import SELF, Frame, Tense, Voice

SAYS: Final = "says"
"""The predicate of every clause that is read as a bag of stems."""

_ENGLISH: Final = ENGLISH | words("i like love likes loves hates lives works one") - words("no me a de con")
_CACHED: Final = 1 << 14
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_HANGUL: Final = re.compile(f"[{HANGUL}]")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_ELISION: Final = re.compile(r"\b(?P<short>j|n|l|d|c|qu|s|m|t)'(?=\w)")


class _Language(Struct, frozen=True, kw_only=True):
    """Words of one language, folded: those that show it, that deny, that say no more, and that name who."""

    stemmer: str
    shown_by: frozenset[str]
    negations: frozenset[str]
    ended: frozenset[str] = frozenset()
    first: frozenset[str]
    others: frozenset[str]
    skipped: frozenset[str]
    first_verb: re.Pattern[str] | None = None


_SPANISH: Final = _Language(
    stemmer="spanish",
    shown_by=words(
        "yo soy estoy tengo vivo trabajo gusta gustan encanta mi mis el la los las un una en de con y "
        "que no ya es muy del"
        " hermana hermano madre padre nunca tampoco"
    ),
    negations=words("no nunca jamás tampoco"),
    ended=words("ya"),
    first=words(
        "yo me mi mis mí conmigo soy estoy tengo vivo trabajo nací odio prefiero quiero hablo como bebo fumo"
    ),
    others=words(
        "él ella ellos ellas tú usted hermana hermano madre padre amigo amiga novio novia jefe hijo hija"
    ),
    skipped=words(
        "yo me mi mis el la los las un una unos unas de del en a al con y que es muy más lo verdad cierto"
    ),
    first_verb=re.compile(r"^(?:ya )?(?:no |nunca |tampoco )?(?:me )?(?!no\b)\w+(?:o|oy)\b"),
)
_PORTUGUESE: Final = _Language(
    stemmer="portuguese",
    shown_by=words(
        "eu sou estou tenho moro trabalho gosto meu minha o os um uma em com não é muito do da no na "
        "já nunca irmã irmão mãe pai"
    ),
    negations=words("não nunca jamais nem"),
    ended=words("já"),
    first=words("eu me meu minha meus minhas sou estou tenho moro trabalho gosto falo bebo fumo odeio prefiro"),
    others=words("ele ela eles elas você irmã irmão mãe pai amigo amiga namorado namorada chefe filho filha"),
    skipped=words("eu me meu minha meus minhas o a os as um uma de do da em no na com e que é muito mais"),
    first_verb=re.compile(r"^(?:já )?(?:não |nunca )?(?:me )?(?!não\b|no\b)\w+(?:o|ou)\b"),
)
_GERMAN: Final = _Language(
    stemmer="german",
    shown_by=words(
        "ich mich mir mein meine meinen bin habe mag wohne arbeite der die das ist und mit nicht ein "
        "eine einen kein keine"
        " keinen keiner heisse heisst nie niemals"
    ),
    negations=words("nicht kein keine keinen keiner keinem nie niemals"),
    ended=words("mehr"),
    first=words("ich mich mir mein meine meinen meiner wir uns unser unsere"),
    others=words("er sie ihr du schwester bruder mutter vater freund freundin chef chefin sohn tochter frau mann"),
    skipped=words(
        "ich mich mir mein meine meinen meiner der die das den dem ein eine einen einem einer in im "
        "und mit ist zu sehr"
        " gar überhaupt wirklich doch"
    ),
)
_FRENCH: Final = _Language(
    stemmer="french",
    shown_by=words(
        "je j moi mon ma mes suis ai aime habite le la les un une et est avec dans pas ne n plus "
        "jamais des du m'appelle"
        " sœur frère mère père"
    ),
    negations=words("pas plus jamais aucun aucune"),
    first=words("je j moi mon ma mes me nous notre nos"),
    others=words("il elle ils elles tu vous sœur soeur frère mère père ami amie copain copine patron fils fille"),
    skipped=words("je j moi mon ma mes me ne n le la les l un une des du de d à au en et est dans avec que très"),
)
_RUSSIAN: Final = _Language(
    stemmer="russian",
    shown_by=frozenset(),
    negations=words("не нет никогда"),
    ended=words("больше"),
    first=words("я мне меня мной мой моя моё мои моей моего у мы нас нам наш наша"),
    others=words("он она они ты вы сестра брат мать мама отец папа друг подруга начальник сын дочь муж жена"),
    skipped=words("я мне меня мой моя моё мои у в во на и с со есть это что очень уже"),
    first_verb=re.compile(r"^(?:больше )?(?:не )?\w+[юу](?:сь)?\b"),
)
_LATIN: Final = (_SPANISH, _PORTUGUESE, _GERMAN, _FRENCH)

_KOREAN_NEGATED_VERB: Final = re.compile(r"(?P<stem>\S+?)지(?:도|는)? ?(?:않|못하|못해|안)\S*")
_KOREAN_NOT: Final = re.compile(r"(?:아닙니다|아니에요|아니예요|아니야|아니다|아냐|아닌데요?)$")
_KOREAN_LACK: Final = re.compile(r"^없\S*$")
_KOREAN_ENDING: Final = re.compile(
    r"(?:입니다|이에요|예요|이야|이다|습니다|합니다|하지|해요|해|하다|아요|어요|여요|지|아|어|다|고|요|야)$"
)
_KOREAN_PARTICLE: Final = re.compile(r"(?:에서|에게|한테|으로|로|은|는|이|가|을|를|에|도|와|과|의)$")
_KOREAN_FIRST: Final = words("저 나 제 내 저희 우리 난 전")
_KOREAN_OTHERS: Final = words(
    "그 그녀 언니 누나 오빠 형 동생 여동생 남동생 엄마 어머니 아빠 아버지 친구 아내 남편 딸 아들 당신 너"
)
_KOREAN_SKIPPED: Final = words("이제 더 더이상 이상 정말 아주 별로 전혀 사실")

_STEMMERS: Final = {
    language.stemmer: snowballstemmer.stemmer(language.stemmer) for language in (*_LATIN, _RUSSIAN)
}
_stemming = threading.Lock()


def is_foreign(clause: str) -> bool:
    """Return whether a folded clause without Chinese or Japanese characters is in a language of these."""
    return bool(_HANGUL.search(clause)) or _language(tuple(_words(clause))) is not None


def read(clause: str, names: frozenset[str]) -> Frame:
    """Return the frame of a folded clause for which `is_foreign` holds.

    Args:
        clause: one clause, folded as `claims` folds.
        names: the owner's names, folded.
    """
    if _HANGUL.search(clause):
        return _korean(clause, names)
    language = _language(tuple(_words(clause))) or _SPANISH
    parted = contrast(clause, lambda said: not language.first.isdisjoint(_words(said)))
    said = parted.said if parted else clause
    found = _words(said)
    negated = not language.negations.isdisjoint(found)
    own = names.union(*(name.split() for name in names)) if names else names
    subject = next((word for word in found if word in language.others), SELF)
    is_first = not language.first.isdisjoint(found) or (not subject and _is_first(language, said))
    voice = Voice.FIRST if is_first else Voice.NAMED if not own.isdisjoint(found) else Voice.THIRD
    frame = _frame(_content(found, language, own, negated=negated), subject, voice, negated=negated)
    denied = _content(_words(parted.denied), language, own, negated=True) if parted else ()
    return _filled(frame, said, language.stemmer, contrast=_singly(denied))


# --- parts ----------------------------------------------------------------------------------------


def _is_first(language: _Language, said: str) -> bool:
    """Return whether words say something of the speaker, by a pronoun or by their verb."""
    found = _words(said)
    return not language.first.isdisjoint(found) or bool(
        language.first_verb and language.first_verb.match(" ".join(found))
    )


def _content(found: Sequence[str], language: _Language, own: frozenset[str], *, negated: bool) -> list[str]:
    return [
        _stem(word, language.stemmer)
        for word in found
        if word not in language.skipped
        and word not in language.negations
        and word not in own
        and not (negated and word in language.ended)
    ]


def _filled(frame: Frame, said: str, stemmer: str, contrast: tuple[tuple[str, ...], ...]) -> Frame:
    """Return a frame with what it says isn't so, and with the slot of the speaker that it fills."""
    frame = replace(frame, contrast=contrast)
    found = None if frame.negated or frame.subject else filled(said)
    if found is None:
        return frame
    value = tuple(_stem(word, stemmer) if stemmer else word for word in found.value.split())
    return replace(frame, slot=found.slot, value=value, moved=found.moved)


def _words(clause: str) -> list[str]:
    return _WORD.findall(_ELISION.sub(r"\g<short> ", clause))


@lru_cache(_CACHED)
def _language(found: tuple[str, ...]) -> _Language | None:
    """Return the language whose words a clause has most of, None where English has as many."""
    if any(_CYRILLIC.match(word) for word in found):
        return _RUSSIAN
    if SPANISH_PERFECT.search(" ".join(found)):
        return _SPANISH
    best = max(_LATIN, key=lambda language: _shown(language, found))
    shown = _shown(best, found)
    english = sum(word in _ENGLISH for word in found)
    is_told = shown > 1 or not best.first.isdisjoint(found)
    return best if is_told and shown > english else None


def _shown(language: _Language, found: Sequence[str]) -> int:
    return sum(word in language.shown_by or word in language.first for word in found)


@lru_cache(_CACHED)
def _stem(word: str, stemmer: str) -> str:
    with _stemming:
        stem: str = _STEMMERS[stemmer].stemWord(word)
    return stem


def _korean(clause: str, names: frozenset[str]) -> Frame:
    lacking = False
    parted = contrast(clause, lambda _: False)
    said = parted.said if parted else clause
    text, counted = _KOREAN_NEGATED_VERB.subn(r"\g<stem>지", said)
    negated = bool(counted)
    content: list[str] = []
    subject = SELF
    first = named = False
    for word in _WORD.findall(text):
        bare = _KOREAN_PARTICLE.sub("", word) or word
        if word in {"안", "못"} or _KOREAN_NOT.fullmatch(word):
            negated = not negated
        elif _KOREAN_LACK.match(word):
            lacking = True
            content.append("있")
        elif bare in _KOREAN_FIRST:
            first = True
        elif bare in names:
            named = True
        elif bare not in _KOREAN_SKIPPED:
            subject = bare if not subject and bare in _KOREAN_OTHERS else subject
            content.append(_korean_stem(word))
    voice = Voice.FIRST if first else Voice.NAMED if named else Voice.THIRD if subject else Voice.OMITTED
    frame = _frame(content, subject, voice, negated=negated ^ lacking)
    denied = () if parted is None else _korean(parted.denied, names).phrases
    return _filled(frame, said, "", contrast=denied)


def _korean_stem(word: str) -> str:
    ending = _KOREAN_ENDING.search(word)
    if ending and ending.start():
        kept = word[: ending.start()]
        return f"{kept}하" if ending.group() in {"합니다", "하지", "해요", "해", "하다"} else kept
    return _KOREAN_PARTICLE.sub("", word) or word


def _frame(content: Sequence[str], subject: str, voice: Voice, *, negated: bool) -> Frame:
    return Frame(
        subject=subject,
        voice=voice,
        predicate=SAYS,
        negated=negated,
        tense=Tense.PRESENT,
        phrases=_singly(content),
    )


def _singly(content: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple((word,) for word in content)
