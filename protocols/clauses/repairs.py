"""What a person takes back in the same breath: "I live in Oslo, no wait, Bergen" says that they live in Bergen.

A text without its repairs is what the person means to have said, in their own words, and no more is read from
it: what was taken back is neither believed nor denied. A correction is seen where an explicit marker ("no wait",
不对, いや) stands between a statement and what can take the place of its end: the same preposition or verb again,
a number for a number, a name for a name, or the whole statement with another value. In doubt nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import islice
from typing import Final

from ..scripts import CJK, HAN, KANA, simplified, words
from . import chinese, english, foreign, japanese
from .frame import Frame, Voice
from .split import fold_clause

MAX_CHARS: Final = 2_000
"""Characters of a text in which repairs are looked for: a longer text is read as it stands."""

_MOST_REPAIRS: Final = 8
_MOST_WORDS: Final = 6
_MOST_REPLACED: Final = 4
_MOST_ALIKE: Final = 3
_LEAST_ALIKE: Final = 0.6
"""Least share of letters of two spellings of one name that are the same (difflib's ratio): Paolo, Paola."""
_MOST_MARKS: Final = 16
_HEAD_CHARS: Final = 160
"""Characters before a marker among which what it takes back is looked for."""

_ENGLISH: Final = re.compile(
    r"(?P<mark>(?:[,;.!…–—-]{1,8}\s{0,8}|\s)(?:(?:oh |uh |er |um |ah |well,? )?(?:"
    r"(?P<strong>no,? (?:wait|sorry|actually|i mean(?:t)?|i'm wrong|scratch that|that's wrong)|wait,? "
    r"no|sorry,? no"
    r"|scratch that|strike that|correction|make that|(?:sorry,? )?i mean(?:t)?(?: to say)?|or rather|i misspoke"
    r"|that's wrong|that was wrong|not true)"
    r"|(?P<weak>no|nope|sorry|wait|well,? actually|actually|rather)))[,:.!…–—-]*\s+)",
    re.IGNORECASE,
)
_CHINESE: Final = re.compile(
    r"[，,。；;！!…\s—-]{1,8}(?:哦|啊|呃|额|噢|哎呀)?(?:不对|不不|不是|不|说错了|我说错了|讲错了|口误|更正一下?|错了|应该是说|准确地说)"
    r"(?:[，,]?(?:不对|说错了|我说错了|不是))*(?:[，,。；;！!…—]+\s*)(?:应该是(?=.))?"
)
_JAPANESE: Final = re.compile(
    r"[、，,。！!…\s]{0,8}(?:いや(?:いや)?|いえ|ううん|違う|違った|違います|ちがう|間違えた|間違えました|間違い|じゃなくて|ではなくて|じゃない|もとい|訂正)"
    r"[、，,。！!…]+\s*"
)
_HAN: Final = re.compile(f"[{HAN}]")
_KANA: Final = re.compile(f"[{KANA}]")

_NO_TITLE: Final = r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bProf)"
_ENGLISH_END: Final = re.compile(rf"{_NO_TITLE}\.|[!?;\n]|,\s+(?:and|but|so)\s")
_ANCHOR: Final = re.compile(
    r"\b(?:in|at|from|to|called|named|is|are|am|was|on|as|like|likes|love|loves|hate|hates|have|has"
    r"|had|a|an|the|my|speak"
    r"|speaks|study|play|plays|drink|drinks|eat|eats|for|with|near|by|i'm|he's|she's|it's|name's|turned|turn)\b",
    re.IGNORECASE,
)
_PREPOSITION: Final = re.compile(r"(?:in|at|from|to|as|on|for|with|near|by|about|of)\b", re.IGNORECASE)
_DETERMINER: Final = re.compile(
    r"(?:an?|the|my|our|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE
)
_NUMBER_WORDS: Final = words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
    " zwei drei vier fünf sechs sieben dos tres cuatro cinco seis siete deux trois quatre cinq sept dois duas três"
    " quatro sete due tre quattro cinque sei sette два две три четыре пять шесть семь"
    " acht neun zehn ocho nueve diez huit neuf dix oito nove dez otto dieci восемь девять десять"
)
_MONTHS: Final = words(
    "january february march april may june july august september october november december monday "
    "tuesday wednesday"
    " thursday friday saturday sunday"
)
_DATE: Final = re.compile(
    rf"(?:the )?[0-9]{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{'|'.join(_MONTHS)})"
    rf"|(?:{'|'.join(_MONTHS)}) (?:the )?[0-9]{{1,2}}(?:st|nd|rd|th)?",
    re.IGNORECASE,
)
"""A day of a month. Names of days stand among those of months, and no number before or behind them."""

_FOREIGN_DAYS: Final = words(
    "lunes martes miércoles jueves viernes sábado domingo montag dienstag mittwoch donnerstag freitag samstag"
    " sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunedì martedì mercoledì giovedì venerdì sabato"
    " domenica segunda terça quarta quinta sexta понедельник"
    " вторник среду среда четверг пятницу пятница субботу воскресенье"
)
_FOREIGN_MONTHS: Final = words(
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janeiro fevereiro"
    " março maio junho julho setembro outubro novembro dezembro januar februar märz april mai juni juli oktober"
    " dezember janvier février mars avril juin juillet août septembre octobre décembre gennaio"
    " febbraio aprile maggio"
    " giugno luglio settembre ottobre dicembre январе феврале марте апреле мае июне июле августе сентябре октябре"
    " ноябре декабре января февраля марта апреля мая июня июля августа сентября октября ноября декабря"
)
_KINDS: Final = (_MONTHS, _FOREIGN_DAYS, _FOREIGN_MONTHS, _NUMBER_WORDS)
_BEFORE: Final = words(
    "on in the el la le il a am im na no em à в во next this alle alla às las los um at um der les"
)
COUNTED_OR_DATED: Final = frozenset().union(*_KINDS)
"""Lone words that are no name."""

_NO_VALUE: Final = words(
    "thanks thank thx danke merci gracias grazie obrigado obrigada спасибо please ok okay"
    " really seriously never sure bitte honey dear darling love what how why"
)
"""What stands after a "no" and takes nothing's place."""

_STARTS_CLAUSE: Final = re.compile(
    r"(?:i|we|he|she|it|they|you|there|that|this|my|our|his|her|i['\u2019]\w+|we['\u2019]\w+"
    r"|he['\u2019]s|she['\u2019]s"
    r"|it['\u2019]s|that['\u2019]s|don['\u2019]t|do|is|are|was)\b",
    re.IGNORECASE,
)
_VERBS: Final = re.compile(
    r"\b(?:is|are|was|were|am|do|does|did|have|has|had|can|will|would|don't|doesn't)\b", re.IGNORECASE
)
_FIX: Final = re.compile(rf"(?:[^.!?;\n,]|(?!{_NO_TITLE})\.)+")
_TITLE: Final = re.compile(r"(?:Dr|Mr|Mrs|Ms|St|Prof|Doctor|Professor|Aunt|Uncle)\b")

_CHINESE_END: Final = re.compile(r"[。！？!?；;\n]")
_CHINESE_VERB: Final = re.compile(
    "住在|来自|名叫|叫做|叫|姓|是|在|去|到|养|喜欢|讨厌|当|做|有|吃|喝|学|爱|从|属|开"
)
_CHINESE_NUMBER: Final = re.compile("[0-9]+|[零一二两三四五六七八九十百]+")
_CHINESE_DATE: Final = re.compile(
    "[0-9零一二三四五六七八九十]+月[0-9零一二三四五六七八九十]+[号日]?|[上这下]?个?(?:周|星期|礼拜)[一二三四五六日天]"
)
_JAPANESE_END: Final = re.compile(r"[。！？!?\n]")
_JAPANESE_PREDICATE: Final = re.compile(
    r"(?P<place>[^はがを、]+?)(?P<rest>(?:に|で|から|が|を|と)(?:住んで|暮らして|働いて|勤めて|バイト|仕事|勉強|好き|飼って|来|行|いいます|申します|言います|持って|生まれ)[^、。]*)$"
)
_JAPANESE_COUNT: Final = re.compile("[0-9〇一二三四五六七八九十百]+(?P<of>人|匹|歳|才|つ|個|台|本|年|回|月|日)")
_COPULA: Final = re.compile("(?:なん)?(?:です|だよ?|でした|ですよ?)(?:ね|よ)*$")


def repaired(text: str) -> str:
    """Return a text without what it takes back in the same breath; a text that takes nothing back is as it was.

    Args:
        text: what a person said, unfolded.
    """
    if len(text) > MAX_CHARS:
        return text
    for _ in range(_MOST_REPAIRS):
        after = _repaired_once(text)
        if after is None:
            return text
        text = after
    return text


def _repaired_once(text: str) -> str | None:
    if _KANA.search(text):
        marks, end, fix = _JAPANESE, _JAPANESE_END, _japanese_fix
    elif _HAN.search(text):
        marks, end, fix = _CHINESE, _CHINESE_END, _chinese_fix
    elif CJK.search(text):
        return None
    else:
        return _english(text)
    for mark in islice(marks.finditer(simplified(text) if marks is _CHINESE else text), _MOST_MARKS):
        start = _last_end(text[: mark.start()], end)
        after = text[mark.end() :]
        stop = end.search(after)
        tail_at = stop.start() if stop else len(after)
        if mark.start() == start or not after[:tail_at].strip():
            continue
        whole = fix(text[start : mark.start()].strip(" ，,、。."), after[:tail_at].strip())
        if whole is not None:
            return text[:start] + whole + after[tail_at:]
    return None


def _last_end(before: str, end: re.Pattern[str]) -> int:
    """Return where the last sentence before a mark begins."""
    near = max(0, len(before) - _HEAD_CHARS)
    last = near
    for found in end.finditer(before, near):
        if before[found.end() :].strip():
            last = found.end()
    return last


# --- English --------------------------------------------------------------------------------------


def _english(text: str) -> str | None:
    for mark in islice(_ENGLISH.finditer(text), _MOST_MARKS):
        before = text[: mark.start()].rstrip(" ,;.!…–—-")
        start = _last_end(before, _ENGLISH_END)
        while text[start : start + 1].isspace():
            start += 1
        head = before[start:]
        fixed = _FIX.match(text, mark.end())
        if fixed is None or not head:
            continue
        fix = fixed.group().strip()
        is_no = mark["strong"] is not None or (mark["weak"] or "").lower() in {"no", "nope"}
        whole = _whole(head, fix, english.read, any_slot=is_no) if _STARTS_CLAUSE.match(fix) else None
        if whole is None and is_no:
            whole = _foreign_whole(head, fix)
        if whole is None:
            whole = _dated(head, fix) or _of_one_kind(head, fix)
        if whole is None and mark["strong"] is not None:
            whole = (spelt_alike(head, fix) if fix[:1].isupper() else None) or _last_name(head, fix)
        if whole is None and not _STARTS_CLAUSE.match(fix):
            whole = _english_fragment(head, fix, is_strong=mark["strong"] is not None)
        if whole is not None:
            return text[:start] + whole + text[mark.end() + len(fixed.group().rstrip()) :]
    return None


def _english_fragment(head: str, fix: str, *, is_strong: bool) -> str | None:
    """Return a statement with a fragment in the place of its end, None where nothing there is like it."""
    if _VERBS.search(fix) or len(fix.split()) > _MOST_WORDS or _says_something(fix):
        return None
    first = re.split(r"[\s.-]", fix, maxsplit=1)[0]
    if first.isdigit() or first.lower() in _NUMBER_WORDS:
        return _counted(head, fix)
    is_marked = _PREPOSITION.match(fix) or _DETERMINER.match(fix) or _TITLE.match(fix)
    like = rf"\b{re.escape(first)}\b" if is_marked else rf"\b(?:{'|'.join(_MONTHS)})\b"
    if (is_marked or first.lower() in _MONTHS) and (at := _last(like, head)) is not None:
        return f"{head[:at]}{fix}"
    if _PREPOSITION.match(fix) or _TITLE.match(fix) or (is_marked and not is_strong):
        return None
    return _named(head, fix, is_strong=is_strong)


def _says_something(fix: str) -> bool:
    """Return whether a fragment is none: "Owen moved to York" is a statement of its own, and no place."""
    frame = english.read(fold_clause(fix), frozenset())
    return frame.voice is Voice.THIRD and bool(frame.phrases)


def _dated(head: str, fix: str) -> str | None:
    """Return a statement with another date, day or number, where a fragment is one alone: "on Wednesday"."""
    if _DATE.fullmatch(fix) and (dates := list(_DATE.finditer(head))):
        return f"{head[: dates[-1].start()]}{fix}{head[dates[-1].end() :]}"
    found = fix.split()
    if not _BEFORE.issuperset(map(str.lower, found[:-1])):
        return None
    for listed in _KINDS:
        spans = [one.span() for one in re.finditer(r"[^\W\d_]+", head) if one.group().lower() in listed]
        if found[-1].lower() in listed and spans:
            return f"{head[: spans[-1][0]]}{found[-1]}{head[spans[-1][1] :]}"
    return None


def spelt_alike(head: str, fix: str) -> str | None:
    """Return a statement with a word in the place of the one that is spelt like it: "Paola" for "Paolo".

    Args:
        head: the statement.
        fix: the word; one with a capital takes the place of one with a capital.
    """
    if not fix.isalpha():
        return None
    for found in re.finditer(r"[^\W\d_]+", head):
        word = found.group()
        if (
            word[:1].isupper() is fix[:1].isupper()
            and word != fix
            and SequenceMatcher(None, word, fix).ratio() >= _LEAST_ALIKE
        ):
            return f"{head[: found.start()]}{fix}{head[found.end() :]}"
    return None


def _last_name(head: str, fix: str) -> str | None:
    """Return a statement of another language than English with another name at its end: "... s'appelle Filou"."""
    said = head.split()
    if not (
        fix.isalpha() and fix[:1].isupper() and said[-1][:1].isupper() and foreign.is_foreign(fold_clause(head))
    ):
        return None
    return " ".join((*said[:-1], fix)) if len(said) > _MOST_ALIKE - 1 else None


def _of_one_kind(head: str, fix: str) -> str | None:
    """Return a statement with another of the same: "the third floor" becomes "the fourth floor"."""
    found, said = fix.split(), head.split()
    ends = [at for at, word in enumerate(said) if word.lower() == found[-1].lower()]
    if not 1 < len(found) <= _MOST_ALIKE or not ends or ends[-1] < len(found):
        return None
    start = ends[-1] - len(found) + 1
    return " ".join((*said[:start], *found, *said[ends[-1] + 1 :]))


def _counted(head: str, fix: str) -> str | None:
    """Return a statement with another number, and what was counted where the fragment doesn't say it again."""
    at = _last(rf"(?<!\w)(?:[0-9]+|{'|'.join(_NUMBER_WORDS)})(?:st|nd|rd|th)?\b", head)
    if at is None:
        return None
    counted = re.match(r"[\w-]+", head[at:])
    left_over = head[at + counted.end() :] if counted and len(fix.split()) == 1 else ""
    return f"{head[:at]}{fix}{left_over}"


def _named(head: str, fix: str, *, is_strong: bool) -> str | None:
    """Return a statement with another name or noun after its last function word."""
    anchors = list(_ANCHOR.finditer(head))
    if not anchors or not _NO_VALUE.isdisjoint(fix.lower().split()):
        return None
    last = anchors[-1]
    replaced = head[last.end() :].strip()
    is_name = replaced[:1].isupper() and fix[:1].isupper()
    if not replaced or not (is_strong or is_name) or len(replaced.split()) > _MOST_REPLACED:
        return None
    at = last.start() if _DETERMINER.match(fix) and _DETERMINER.fullmatch(last.group()) else last.end()
    return f"{head[:at].rstrip()} {fix}"


def _foreign_whole(head: str, fix: str) -> str | None:
    """Return a statement in another language with blanks that is said again and differs in one place."""
    folded = fold_clause(head), fold_clause(fix)
    if not all(map(foreign.is_foreign, folded)):
        return None
    one, other = (foreign.read(clause, frozenset()) for clause in folded)
    same = one.subject == other.subject and one.voice is other.voice and one.negated == other.negated
    if not same or len(one.phrases) != len(other.phrases):
        return None
    differing = sum(was != now for was, now in zip(one.phrases, other.phrases, strict=True))
    return (
        fix if differing == 1 < len(one.phrases) or (one.slot and one.slot == other.slot and differing) else None
    )


def _last(pattern: str, text: str) -> int | None:
    at = None
    for found in re.finditer(pattern, text, re.IGNORECASE):
        at = found.start()
    return at


# --- Chinese and Japanese -------------------------------------------------------------------------


def _chinese_fix(head: str, fix: str) -> str | None:
    folded, fixed = simplified(head), simplified(fix)
    whole = _whole(head, fix, chinese.read)
    if whole is not None:
        return whole
    if re.match("我|咱|他|她|你|不|没", fixed) or len(fix) > 20 or re.search("[，,]", fix):
        return None
    verb = _CHINESE_VERB.match(fixed)
    if verb and verb.group() == "是" and "是" not in folded and len(fix) > 1:
        # "... 不对，是苏州" says no verb again: what is right takes the place of what was wrong.
        fix, fixed, verb = fix[1:], fixed[1:], None
    if verb and (at := folded.rfind(verb.group())) > 0:
        return head[:at] + fix
    counting = _CHINESE_DATE if _CHINESE_DATE.fullmatch(fixed) else _CHINESE_NUMBER
    number = counting.match(fixed)
    if number and (numbers := list(counting.finditer(folded))):
        return head[: numbers[-1].start()] + fix + (head[numbers[-1].end() :] if counting is _CHINESE_DATE else "")
    if verb or number:
        return None
    verbs = list(_CHINESE_VERB.finditer(folded))
    return head[: verbs[-1].end()] + fix if verbs and verbs[-1].end() < len(head) else None


def _japanese_fix(head: str, fix: str) -> str | None:
    whole = _whole(head, fix, japanese.read)
    if whole is not None:
        return whole
    copula = _COPULA.search(fix)
    if copula is None or len(fix) > 30 or re.search("[、，はがを]", fix):
        return None
    named = fix[: copula.start()]
    counted = _JAPANESE_COUNT.fullmatch(named)
    if counted and (counts := [one for one in _JAPANESE_COUNT.finditer(head) if one["of"] == counted["of"]]):
        return f"{head[: counts[-1].start()]}{named}{head[counts[-1].end() :]}"
    found = _JAPANESE_PREDICATE.search(head)
    if found:
        return head[: found.start("place")] + named + found["rest"]
    topic = re.match("^(?P<topic>.{1,20}?は)(?P<said>[^はがを、]{1,20})$", head)
    return f"{topic['topic']}{fix}" if topic else None


def _whole(
    head: str, fix: str, read: Callable[[str, frozenset[str]], Frame], *, any_slot: bool = True
) -> str | None:
    """Return a correction that says the whole statement again with another value, None where it says another.

    Args:
        head: the statement.
        fix: what comes after the marker.
        read: reads a clause of their language.
        any_slot: whether it may be another value of anything, and not only of what has one value at a time.
    """
    one, other = read(fold_clause(head), frozenset()), read(fold_clause(fix), frozenset())
    same = (
        one.subject == other.subject
        and one.voice is other.voice
        and one.predicate == other.predicate
        and one.negated == other.negated
        and one.slot == other.slot
        and (any_slot or bool(one.slot))
        and not other.added
    )
    return fix if same and one.phrases and other.phrases and one.phrases != other.phrases else None
