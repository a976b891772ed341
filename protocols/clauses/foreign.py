"""Clauses of Korean, Russian and five languages of Europe as frames: affirmed or denied, and of what.

No grammar of theirs is read but their plain negations ("no soy", "nicht", "ne ... pas", "не", 안, ~지 않아요),
what is so instead ("nicht Mimi, sondern Momo"), the speaker's own home and name, and of what somebody has or
likes the words that tell more of a thing: "un libro sobre hurones" is a book. What is left of a clause is a bag of
stems, so that a denial meets the statement that has its stems. The subject is the first word that names somebody
else, else the speaker.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
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

_ENGLISH: Final = ENGLISH | words("i like love likes loves hates lives works one")
_OF_BOTH: Final = words("no me a de con")
"""English words that are also another language's, and don't show English beside what only that one has."""
_OF_GERMAN: Final = words("in an am so also was will war hat die man")
"""English words that are German beside "ich" or "mein": "Ich arbeite in einem Laden in Köln" has "in" twice."""

_WITH: Final = words("con com mit avec с со")
"""What stands before whom somebody does a thing with: "Ich wohne in Linz mit meiner Frau" is not of the wife."""

_CACHED: Final = 1 << 14
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_HANGUL: Final = re.compile(f"[{HANGUL}]")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_ELISION: Final = re.compile(r"\b(?P<short>j|n|l|d|c|qu|s|m|t)'(?=\w)")


class _Language(Struct, frozen=True, kw_only=True):
    """Words of one language, folded: those that show it, that deny, that say no more, and that name who.

    `owns` are verbs that are true of their object alone, `more` the prepositions that begin what tells more of the
    thing before them, `measures` words after which the thing itself follows ("un par de hurones"), `articles` what
    begins another thing after one of `joins`, and `pictures` things whose topic follows without a preposition.
    """

    stemmer: str
    shown_by: frozenset[str]
    negations: frozenset[str]
    ended: frozenset[str] = frozenset()
    first: frozenset[str]
    others: frozenset[str]
    skipped: frozenset[str]
    owns: frozenset[str]
    more: frozenset[str]
    measures: frozenset[str]
    articles: frozenset[str]
    joins: frozenset[str]
    pictures: frozenset[str] = frozenset()
    first_verb: re.Pattern[str] | None = None
    nominative: re.Pattern[str] | None = None
    english: frozenset[str] = _OF_BOTH

    def named_alone(self, word: str) -> bool:
        """Return whether a word's ending shows that no preposition before it reaches it: "кошка", not "кошках"."""
        return self.nominative is not None and self.nominative.match(word) is not None


_SPANISH: Final = _Language(
    stemmer="spanish",
    shown_by=words(
        "yo soy estoy tengo vivo trabajo gusta gustan encanta mi mis el la los las un una en de con y "
        "que no ya es muy del"
        " hermana hermano madre padre nunca tampoco"
    ),
    negations=words("no nunca jamás tampoco ningún ninguna ninguno"),
    ended=words("ya"),
    first=words(
        "yo me mi mis mí conmigo soy estoy tengo vivo trabajo nací mudé odio prefiero quiero hablo como bebo fumo"
    ),
    others=words(
        "él ella ellos ellas tú usted hermana hermano madre padre amigo amiga novio novia jefe hijo hija"
    ),
    skipped=words(
        "yo me mi mis el la los las un una unos unas de del en a al con y que es muy más lo verdad cierto"
    ),
    owns=words(
        "tengo tienes tiene tenemos tienen tenía gusta gustan gustaba gustaban encanta encantan amo ama adoro "
        "adora quiero quiere poseo posee crío cría"
    ),
    more=words("de del sobre con para acerca contra sin"),
    measures=words(
        "par pareja docena decena montón grupo kilo litro tipo clase especie camada todavía también aún siempre "
        "nada"
    ),
    articles=words("el la los las un una unos unas mi mis dos tres cuatro cinco otro otra"),
    joins=words("y e o u ni pero"),
    first_verb=re.compile(r"^(?:ya )?(?:no |nunca |tampoco )?(?:me )?(?!no\b)\w+(?:o|oy)\b"),
)
_PORTUGUESE: Final = _Language(
    stemmer="portuguese",
    shown_by=words(
        "eu sou estou tenho moro trabalho gosto meu minha o os um uma em com não é muito do da no na "
        "já nunca irmã irmão mãe pai"
    ),
    negations=words("não nunca jamais nem nenhum nenhuma"),
    ended=words("já"),
    first=words(
        "eu me meu minha meus minhas sou estou tenho moro trabalho mudei gosto falo bebo fumo odeio prefiro"
    ),
    others=words("ele ela eles elas você irmã irmão mãe pai amigo amiga namorado namorada chefe filho filha"),
    skipped=words("eu me meu minha meus minhas o a os as um uma de do da em no na com e que é muito mais"),
    owns=words(
        "tenho tens tem temos têm tinha gosto gosta gostas gostamos adoro adora amo ama possuo possui crio cria"
    ),
    more=words("de do da dos das d sobre com para contra sem acerca"),
    measures=words(
        "par casal dúzia dezena monte grupo quilo litro tipo espécie ninhada bastante tanto também ainda mesmo "
        "nada"
    ),
    articles=words("o a os as um uma uns umas meu minha meus minhas dois duas três quatro outro outra"),
    joins=words("e ou nem mas"),
    first_verb=re.compile(r"^(?:já )?(?:não |nunca )?(?:me )?(?!não\b|no\b)\w+(?:o|ou)\b"),
)
_GERMAN: Final = _Language(
    stemmer="german",
    english=_OF_BOTH | _OF_GERMAN,
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
    owns=words(
        "habe hast hat haben hatte mag magst mögen liebe liebt lieben besitze besitzt halte hält züchte züchtet"
    ),
    more=words("über von vom mit für gegen vor ohne"),
    measures=words("menge haufen gruppe art paar rudel wurf immer noch auch"),
    articles=words("der die das den dem ein eine einen einem einer mein meine meinen meiner zwei drei vier fünf"),
    joins=words("und oder aber"),
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
    owns=words("ai as a avons avez ont avais avait aime aimes aimons adore adores possède possèdes élève élèves"),
    more=words("de d sur avec pour contre sans"),
    measures=words(
        "paire couple beaucoup peu plein tas douzaine dizaine kilo litre groupe type sorte espèce portée encore "
        "toujours aussi vraiment trop assez plus"
    ),
    articles=words("le la les l un une des du mon ma mes deux trois quatre cinq autre"),
    joins=words("et ou ni mais"),
)
_ITALIAN: Final = _Language(
    stemmer="italian",
    english=_OF_BOTH | words("in"),
    shown_by=words(
        "io mi sono ho abito lavoro mio mia miei mie il lo gli le un una di del della che non è molto nel anche "
        "sorella fratello madre padre moglie marito mai più già si chiama piace piacciono"
    ),
    negations=words("non mai nessun nessuno nessuna né"),
    ended=words("più"),
    first=words(
        "io mi me mio mia miei mie sono ho abito lavoro odio preferisco voglio parlo bevo fumo mangio studio "
        "gioco amo adoro nacqui"
    ),
    others=words(
        "lui lei loro tu sorella fratello madre mamma padre papà amico amica ragazzo ragazza capo figlio figlia "
        "moglie marito"
    ),
    skipped=words(
        "io mi me mio mia miei mie il lo la i gli le l un uno una di del della dei a al in nel con e che è molto "
        "si davvero affatto"
    ),
    owns=words("ho hai ha abbiamo avete hanno avevo piace piacciono amo ama adoro adora voglio vuole possiedo"),
    more=words("di del della dello dei d su sul sulla con per contro senza"),
    measures=words(
        "paio coppia dozzina decina mucchio gruppo chilo litro tipo specie ancora sempre anche molto troppo"
    ),
    articles=words("il lo la i gli le un uno una mio mia due tre quattro cinque altro altra"),
    joins=words("e o né ma"),
)
_RUSSIAN: Final = _Language(
    stemmer="russian",
    shown_by=frozenset(),
    negations=words("не нет никогда"),
    ended=words("больше"),
    first=words("я мне меня мной мой моя моё мои моей моего у мы нас нам наш наша"),
    others=words("он она они ты вы сестра брат мать мама отец папа друг подруга начальник сын дочь муж жена"),
    skipped=words("я мне меня мой моя моё мои у в во на и с со есть это что очень уже"),
    owns=words("есть нет имею имеет держу держит люблю любит нравится нравятся обожаю обожает у"),
    more=words("о об обо про с со для без против"),
    measures=words("пара пару много мало несколько килограмм литр группа группу тоже ещё всегда"),
    articles=words("мой моя моё мои два две три четыре пять другой другая"),
    joins=words("и или но ни а"),
    pictures=words(
        "книга книгу книги фото фотография фотографию фотографии картина картину картинка картинку рисунок фильм "
        "песня песню статья статью портрет видео плакат игрушка игрушку"
    ),
    first_verb=re.compile(r"^(?:больше )?(?:не )?\w+[юу](?:сь)?\b"),
    nominative=re.compile(r"(?!\w*(?:ах|ях|ов|ев|ом|ем|ём|ой|ей|ам|ям)$)\w{2,}[аяьйбвгдзклмнпрстфхцчш]$"),
)
_LATIN: Final = (_SPANISH, _PORTUGUESE, _GERMAN, _FRENCH, _ITALIAN)

_KOREAN_NEGATED_VERB: Final = re.compile(r"(?P<stem>\S+?)지(?:도|는)? ?(?:않|못하|못해|안)\S*")
_KOREAN_NOT: Final = re.compile(r"(?:아닙니다|아니에요|아니예요|아니야|아니다|아냐|아닌데요?)$")
_KOREAN_LACK: Final = re.compile(r"^없\S*$")
_KOREAN_ENDING: Final = re.compile(
    r"(?:입니다|이에요|예요|이야|이다|습니다|합니다|하지|해요|해|하다|아요|어요|여요|지|아|어|다|고|요|야)$"
)
_KOREAN_PARTICLE: Final = re.compile(r"(?:에서|에게|한테|으로|로|은|는|이|가|을|를|에|도|와|과|의)$")
_KOREAN_OBJECT: Final = re.compile(r"[가-힣](?:이|가|을|를|은|는|도)$")
_KOREAN_ABOUT: Final = re.compile(r"관한|관해|관하여|대한|대해|대하여")
_KOREAN_COUNTED: Final = re.compile(
    r"(?:[0-9]+|한|두|세|네|다섯|여섯|여러|몇)(?:마리|개|명|권|잔|대|병|쌍)?$|(?:마리|쌍)"
)
_KOREAN_CONTRACTED: Final = dict(zip("워와봐려져쳐켜셔겨", "우오보리지치키시기", strict=True))
"""Last syllables of stems that have run together with an ending (키워요), and without it (키우지)."""

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
    told = takewhile(lambda word: word not in _WITH, found)
    subject = next((word for word in told if word in language.others), SELF)
    is_first = not language.first.isdisjoint(found) or (not subject and _is_first(language, said))
    voice = Voice.FIRST if is_first else Voice.NAMED if not own.isdisjoint(found) else Voice.THIRD
    empty = language.skipped | language.negations | own
    phrases = _phrases(found, language, empty | language.ended if negated else empty)
    frame = _frame(phrases, subject, voice, negated=negated)
    denied = _phrases(_words(parted.denied), language, empty | language.ended) if parted else []
    return _filled(frame, said, language.stemmer, contrast=tuple(denied))


# --- parts ----------------------------------------------------------------------------------------


def _is_first(language: _Language, said: str) -> bool:
    """Return whether words say something of the speaker, by a pronoun or by their verb."""
    found = _words(said)
    return not language.first.isdisjoint(found) or bool(
        language.first_verb and language.first_verb.match(" ".join(found))
    )


def _filled(frame: Frame, said: str, stemmer: str, contrast: tuple[tuple[str, ...], ...]) -> Frame:
    """Return a frame with what it says isn't so, and with the slot of the speaker that it fills."""
    frame = replace(frame, contrast=contrast)
    found = filled(said)
    if found is None or (frame.negated or frame.subject if not found.whose else frame.voice is not Voice.FIRST):
        return frame

    def stemmed(words_said: str) -> tuple[str, ...]:
        return tuple(_stem(word, stemmer) if stemmer else word for word in words_said.split())

    if found.whose:
        frame = replace(frame, subject=" ".join(stemmed(found.whose)) if _CYRILLIC.match(said) else found.whose)
    if frame.negated:
        return frame
    return replace(frame, slot=found.slot, value=stemmed(found.value), moved=found.moved)


def _words(clause: str) -> list[str]:
    return _WORD.findall(_ELISION.sub(r"\g<short> ", clause))


@lru_cache(_CACHED)
def _language(found: tuple[str, ...]) -> _Language | None:
    """Return the language whose words a clause has most of, None where English has as many."""
    if any(_CYRILLIC.match(word) for word in found):
        return _RUSSIAN
    if SPANISH_PERFECT.search(" ".join(found)):
        return _SPANISH
    best = max(_LATIN, key=lambda one: (_shown(one, found), not one.first.isdisjoint(found)))
    shown = _shown(best, found)
    both = frozenset() if best.first.isdisjoint(frozenset(found) - _OF_BOTH) else best.english
    english = sum(word in _ENGLISH and word not in both for word in found)
    is_told = shown > 1 or not best.first.isdisjoint(found)
    return best if is_told and shown > english else None


def _shown(language: _Language, found: Sequence[str]) -> int:
    return sum(word in language.shown_by or word in language.first for word in found)


def _phrases(found: Sequence[str], language: _Language, empty: frozenset[str]) -> list[tuple[str, ...]]:
    """Return the stems of a clause, those that tell more of a thing before it in its phrase."""
    phrases: list[tuple[str, ...]] = []
    owns = not language.owns.isdisjoint(found)
    thing = ""
    tells = joined = False
    for word in found:
        if word in language.joins:
            joined = tells
        elif joined and (word in language.articles or word in language.first or language.named_alone(word)):
            tells, joined, thing = False, False, ""
        elif owns and word in language.more and thing and thing not in language.owns | language.measures:
            tells = True
            continue
        if word in empty:
            continue
        tells = tells or (owns and thing in language.pictures)
        stem = _stem(word, language.stemmer)
        if tells:
            phrases[-1] = (*phrases[-1][:-1], stem, phrases[-1][-1])
        else:
            phrases.append((stem,))
            thing = word
    return phrases


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
    phrases: list[tuple[str, ...]] = []
    more: list[str] = []
    subject = SELF
    first = named = False
    found = _WORD.findall(text)
    for word, following in zip(found, (*found[1:], ""), strict=True):
        bare = _KOREAN_PARTICLE.sub("", word) or word
        if word in {"안", "못"} or _KOREAN_NOT.fullmatch(word):
            negated = not negated
        elif _KOREAN_LACK.match(word):
            lacking = True
            phrases.append((*more, "있"))
            more = []
        elif bare in _KOREAN_FIRST:
            first = True
        elif bare in names:
            named = True
        elif bare not in _KOREAN_SKIPPED:
            subject = bare if not subject and bare in _KOREAN_OTHERS else subject
            if _KOREAN_ABOUT.fullmatch(word):
                continue
            more.append(_korean_stem(word))
            if not _tells_more(word, following):
                phrases.append(tuple(more))
                more = []
    voice = Voice.FIRST if first else Voice.NAMED if named else Voice.THIRD if subject else Voice.OMITTED
    frame = _frame(phrases, subject, voice, negated=negated ^ lacking)
    denied = () if parted is None else _korean(parted.denied, names).phrases
    return _filled(frame, said, "", contrast=denied)


def _tells_more(word: str, following: str) -> bool:
    """Return whether a Korean word only tells more of the thing after it: 흰담비의 사진, 흰담비 책이."""
    if not following or _KOREAN_COUNTED.match(following):
        return False
    if word.endswith("의") or _KOREAN_ABOUT.fullmatch(following):
        return True
    is_bare = not _KOREAN_PARTICLE.search(word) and not _KOREAN_ENDING.search(word)
    return is_bare and _KOREAN_OBJECT.search(following) is not None


def _korean_stem(word: str) -> str:
    ending = _KOREAN_ENDING.search(word)
    if ending and ending.start():
        kept = word[: ending.start()]
        if ending.group() in {"합니다", "하지", "해요", "해", "하다"}:
            return f"{kept}하"
        return kept[:-1] + _KOREAN_CONTRACTED.get(kept[-1], kept[-1])
    return _KOREAN_PARTICLE.sub("", word) or word


def _frame(phrases: Sequence[tuple[str, ...]], subject: str, voice: Voice, *, negated: bool) -> Frame:
    return Frame(
        subject=subject,
        voice=voice,
        predicate=SAYS,
        negated=negated,
        tense=Tense.PRESENT,
        phrases=tuple(phrases),
    )
