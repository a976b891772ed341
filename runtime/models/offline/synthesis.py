"""From several facts to one judgement, by counting: what the facts share is what their person often talks about.

Modest on purpose. A judgement names one topic in the person's own word and claims no more than that it comes
up; it repeats no fact, so that a fact which is corrected later leaves nothing behind in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ....protocols.contractions import expand
from ....protocols.ports import Synthesis
from ....protocols.records import Entity, Fact, Profile
from ....protocols.scripts import HAN, UNSPACED, WORD, words
from ....protocols.stopwords import ENGLISH
from ....protocols.tokens import terms

LEAST_FACTS: Final = 3
"""Facts about one entity that share a topic before it is one; two may be the same occasion."""

_LATIN: Final = re.compile(r"[a-z\u00c0-\u024f]{3,}", re.IGNORECASE)
_WITH_APOSTROPHES: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_KATAKANA: Final = re.compile("[\u30a1-\u30fa\u30fc]{2,}")
_HAN_RUN: Final = re.compile(rf"[{HAN}]{{2,}}")
_HIRAGANA: Final = re.compile("[\u3041-\u309f]")
_SPACED_WORD: Final = re.compile(rf"(?:(?!{UNSPACED.pattern}){WORD})+")
"""A word in letters that blanks part. What Japanese puts behind it without one states something of it."""

_LONGEST_HAN: Final = 4
"""Longest topic in Chinese characters; most words have two, and set phrases four."""

_SAYS_LITTLE: Final = words("""
    also always another around away back bad best better big bit bought buy call came clock come day days did
    eat even ever every favorite favorites favourite favourites feel feeling felt find first found gave get gets
    getting give goes going good got great guess had
    happy hate hates have help here hope just keep kind know last late lately left let like liked likes little live
    long look lot lots love loved loves made make makes many maybe mean might month morning much must name need
    never new next nice night nothing now often old one own people pretty put quite really said saw say see seem
    set since small something sometimes soon sort start started still stop sure take taken talk tell thing things
    think thought time times today together told tomorrow took tried try trying tuesday two use used usually want
    wanted wants way week weekend weeks well went will with without work works year years yes yesterday yet monday
    wednesday thursday friday saturday sunday number our ich und der die das ist nicht que los las por para con est
    une des les pas pour dans avec
    """)
_HAN_SAYS_LITTLE: Final = frozenset(
    "我你您他她它们的了着过在是不没很有和与也都就还又才只这那哪此每各某个些一二三两几多少大小上下前后里外"
    "中从到来去给把被让对为以因所而且但或如果吗呢吧啊呀哦得地之其人想要会能可说做用吃买看今明昨天年月日时"
    "候早晚点私僕俺君何"
)

_HAN_WORDS: Final = (
    *(
        "喜欢",
        "讨厌",
        "觉得",
        "感觉",
        "知道",
        "可以",
        "已经",
        "自己",
        "一起",
        "现在",
        "最近",
        "经常",
        "常常",
        "总是",
    ),
    *(
        "开始",
        "特别",
        "非常",
        "真的",
        "比较",
        "还是",
        "希望",
        "打算",
        "毎日",
        "最高",
        "今日",
        "本当",
        "一番",
        "大好",
    ),
)

_LANGUAGES: Final = {
    "en": ("{who} often talks about {topic}.", "{topic} often comes up.", "The owner"),
    "zh": ("{who}常常提到{topic}。", "常常提到{topic}。", "主人"),
    "ja": ("{who}はよく{topic}の話をする。", "{topic}の話がよく出る。", "オーナー"),
}
"""For each language: a judgement on the owner, one on anybody else, and how an owner without a name is called."""

_Topic = tuple[str, ...]


def synthesised(facts: Sequence[Fact], profile: Profile) -> Synthesis | None:
    """Return a judgement on the topic that most of the facts share, or None where they share none.

    The same facts give the same judgement, whatever their order.

    Args:
        facts: facts of one subject.
        profile: gives the owner's name and the language of the judgement.
    """
    names = frozenset(terms(profile.owner))
    best: tuple[int, int, str, Entity] | None = None
    for entity in Entity:
        texts = sorted(fact.text for fact in facts if fact.entity is entity)
        for topic, count in _shared(texts, names):
            candidate = (count, len(topic), topic, entity)
            if best is None or candidate > best:
                best = candidate
    if best is None:
        return None
    _, _, topic, entity = best
    surface = _surface(topic, sorted(fact.text for fact in facts if fact.entity is entity))
    return Synthesis(text=_sentence(surface, entity, profile), entity=entity)


def _shared(texts: Sequence[str], names: frozenset[str]) -> Iterator[tuple[str, int]]:
    counts = Counter(topic for text in texts for topic in set(_topics(text)) if topic not in names)
    for topic in counts:
        if _KATAKANA.fullmatch(topic):  # a compound is about its parts too
            counts[topic] = sum(topic in text for text in texts)
    return ((topic, count) for topic, count in counts.items() if count >= LEAST_FACTS)


def _topics(text: str) -> Iterable[str]:
    """Yield what a text may be about: stems of content words, katakana words, and pieces of Chinese runs."""
    written_out = expand(_WITH_APOSTROPHES.findall(text.casefold().replace("\u2019", "'")))
    for folded in (word for token in written_out for word in _LATIN.findall(token)):
        if folded in ENGLISH:
            continue
        (stem, *_) = terms(folded)
        if folded not in _SAYS_LITTLE and stem not in _SAYS_LITTLE:
            yield stem
    yield from _KATAKANA.findall(text)
    for run in _HAN_RUN.findall(text):
        for length in range(2, min(len(run), _LONGEST_HAN) + 1):
            for at in range(len(run) - length + 1):
                piece = run[at : at + length]
                if _HAN_SAYS_LITTLE.isdisjoint(piece) and not any(word in piece for word in _HAN_WORDS):
                    yield piece


def _surface(topic: str, texts: Iterable[str]) -> str:
    """Return the word that the person used most for a topic; of several, the first in the alphabet."""
    used = Counter(
        word.casefold() for text in texts for word in _SPACED_WORD.findall(text) if terms(word)[:1] == [topic]
    )
    return min(used, key=lambda word: (-used[word], word)) if used and _LATIN.fullmatch(topic) else topic


def _sentence(topic: str, entity: Entity, profile: Profile) -> str:
    language = profile.locale.replace("_", "-").partition("-")[0].casefold()
    of_owner, of_others, nameless = _LANGUAGES.get(language, _LANGUAGES["en"])
    if entity is Entity.OWNER:
        return of_owner.format(who=profile.owner or nameless, topic=topic)
    sentence = of_others.format(topic=topic)
    return sentence[0].upper() + sentence[1:]
