"""Where one Chinese statement ends and the next begins, and whom 他 and 她 mean in between."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..scripts import HAN, simplified

_SEAM: Final = re.compile(rf"\s*[，,；;]\s*|(?<=[{HAN}])\s+(?=[{HAN}])")
"""A comma, or the pause that a transcript of speech writes as a blank."""

_NEAR: Final = 20
"""Characters after a subject among which its verb is looked for."""

_MOST_SEAMS: Final = 12
_KIN: Final = (
    "(?:双胞胎)?(?:妹妹|姐姐|哥哥|弟弟|妹|姐|哥|弟|妈妈|爸爸|母亲|父亲|妈|爸|妻子|老婆|太太|丈夫|老公|儿子|女儿|孩子|男朋友|女朋友|男友"
    "|女友|朋友|同事|老板|同学|室友|邻居|奶奶|爷爷|外婆|外公|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹"
    "|老师|家的?猫|家的?狗|的?猫|的?狗|家)"
)
_OWN: Final = re.compile(rf"(?P<kin>(?:我们?|咱们?|俺)(?:的)?{_KIN})|(?P<first>我们|咱们|我|俺|本人)")
_DEPENDENT: Final = re.compile(
    "因为|由于|虽然|尽管|如果|要是|假如|既然|只要|只有|除非|即使|就算|不管|无论|自从|当.{1,12}(?:时|的时候)|为了|.{1,12}(?:的时候|之后|以后|之前|以前)$"
)
_LEANING: Final = re.compile(
    "所以|不是|是[^，,。]+的[。！!]*$|没有?(?:电梯|暖气|空调|窗|阳台|网)|因此|因为|因而|尤其|特别是|比如|例如|像|就(?!职|读)|才(?!能)|都|否则|不然|而是|一(?!个人|直|家)|结果|可惜|包括|其中|太|真|好(?!像)|开心|难受|难过|"
    "高兴|累|吓|以至|以便|免得|省得|谢谢|你|对吧|是吧|对不对|是不是|有时|分别|其他|另一|又"
    "|我?(?:[吃喝碰闻](?:了|多了|完))?(?:就|也|还)*[会要](?:很|非常|严重)?(?:过敏|拉肚子|肚子疼|胃疼|头疼|头痛|头晕|恶心|想?吐|失眠|睡不着|心慌|不舒服|起疹子|长痘|发胖|长胖|胖)"
)
_ASIDE: Final = re.compile(
    "(?:太|真|好|超)[^，,。]{1,6}(?:了|啊|呀|死了|极了)[。！!]*$|[^，,。]{1,3}死(?:我|人)?了[。！!]*$|(?:很|非常|真)?高兴(?:认识|见到)(?:你|大家)[。！!]*$|(?:你)?(?:要|一定要)?(?:保密|别告诉[^，,。]{1,4}|不要告诉[^，,。]{1,4})[。！!]*$|(?:请|你)?(?:要|一定要)?(?:记住|记得|别忘)[^，,。]{0,3}[。！!]*$"
)
_OF_THEIRS: Final = re.compile("的|最[^，,]{1,6}的")
_LINK: Final = re.compile("(?:但是|可是|不过|而且|并且|同时|另外|但|而)(?=.{2})")
_PREDICATE: Final = re.compile(
    "(?:现在|目前|今年|去年|明年|最近|平时|平常|每天|每周|周末|晚上|早上|后来|以前|从小|一直|经常|已经|也|还|从来|从|特别|很|最)*"
    "(?:不|没有?|从不)?(?:"
    "住|在.+(?:上班|工作|读书|上学|当|做|教|学|住|生活|实习|念书)|是|叫(?!我|醒)|姓|属|养|有|喜欢|爱(?!情)|讨厌|恨|怕|会|想|打算|喝|吃|抽|学|教|做|开|当|背|弹|玩|看|"
    "跑|去|搬|收养|领养|练|坐|骑|打|写|画|唱|跳|卖|接|对.+(?:过敏|感兴趣)|结婚|离婚|单身|毕业|[0-9一二三四五六七八九十]+岁)"
)
_INTRODUCES: Final = re.compile(
    "(?:有|养|认识|生|收养|买|捡|领养|交|遇到|看到|碰到)了?(?:一|两|几|三|[0-9]|个|只|条|位|名)"
)
_OF_THE_NEW: Final = re.compile(
    "叫|是|很|特别|今年|才|在|名字|也|都|长|会|喜欢|已经|每天|[0-9一二三四五六七八九十]+岁"
)
_VERB: Final = re.compile(
    "[是在有叫住爱喜讨想会吃喝做学教开当养去来读看玩跑搬姓属怕恨抽弹过岁病婚休了着要没不"
    "坐骑练打写画唱跳卖买接戒考]"
)
_NOT_THERE: Final = re.compile(
    "不在[^，,。]{1,12}?(?P<verb>上班|工作|上学|读书|念书|实习|当[^，,。]{1,6}|住)了?[。！!]*$"
)
_ONLY_THERE: Final = re.compile(
    f"(?P<place>(?:{_OWN.pattern}|[他她])?(?:现在|是)?在[^，,。！!在住作班学书习]{{1,12}}?)[。！!]*"
)
_PRONOUN: Final = re.compile("(?:他|她|它)(?!们)的?")
_ANTECEDENT: Final = re.compile(rf"(?P<who>(?:我们?|咱们?|俺)(?:的)?{_KIN})(?=[^的和跟与].*)")
_PERSONS: Final = re.compile(
    "妹妹|姐姐|哥哥|弟弟|妈妈|爸爸|母亲|父亲|老婆|太太|丈夫|老公|儿子|女儿|朋友|男友|女友|同事|老板|同学|室友|邻居|奶奶|爷爷"
    "|外婆|外公|表[哥姐弟妹]"
)


def pieces(text: str) -> tuple[str, ...]:
    """Return the statements of a sentence, each with a subject where one goes on."""
    folded = simplified(text)
    if _DEPENDENT.match(folded):
        return (text,)
    found: list[str] = []
    start, subject = 0, ""
    for seam in list(_SEAM.finditer(folded))[:_MOST_SEAMS]:
        left = subject + text[start : seam.start()]
        link = _LINK.match(folded, seam.end())
        at = link.end() if link else seam.end()
        own = _OWN.match(simplified(left))
        kind = _begins(simplified(left), folded, at)
        if kind is None or (
            kind != "aside" and not (_VERB.search(simplified(left)) and (own or _has_subject(left, kind)))
        ):
            continue
        if kind == "predicate" and own is not None and _OF_THEIRS.match(simplified(left), own.end()):
            # "My birthday is in March, ...": whom the next predicate is of can't be told.
            continue
        found.append(left)
        start, subject = at, left[: own.end()] if own is not None and kind == "predicate" else ""
    found.append(subject + text[start:])
    return _with_verbs(found)


def antecedent(text: str) -> str:
    """Return whom 他, 她 or 它 in the next clause means, as the text calls them; empty where that is unclear."""
    folded = simplified(text)
    found = _ANTECEDENT.match(folded)
    if found is None or _PERSONS.search(folded, found.end()):
        return ""
    return text[: found.end("who")]


def resolved(text: str, meant: str) -> str:
    """Return a clause with the pronoun that it begins with as whom it means.

    Args:
        text: the clause.
        meant: such as 我妹妹.
    """
    found = _PRONOUN.match(text)
    if found is None or (found.group()[0] == "它") != bool(re.search("[猫狗貓]$", meant)):
        return text
    return meant + ("的" if found.group().endswith("的") else "") + text[found.end() :]


def _with_verbs(said: Sequence[str]) -> tuple[str, ...]:
    """Return statements with the verb that one leaves to the one before it: 我不在银行上班，我在证券公司."""
    whole: list[str] = []
    for text in said:
        elsewhere = _NOT_THERE.search(simplified(whole[-1])) if whole else None
        place = _ONLY_THERE.fullmatch(simplified(text))
        verb = whole[-1][elsewhere.start("verb") : elsewhere.end("verb")] if elsewhere and place else ""
        end = place.end("place") if place else len(text)
        whole.append(f"{text[:end]}{verb}{text[end:]}")
    return tuple(whole)


# --- parts ----------------------------------------------------------------------------------------


def _has_subject(left: str, kind: str) -> bool:
    """Return whether a clause names somebody further on (上个月我爷爷 ...), so that it stands alone."""
    return kind == "clause" and _OWN.search(simplified(left)) is not None


def _begins(left: str, folded: str, at: int) -> str | None:
    """Return whether a clause, only a predicate, or an aside begins at a place, None where none does."""
    if _ASIDE.match(folded, at):
        return "aside"
    if _LEANING.match(folded, at):
        return None
    own = _OWN.match(folded, at) or _meant(left, folded, at)
    if own is not None:
        return "clause" if _VERB.search(folded, own.end(), own.end() + _NEAR) else None
    # "I have a dog, is called Wangcai": what was brought in goes on, and not who brought it in.
    is_of_the_new = _INTRODUCES.search(left) and _OF_THE_NEW.match(folded, at)
    return "predicate" if not is_of_the_new and _PREDICATE.match(folded, at) else None


def _meant(left: str, folded: str, at: int) -> re.Match[str] | None:
    """Return the pronoun at a place where the clause before says whom it means, else None."""
    pronoun = _PRONOUN.match(folded, at)
    if pronoun is None:
        return None
    meant = antecedent(left)
    return pronoun if meant and resolved(pronoun.group(), meant) != pronoun.group() else None
