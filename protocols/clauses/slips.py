"""How people excuse a slip, and what they put in its place.

"Typo, Mazda", "did I say Honda? I meant Mazda", 打错了，是普洱茶, ごめん、やっぱりお茶だった: the excuse, what
was wrong where it is said, and what is so. Whether what is so fits the earlier message is for `afterthoughts` to
say. Pure; reads English, Chinese and Japanese.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ..scripts import CJK, KANA, simplified
from . import english_verbs as verbs

MAX_CHARS: Final = 120
"""Longest message that is read as an excuse (characters): a longer one says something of its own."""

_SIGH: Final = (
    r"(?:o+h+|a+h+|uh+|um+|er+m?|h+m+|ugh+|a+rgh+|gah|damn(?: it)?|dang|shoot|ok|okay|haha\w*|lo+l"
    r"|w?h?oo+ps(?:ie)?|wait|hold on|hang on|no+|nope|nah|sorry|pardon|actually|well|and|but)"
)
_EXCUSE: Final = (
    r"(?:(?:a |my |that was a |that's a |sorry,? )?(?:bad )?typo|(?:damn |stupid |bloody )?auto-?correct"
    r"|my (?:bad|mistake)|(?:i )?(?:mistyped|misspoke|misremembered|mixed (?:that|it|them) up"
    r"|got (?:that|it) wrong|was wrong)|wrong word|scratch that|strike that|correction"
    r"|i mean(?:t)?(?: to (?:say|write|type))?|meant(?: to say)?|make that"
    r"|(?:(?:it|that) )?should(?: have|'ve)? (?:been|say|said|read)|brain fart|slip of the tongue)"
)
_SAYS: Final = r"(?:(?:(?:it|he|she|that|this)(?:'s| is| was)(?: called| named)?|(?:(?:it|that) )?should be) )?"
_FEW: Final = r"[^,.;:!?*\n]{1,40}?"
_GAP: Final = r"[\s,.:;!?…—-]+"
_END: Final = r"(?:[\s.,!]*(?:haha\w*|lo+l|lmao|sorry|oops|my bad)\b)*[\s.!]*"

_OPENING: Final = rf"\W*(?P<sighs>(?:{_SIGH}\b{_GAP})*)(?P<excuse>(?:{_EXCUSE}\b{_GAP})*)"
_MEANT: Final = r"[\s,.:;!?…—-]*(?:i (?:actually )?meant?|it(?:'s| is)|make that)"
_ENGLISH: Final = tuple(
    re.compile(f"{_OPENING}{body}{_END}", re.IGNORECASE)
    for body in (
        rf"(?:did i say|i said|i wrote|i typed) (?P<was>{_FEW})(?:[,.?]+ | but ){_MEANT} (?P<now>{_FEW})",
        rf"(?P<was>{_FEW})\? i meant? (?P<now>{_FEW})",
        rf"{_SAYS}(?P<now>{_FEW}),? not (?P<was>{_FEW})",
        rf"not (?P<was>{_FEW})(?:,? but|,) {_SAYS}(?P<now>{_FEW})",
    )
)
"""What says itself what was wrong."""

_ENGLISH_ALONE: Final = re.compile(rf"{_OPENING}(?P<says>{_SAYS})(?P<now>{_FEW}){_END}", re.IGNORECASE)
_STARRED: Final = re.compile(r"\s*(?:\*\s?(?P<now>[^*\n]{1,30}?)|(?P<after>[^*\n]{1,30}?)\*)\s*")

_CHINESE_SIGH: Final = (
    "(?:哦|啊|呃|额|噢|哎呀?|等(?:下|等|一下)|不好意思|抱歉|对不起|刚才|刚刚|之前|那个"
    "|不(?=[，,\\s]))*[，,。！!…\\s]*"
)
_CHINESE_EXCUSE: Final = (
    "(?:(?:不对|不是)(?=[不，,。！!…\\s])|我?(?:打|说|写|记|讲|搞|弄|输|按)错(?:字|名字|地方)?了?(?:一?个字)?|错了|手滑了?|口误|笔误"
    "|更正(?:一下)?)[，,。！!…\\s]*"
)
_CHINESE_NOW: Final = "(?P<now>(?!了|吧|啊|的|吗)[^，,。！!？?]{1,14})"
_CHINESE: Final = tuple(
    re.compile(simplified(f"\\W*{body}[。！!]*"))
    for body in (
        f"{_CHINESE_SIGH}(?:{_CHINESE_EXCUSE})*(?:应该)?是{_CHINESE_NOW}[，,]\\s*而?(?:不是|不叫|没有)(?P<was>[^，,。！!？?]{{1,12}})",
        f"{_CHINESE_SIGH}(?P<excuse>(?:{_CHINESE_EXCUSE})+)(?:应该|其实)?[是叫]?{_CHINESE_NOW}",
        f"是?{_CHINESE_NOW}[，,\\s]+(?P<excuse>(?:刚才|我)?[打说写记]错了)",
        f"{_CHINESE_SIGH}(?:我?是说|我?的?意思是|应该是|是)(?!说)(?P<now>[^，,。！!？?吧吗呢啊]{{2,12}})",
    )
)
_JAPANESE_SIGH: Final = "(?:あ+|ああ|えっ?と|うわ|おっと|ごめん(?:ね|なさい)?|すみません|すいません|悪い|待って)"
_JAPANESE_EXCUSE: Final = (
    "(?:(?:打ち|言い|書き|聞き|勘)?(?:間違(?:い(?:だった|でした|です)?|え(?:た|ました|ちゃった)?)|違い(?:だった|でした)?)"
    "|違う|違った|違います|ちがう|訂正(?:します)?|もとい|いや(?:いや)?|じゃなくて)"
)
_JAPANESE: Final = re.compile(
    simplified(
        f"(?:{_JAPANESE_SIGH}[、。！!…\\s]*)*(?P<excuse>(?:{_JAPANESE_EXCUSE}[、。！!…\\s]*)*)"
        "(?P<rather>(?:やっぱり|やっぱ|本当は)?)(?P<now>(?![よねなわかってぞさ]+$)[^、。！!？?はがをに]{1,16}?)"
        "(?P<end>だった|でした|の間違い(?:だった|でした|です)?|です|だよ?|でお願い|にする|)(?:かな|わ|ね|よ)*[。！!…w笑]*"
    )
)
_JAPANESE_WAS: Final = re.compile(
    simplified(
        f"(?:(?:{_JAPANESE_SIGH}|{_JAPANESE_EXCUSE})[、。！!…\\s]*)*(?P<was>[^、。]{{1,12}}?)"
        "(?:じゃなくて|ではなくて|ではなく|じゃない、)[、\\s]*(?P<now>[^、。]{1,20}?)"
        "(?:です|だよ?|ですよ?|でした|だった)?(?:ね|よ)*[。！!…w笑]*"
    )
)
_HAS_KANA: Final = re.compile(f"[{KANA}]")
_EARLIER: Final = (
    r"(?: (?:earlier|before|yesterday|the other day|last time|last week|just now|back then|completely|about \w+))*"
)
_OWN_UP: Final = (
    re.compile(
        r"\W*(?:(?:by the way|btw|oh|and|but|so|hey|sorry|wait|no|ok|okay|well|actually|hm+|haha\w*|oops)\b"
        r"[,.!\s]*)*"
        r"(?:i (?:got|had|have|told you) (?:that|it|this|something|you) wrong|i was (?:wrong|mistaken|confused)"
        r"|my (?:mistake|bad)|i misspoke|i (?:mixed|messed) (?:that|it|this|them|those|things|something) up"
        r"|i (?:must have )?made a mistake|i misremembered(?: that| it)?|i remembered (?:that|it) wrong"
        r"|(?:small )?correction|scratch that|for the record"
        r"|i (?:need|have|want) to correct (?:something|that|myself)"
        rf"|what i (?:said|told you) was (?:wrong|not true|not right)){_EARLIER}(?:\s*[,:;.!…—-]+\s*|$)",
        re.IGNORECASE,
    ),
    re.compile(
        simplified(
            "(?:(?:对了|那个|啊|哦|不好意思|抱歉|对不起|不对|等等)[，,\\s]*)*我?(?:之前|刚才|上次|昨天|那天|前几天|可能)*(?:跟你)?"
            "(?:我?(?:说|记|讲|搞|弄|打)错了|(?:说|讲)的(?:不对|不准确?|错了|有误)|(?:更正|纠正)一下)(?:[，,。！!：:\\s]+|$)"
        )
    ),
    re.compile(
        simplified(
            "(?:(?:あ|ごめん(?:ね)?|すみません|実は)[、。！\\s]*)*(?:この前|この間|前に|さっき|昨日|前回)?(?:言った|話した)?(?:の|こと|話)?(?:は|が)?"
            "(?:間違い(?:だった|でした)|間違ってた|間違えてた|間違えた|間違えました|勘違い(?:だった|でした|してた))(?:んだ|よ|ね)*"
            "(?:[。、！!\\s]+|$)"
        )
    ),
)
"""What owns up to a slip before what is so: "By the way, I got that wrong, ...", 我之前记错了，..."""

_WHO: Final = r"(?P<who>(?:my \w+(?: (?-i:[A-Z])\w+)?|(?-i:[A-Z])\w+))"
_ASIDES: Final = r"\W*(?:(?:and|but|so|oh|sorry|btw|by the way|earlier|yesterday|the other day)\W+)*"
_CHANGED: Final = r"(?:[^,.!]* )?(?:better|recovered|now|today|tonight|these days|lately|again|instead)\b"
"""What tells that it has changed since, so that what was said before was no slip."""

_RETOLD: Final = (
    (
        re.compile(
            rf"{_ASIDES}i (?:said|told you)(?: that)? {_WHO}(?: is|'s| was) (?P<was>{_FEW}),? but (?:actually )?"
            rf"(?:he|she|it)(?:'s| is) (?:actually |really )?(?!{_CHANGED})(?P<now>{_FEW})(?=[,.!]|$)",
            re.IGNORECASE,
        ),
        "{who} isn't {was}. {who} is {now}",
    ),
    (
        re.compile(
            rf"{_ASIDES}i (?:was|am) (?:wrong|mistaken|confused) about {_WHO}[,.;:—-]+ (?:he|she|it)(?:'s| is) ",
            re.IGNORECASE,
        ),
        "{who} is ",
    ),
    (
        re.compile(
            rf"{_ASIDES}you (?:keep|kept|always|just|were) call(?:ing|ed)? {_WHO} (?P<was>(?-i:[A-Z])\w+)[,;.]+ "
            r"(?:but )?(?:actually )?(?:(?:his|her|its) name(?:'s| is)|(?:he|she|it)(?:'s| is) called) "
            r"(?P<now>(?-i:[A-Z])\w+)",
            re.IGNORECASE,
        ),
        "{who}'s name is {now}",
    ),
    (
        re.compile(
            simplified(
                "我?(?:之前|上次|刚才|昨天)?(?:跟你)?说过?(?P<who>[^，,。是]{1,8})是(?P<was>[^，,。]{1,12})[，,](?:但|可是?|不过)?"
                "(?:其实|实际上|应该)[他她它]?是(?P<now>[^，,。]{1,12})"
            )
        ),
        "{who}不是{was}，是{now}",
    ),
    (
        re.compile(
            simplified(
                "(?:前に|この前|さっき|昨日)?(?P<who>[^、。はが]{1,10})[はが](?P<was>[^、。]{1,12}?)だ?(?:って|と)言った(?:けど|が)[、\\s]*"
                "(?:本当は|実は|やっぱり)?(?P<now>[^、。はがを]{1,14}?)(?:だった|でした|です|だよ?)(?:よ|ね|わ)*"
            )
        ),
        "{who}は{was}じゃなくて{now}です",
    ),
)
"""How people tell what they said before beside what is so."""

_VERBS: Final = verbs.AUXILIARIES | verbs.THIRD_PERSONS | {"i", "i'm", "we", "you", "they"}
_ARTICLE: Final = re.compile(r"(?:an?|the|in|at|on|to|from) ", re.IGNORECASE)
_NO_VALUE: Final = re.compile(
    r"(?:thanks?|thx|please|okay?|sure|really|seriously|never|what|why|how|it|that|this|me|you|him|her|them|lol|bye"
    r"|good|fine|late|fun|cold|hot|true|so|there|here|done|ready|back|home|now)\b",
    re.IGNORECASE,
)


class Slip(Struct, frozen=True):
    """What a message puts in the place of a slip.

    `now` is what is so, `was` what was wrong, empty where the message doesn't say it. `strong` says that the
    message is an excuse by its own words, so that what is so may be of another kind than what was said, and
    `says` that it is a clause: "it's a Mazda".
    """

    now: str
    was: str = ""
    strong: bool = False
    says: bool = False


def slip_in(text: str) -> Slip | None:
    """Return what a message puts in the place of a slip, None where it excuses none.

    Args:
        text: the message.
    """
    said = text.strip()
    if not said or len(said) > MAX_CHARS:
        return None
    # As long as the message, so that a place in one is the place in the other.
    plain = simplified(said).replace("\u2019", "'")
    if starred := _STARRED.fullmatch(plain):
        return Slip(starred["now"] or starred["after"], strong=True)
    if _HAS_KANA.search(plain):
        return _japanese(said, plain)
    return _chinese(said, plain) if CJK.search(plain) else _english(plain)


def excuse_before(text: str) -> int:
    """Return how many characters of a text own up to a slip before what is so; 0 where none do."""
    plain = simplified(text).replace("\u2019", "'")
    return next((found.end() for pattern in _OWN_UP if (found := pattern.match(plain))), 0)


def retold(text: str) -> str:
    """Return a text with what it says of an earlier telling put as a plain denial, and whom it was about named.

    "I said my sister is a nurse, but she's a vet" says that she isn't a nurse, and "I was wrong about Ahmed, he's
    from Jordan" that Ahmed is. Other texts are as they were.

    Args:
        text: what a person said.
    """
    plain = simplified(text).replace("\u2019", "'")
    for pattern, wording in _RETOLD:
        if found := pattern.match(plain):
            said = {name: text[found.start(name) : found.end(name)] for name in found.groupdict()}
            return wording.format(**said) + text[found.end() :]
    return text


def without_article(text: str) -> str:
    """Return a few words without the article or preposition before them."""
    return _ARTICLE.sub("", text, count=1) if _ARTICLE.match(text) else text


# --- parts ----------------------------------------------------------------------------------------


def _english(plain: str) -> Slip | None:
    for pattern in _ENGLISH:
        if (found := pattern.fullmatch(plain)) and not _is_clause(found["now"]):
            return Slip(found["now"].strip(), found["was"].strip(), strong=True)
    found = _ENGLISH_ALONE.fullmatch(plain)
    if found is None or _is_clause(found["now"]) or _NO_VALUE.match(without_article(found["now"])):
        return None
    says = found["says"].lower()
    if not (found["excuse"] or (found["sighs"] and says) or "should" in says):
        return None
    return Slip(found["now"].strip(), strong=bool(found["excuse"]), says=bool(says))


def _is_clause(text: str) -> bool:
    """Return whether a few words have a verb, so that they take no noun's place."""
    said = text.lower().split()
    return not _VERBS.isdisjoint(said) or not verbs.BASES.isdisjoint(said[:1])


def _chinese(said: str, plain: str) -> Slip | None:
    for pattern in _CHINESE:
        if found := pattern.fullmatch(plain):
            named = {
                name: said[found.start(name) : found.end(name)] for name, one in found.groupdict().items() if one
            }
            return Slip(named["now"], named.get("was", ""), strong="was" in named or "excuse" in named)
    return None


def _japanese(said: str, plain: str) -> Slip | None:
    if found := _JAPANESE_WAS.fullmatch(plain):
        return Slip(
            said[found.start("now") : found.end("now")], said[found.start("was") : found.end("was")], strong=True
        )
    found = _JAPANESE.fullmatch(plain)
    if found is None:
        return None
    is_strong = bool(
        found["excuse"] or (found["rather"] and found["end"]) or found["end"].startswith(simplified("の間違い"))
    )
    if not is_strong and found["end"] not in {"だった", "でした"}:
        return None
    return Slip(said[found.start("now") : found.end("now")], strong=is_strong)
