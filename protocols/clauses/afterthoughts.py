"""What a person takes back in a message of its own: after "I have two cats." comes "No wait, three" alone.

People type in short messages, so that what `repairs` reads in one breath often comes in several. The messages are
put together and read as one; what was taken back is whatever the last sentence of the earlier one said, and after
"just kidding" the whole of it. Where the character asked something in between, a mere "no" answers it and takes
nothing back. Pure; knows no turns.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ..scripts import CJK, HAN, KANA, simplified
from .repairs import COUNTED_OR_DATED, MAX_CHARS, repaired, spelt_alike
from .slips import Slip, slip_in, without_article

_SIGHS: Final = (
    r"(?:(?:o+h*|ah+|uh+|um+|er+|hm+|ha(?:ha)+|he(?:he)+|lo+l|lmao|ok|okay|wait|sorry|and|but|no|nah"
    r"|nope|i wish|as if"
    r"|ach|äh|ay|ah|eh|ой|нет|nein|non|não)\b[\s,.!…]*)*"
)
_TAKEN_BACK: Final = re.compile(
    simplified(
        rf"\W*{_SIGHS}(?:"
        r"(?:i'?m |i am |i was |that was |it was |it's )?(?:just |only |totally )*(?:kidding|joking"
        r"|jk|teasing(?: you)?"
        r"|messing with you|pulling your leg|a joke|april fools?)|april fools?|scratch that"
        r"|strike that|i (?:just )?made (?:that|it) up"
        r"|i (?:was )?l(?:ied|ying)|that was a lie|that(?:'s| is| was) not true|i take (?:that|it) back"
        r"|es (?:una )?broma|era (?:una )?broma|(?:estoy|estaba) bromeando|me lo inventé"
        r"|é brincadeira|era brincadeira"
        r"|(?:estou|estava) brincando|(?:war )?nur (?:ein )?(?:spaß|spass|scherz)"
        r"|(?:das )?war (?:nur )?(?:ein |gelogen)"
        r"(?:spaß|spass|scherz|witz)?|je (?:rigole|plaisante)|c'était (?:pour rire|une blague)"
        r"|(?:sto|stavo) scherzando|scherz(?:o|avo)|шучу|(?:это )?(?:была )?шутка|я пошутила?"
        r"|(?:[哈呵嘿][哈呵嘿，,\s]*)?(?:我?(?:是)?开(?:个)?玩笑(?:的|啦)*|逗你(?:玩)?的?|骗你的|我?瞎说的|我?乱说的)"
        r"|(?:(?:なんて|(?:うそ|嘘|ウソ)+)[、\s]*)?(?:冗談(?:だよ|です|でした)?|嘘(?:だよ|です)|なんちゃって)|농담이?(?:야|에요|예요|었어요?)"
        r")(?:\W*(?:haha\w*|jaja\w*|lol|конечно|natürlich|claro|bien sûr|ovviamente|obviously"
        r"|of course|about that|啦|哈+|ㅋ+|笑|w+|よ|ね)\b)*\W*"
    ),
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    rf"\W*{_SIGHS}(?:no|nah|nope|not really)?[\s,]*(?:i|we) (?:don'?t|do not|am not|didn'?t|haven'?t|wasn'?t)\W*"
    rf"|\W*{_SIGHS}no[\s,]+(?:i'?m not|we'?re not)\W*"
    rf"|(?=.*(?:ha(?:ha)+|he(?:he)+|lol|lmao|jk)\b)\W*{_SIGHS}(?:of course not|not really|as if)\W*{_SIGHS}\W*",
    re.IGNORECASE,
)
_LAUGHS: Final = re.compile(r"\b(?:ha(?:ha)+|he(?:he)+|lol|lmao|jk)\b", re.IGNORECASE)
_WRONG: Final = re.compile(
    simplified(
        rf"\W*{_SIGHS}(?:(?:wait|no|nope|sorry|oops|wrong|correction|my (?:bad|mistake)|that(?:'s| is| was)"
        r" (?:not (?:right|true|it)|wrong)"
        r"|not true|i (?:misspoke|was wrong|got that wrong|made a mistake)|let me correct that"
        r"|nein|moment|das stimmt nicht|falsch|perdón|me equivoqué|eso no es|no es cierto|espera|não"
        r"|errado|me enganei"
        r"|espera aí|pardon|je me suis trompée?|c'est faux|attends|aspetta|mi sono sbagliat[oa]"
        r"|ho sbagliato|нет|ой"
        r"|я ошибся|я ошиблась|неправильно|стоп)\b[\s,.!…]*)+"
        r"|\W*(?:不对|不是|说错了|我说错了|错了|等等|哎呀|啊)(?:[，,。！!…\s]*(?:不对|不是|说错了|我说错了|错了))*\W*"
        r"|\W*(?:あ[、\s]*)?(?:いや|違う|違います|違った|間違えた|間違えました|間違い|訂正)\W*"
    ),
    re.IGNORECASE,
)
_MEANT: Final = re.compile(
    r"\W*(?:(?:ach|äh|ay|ah|eh|ой|oh|uh|um|no|nein|não|non|нет)[\s,.!…]+)*"
    r"(?:(?:ich )?mein(?:t)?e(?: ich)?|korrektur|besser gesagt|quiero decir|quise decir|quer[oi]a decir"
    r"|corrección|mejor dicho|quero dizer|quis dizer|correção|ou melhor|je veux dire|je voulais dire|correction"
    r"|ou plutôt|voglio dire|volevo dire|correzione|anzi|я имею в виду|вернее|точнее)\b[\s,:.!…]+",
    re.IGNORECASE,
)
_FOREIGN_NO: Final = re.compile(
    r"\W*(?:(?:ach|äh|ay|ah|eh|ой|oh)[\s,.!…]+)*(?:(?:nein|não|non|no|нет|quatsch|falsch|moment"
    r"|perdón|désolée?|pardon"
    r"|scusa|извини(?:те)?|entschuldigung|desculpa|oops|ops|ups|opa|huch|ой)\s*[,:.!…]+\s*)+(?=\S)",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    r"\W*(?:(?:oops|oh|ah|wait|uh)[\s,.!…]+)?(?P<fix>[^\W_][^,.!?…]{0,39}?),? "
    r"(?:(?P<strong>i mean(?:t)?|i meant to say|quise decir|meine ich|quero dizer|je veux dire|volevo dire)"
    r"|sorry|oops|my bad|correction|perdón|entschuldigung|desculpa|pardon|scusa)\W*",
    re.IGNORECASE,
)
"""A mark that comes last: "Wednesday, I mean"."""

_STRONG: Final = re.compile(
    simplified(
        r"\W*(?:(?:oh|uh|um|ah|er|well|ach|ой)\b[\s,]*)*(?:no,? (?:wait|sorry|i mean)|wait,? (?:no"
        r"|sorry)|sorry,? (?:no|i mean)"
        r"|scratch that|strike that|correction|make that|i mean(?:t)?|or rather|i misspoke)\b"
        r"|\W*(?:哦|啊|呃|额|噢|哎呀)?(?:不对|不不|说错了|我说错了|错了|口误|更正|准确地说|間違え|訂正|もとい)"
    ),
    re.IGNORECASE,
)
_OPENS: Final = re.compile(
    simplified(
        rf"{_STRONG.pattern}|\W*(?:(?:oh|uh|um|ah|er|well)\b[\s,]*)*(?:no|nope|sorry|wait|actually"
        rf"|rather)\b[\s,.:!…—-]+"
        r"|\W*(?:哦|啊|呃|额|噢|哎呀|あ[、\s]*)?(?:不是|不|いや|いえ|違|ちがう|間違|じゃなくて)"
    ),
    re.IGNORECASE,
)
_VOCATIVE: Final = re.compile(r"\W*(?:oh )?(?:sorry|wait|no|nope|rather|actually)\b", re.IGNORECASE)
_INSTEAD: Final = re.compile(
    simplified(
        r"\W*(?:no[,. ]+)?(?:(?:his|her|its|their|the) (?P<of>\w+)|it|she|he|that)(?:['’]s| is| was)?(?: not"
        r"|n['’]t) (?:called )?"
        r"(?P<en>[^,.;]{2,40}?)(?:,? but|[,;.]? (?:it|that|she|he)(?:['’]s| is"
        r"| was)(?: called)?) (?P<en_now>[^,.;!?]{2,40})\W*"
        r"|\W*(?:不对?[，,]\s*)?(?:他|她|它)?(?:的名字)?(?:不是|不叫)(?P<zh>[^，,。]{1,12})[，,]\s*(?:而)?(?:她|他|它)?(?:是|叫)"
        r"(?P<zh_now>[^，,。]{1,12})\W*"
        r"|\W*(?:(?:彼|彼女|名前)は)?(?P<ja>[^、。]{1,12})(?:じゃなくて|ではなくて|ではなく)[、\s]*(?P<ja_now>[^、。]{1,12}?)"
        r"(?:です|だよ?|ですよ?)?\W*"
        r"|\W*(?:(?:no|sorry|oops|wait|actually)[,. ]+)*not (?:in |at |on |to "
        r"|from )?(?P<not>[^,.;]{2,40}?)(?:,| but),?"
        r" (?:but )?(?:in |at |on |to |from )?(?P<not_now>[^,.;!?]{2,40})\W*"
        r"|\W*(?:(?:nein|non|não|no|нет|perdón|entschuldigung|desculpa|pardon|scusa)[,. ]+)?(?:nicht"
        r"|no|não|pas|non|не)"
        r" (?:(?:in|im|am|en|em|à|a|в|на|el|la|le) )?(?P<but>[^,.;]{2,40}?),? (?:sondern|sino|mas|mais|ma|а)"
        r" (?:(?:in|im|am|en|em|à|a|в|на|el|la|le) )?(?P<but_now>[^,.;!?]{2,40})\W*"
        r"|\W*(?:no[,. ]+)?(?:(?:he|she|it)(?:['’]s| is)|(?:his|her|its) name(?:['’]s| is))(?: called| named)?"
        r" (?P<then_now>[^,.;]{2,40}), not (?P<then>[^,.;]{2,40})\W*"
        r"|\W*(?:nein[, ]+)?(?:er|sie|es) heißt nicht (?P<de>[^,.;]{2,30}),? sondern (?P<de_now>[^,.;]{2,30})\W*"
        r"|\W*(?:no[, ]+)?no se llama (?P<es>[^,.;]{2,30}),? (?:sino|se llama) (?P<es_now>[^,.;]{2,30})\W*"
        r"|\W*(?:non[, ]+)?(?:il|elle) ne s'appelle pas (?P<fr>[^,.;]{2,30}),? mais (?P<fr_now>[^,.;]{2,30})\W*"
    ),
    re.IGNORECASE,
)
"""What tells of somebody or something just spoken of what is so instead: "Her name isn't Ruth, it's Judith"."""

_ALONE: Final = re.compile(
    r"\W*(?:(?:oh|uh|no|wait|oops)[\s,.!…]+)*(?P<fix>\w{2,20}),? actually\W*", re.IGNORECASE
)
_IT_IS: Final = re.compile(
    r"\W*(?:(?:oh|uh|no|wait|oops|sorry|actually)[\s,.!…]+)+(?:it|he|she)(?:['’]s| is"
    r"| was) (?P<fix>\w[\w ]{1,20})\W*",
    re.IGNORECASE,
)
"""A day or a number alone after a mark: "Five actually!", "Oh wait, it's on Tuesday."."""

_STARRED: Final = re.compile(
    r"\s*\*\s?(?P<word>[^\W\d_][\w'’-]{1,30})\s*|\s*(?P<after>[^\W\d_][\w'’-]{1,30})\*\s*"
)
"""A word that is spelt right in a message of its own: "*Paola"."""

_COPULA: Final = re.compile("(?:です|だよ?|なんだ)(?:よ|ね)*$")
_LAST_NAME: Final = re.compile(r"(?<=\s)[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*$")
_LAST_IS: Final = re.compile(r"(?:\b(?:is|are|am|was|were)|['’](?:s|m|re)) [\w-]+$")

_NAME_ALONE: Final = re.compile(r"[^\W\d_]+\W*")
_SENTENCE_END: Final = re.compile(r"[.!?;。！？；\n]+\s*(?=\S)")
_ABBREVIATED: Final = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|St|Prof)\.\s*$")
_HAN: Final = re.compile(f"[{HAN}]")
_KANA: Final = re.compile(f"[{KANA}]")


class Afterthought(Struct, frozen=True):
    """What a later message makes of an earlier one.

    `kept` is the beginning of the earlier message that stands, `taken` the rest, which was taken back, and `meant`
    what the later message says in its place, in the words of both; empty where it only takes back.
    """

    kept: str
    taken: str
    meant: str


def is_wavering(text: str) -> bool:
    """Return whether a message says no more than that what was said before it is wrong: "Wait, no."."""
    return len(text) <= MAX_CHARS and _WRONG.fullmatch(simplified(text)) is not None


def puts_right(text: str) -> bool:
    """Return whether a message begins or ends with a mark that something is put right."""
    return len(text) <= MAX_CHARS and (_marked(text, wavered=False, asked=False) or slip_in(text)) is not None


def names_what_is_wrong(text: str) -> bool:
    """Return whether a message says itself what is wrong beside what is so: "Her name isn't Ruth, it's Judith".

    It then can mean a message before the last one as well.
    """
    slip = slip_in(text)
    is_both = slip is not None and bool(slip.was)
    return is_both or (len(text) <= MAX_CHARS and _INSTEAD.fullmatch(simplified(text)) is not None)


def afterthought(before: str, text: str, *, wavered: bool = False, asked: bool = False) -> Afterthought | None:
    """Return what a message takes back of the one before it by the same person, None where it takes back nothing.

    Args:
        before: the earlier message.
        text: the later one.
        wavered: whether in between the person said that the earlier one was wrong, and no more.
        asked: whether the character asked something in between, which a mere "no" answers.
    """
    if not before.strip() or len(before) + len(text) > MAX_CHARS:
        return None
    plain = simplified(text)
    is_laughed_off = _DENIED.fullmatch(plain) is not None and (not asked or _LAUGHS.search(plain) is not None)
    if _TAKEN_BACK.fullmatch(plain) or is_laughed_off:
        return Afterthought("", before, "")
    start = _last_sentence(before)
    starred = _STARRED.fullmatch(text)
    word = (starred["word"] or starred["after"]) if starred else ""
    instead = spelt_alike(before[start:], word) if word else _instead(before[start:], plain)
    if instead is not None:
        return Afterthought(before[:start], before[start:], instead)
    fixed = _marked(text, wavered=wavered, asked=asked)
    last = before[start:].rstrip(" .!…。！")
    meant = _joined(last, fixed) if fixed is not None else None
    if meant is None and (slip := slip_in(text)) is not None and (slip.strong or not asked):
        meant = _without_slip(last, slip)
    return None if meant is None else Afterthought(before[:start], before[start:], meant)


# --- parts ----------------------------------------------------------------------------------------


def _marked(text: str, *, wavered: bool, asked: bool) -> str | None:
    """Return a message that puts right, with a mark before it that `repairs` reads; None where it has none."""
    if wavered:
        return f"{_mark(text)}{text.lstrip()}"
    if (marked := _marked_last(text)) is not None:
        return marked
    for mark, strong in ((_MEANT, True), (_FOREIGN_NO, False)):
        if found := mark.match(text):
            return None if asked else f"{_mark(text) if strong else 'No, '}{text[found.end() :]}"
    plain = simplified(text)
    if not (_STRONG if asked else _OPENS).match(plain):
        return None
    opener = _VOCATIVE.match(text)
    if opener and not _STRONG.match(plain) and _is_name(text[opener.end() :].strip(" ,.")):
        # "Sorry, Tom!" is said to Tom.
        return None
    return text.lstrip()


def _joined(last: str, fixed: str) -> str | None:
    """Return a sentence with what a marked message puts right in it, None where the message fits nothing there."""
    joined = f"{last}{_stop(last)}{fixed}"
    meant = repaired(joined)
    # What the later message repairs in itself takes nothing back of the earlier one.
    return None if meant == joined or meant.startswith(last) else meant


def _without_slip(last: str, slip: Slip) -> str | None:
    """Return a sentence with what is so in the place of a slip, None where that isn't in it."""
    if slip.was:
        return _swapped(last, slip)
    if _KANA.search(slip.now) or _KANA.search(last):
        return _joined(last, f"いや、{slip.now}です") if slip.strong or _are_alike(last, slip.now) else None
    if CJK.search(slip.now):
        return _joined(last, f"不对，是{slip.now}") if slip.strong or _are_alike(last, slip.now) else None
    name = without_article(slip.now)
    if not slip.strong:
        named = _LAST_NAME.search(last) if name[:1].isupper() else None
        return f"{last[: named.start()]}{name}" if named else None
    if slip.says and name == slip.now and name[:1].islower() and not _LAST_IS.search(last):
        # "My bad, it's broken" is of no red Honda; "my bad, it's blue" is of a car that is red.
        return None
    return _joined(last, f"No wait, {slip.now}")


def _swapped(last: str, slip: Slip) -> str | None:
    """Return a sentence with what is so in the place of what was wrong, as often as it stands there."""
    was, now = without_article(slip.was), without_article(slip.now)
    whole = re.escape(simplified(was)) if CJK.search(was) else rf"(?<!\w){re.escape(was)}(?!\w)"
    found = list(re.finditer(whole, simplified(last), re.IGNORECASE))
    if not found or not now:
        return None
    rest = last[found[-1].end() :]
    # "Not at a shop, at a library I work": what the sentence goes on with is said once.
    overlap = next((size for size in range(min(len(now), len(rest)), 0, -1) if rest.startswith(now[-size:])), 0)
    now = now[: len(now) - overlap]
    return f"{last[: found[-1].start()]}{now}{rest}" if now else None


def _are_alike(last: str, now: str) -> bool:
    """Return whether what is so ends as the sentence does, as two teas or two school years do."""
    return len(now) > 1 and simplified(_COPULA.sub("", last))[-1:] == simplified(now)[-1:]


def _instead(last: str, plain: str) -> str | None:
    """Return a sentence with what is so in the place of what a message says isn't, None where that isn't in it."""
    found = _INSTEAD.fullmatch(plain)
    if found is None:
        return None
    of = found["of"]
    if of and of.lower() != "name" and not re.search(rf"\b{re.escape(of)}\b", last, re.IGNORECASE):
        # "The kitchen isn't red, it's white" is of no red bike.
        return None
    said = {k.endswith("_now"): value.strip() for k, value in found.groupdict().items() if value and k != "of"}
    was, now = said[False], said[True]
    whole = re.escape(was) if CJK.search(was) else rf"(?<!\w){re.escape(was)}(?!\w)"
    meant = re.sub(whole, lambda _: now, simplified(last) if CJK.search(was) else last, flags=re.IGNORECASE)
    return None if meant in {last, simplified(last)} else meant


def _marked_last(text: str) -> str | None:
    """Return a message whose mark comes last ("Wednesday, I mean") with the mark before it."""
    for alone in (_ALONE.fullmatch(text), _IT_IS.fullmatch(text)):
        if alone and alone["fix"].split()[-1].lower() in COUNTED_OR_DATED:
            return f"No, {alone['fix']}"
    if CJK.search(text) or not (last := _LAST.fullmatch(text)):
        return None
    return f"{'No wait' if last['strong'] else 'No'}, {last['fix']}"


def _is_name(word: str) -> bool:
    return _NAME_ALONE.fullmatch(word) is not None and word.lower() not in COUNTED_OR_DATED


def _mark(text: str) -> str:
    return "いや、" if _KANA.search(text) else "不对，" if _HAN.search(text) else "No wait, "


def _stop(sentence: str) -> str:
    return "。" if CJK.search(sentence[-1:]) else ". "


def _last_sentence(text: str) -> int:
    """Return where the last sentence of a text begins."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if not _ABBREVIATED.search(text[: found.end()])]
    return ends[-1] if ends else 0
