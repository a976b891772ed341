"""Japanese clauses as frames, from characters folded as `claims` folds (so kanji are in simplified form).

A clause is read from its end, where negation and predicate stand, and then from its start, where the topic
stands. Content is parted at particles that follow anything but hiragana.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ..scripts import simplified
from .frame import ANY_PREDICATE, OBJECT_PREDICATES, SELF, Frame, Tense, Voice
from .scan import OWNER, pieces, with_owner
from .slots import is_place, owned_slot


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(simplified(text))


KIN: Final = (
    "妹|姉|兄|弟|母|父|お母さん|お父さん|妻|夫|彼氏|友達|友だち|ともだち|友人|親友|息子|娘|子供|"
    "お姉さん|お姉ちゃん|お兄さん|お兄ちゃん|旦那|嫁|いとこ|従兄弟|従姉妹|叔父|叔母|おじさん|おばさん|"
    "上司|部下|同僚|先輩|後輩|同級生|クラスメイト|ルームメイト|隣人|幼なじみ|祖母|祖父|おばあちゃん|おじいちゃん"
)
"""Whom somebody calls theirs, as an alternation; not yet in simplified form."""

_FIRST: Final = (
    f"私たち|私|わたし|わたくし|僕|ぼく|俺|おれ|あたし|うち|自分|{OWNER}(?:さん|ちゃん|くん|君)?|ユーザー"
)

_NOT_HAD: Final = "(?!(?:い|いる|いま|いない|いません|います|ある|あります|できた|できました)$)(?=.)"
"""After a particle: what is only said to be there belongs to someone, and isn't whom the clause is about."""

_OPENER: Final = _pattern(
    "(?:でも|だから|それに|しかし|ただ|けど|ええと|えっと|うん|はい|ええ|まあ|あの|いや|いいえ)(?=.{2})"
)
_CONDITION: Final = _pattern("もし|(?:.*)(?:なら|たら|れば|ならば)$")
_FINAL: Final = _pattern(
    "(?:よ|ね|な(?<!るな|むな|くな|うな)|わ|ぞ|さ(?<!さ)|けど|けれど|けれども|から|ので|のに|し|って|かも|(?<=[るたいなうくすつむぶぬぐ])(?:んだ|んです)|のだ|のです|のよ)+$"
)
_PLEASE_NOT: Final = _pattern("(?:ないで(?:ください|くれ|ね)?|るな|むな|くな|うな)$")

_ENDED: Final = _pattern("(?:昔|以前|かつて|(?<!名)前)は|(?:昔|以前|かつて)")
_EMPHATIC: Final = _pattern("やっぱり|やはり|実は|確かに|また|まだ|今も|今でも")
_ALSO: Final = _pattern("副業|兼業|掛け持ち|でもあ|もして")
_ADVERB: Final = _pattern(
    "去年|昨年|先月|先週|昨日|今は|今|現在は?|最近は?|いつも|毎日|毎朝|毎晩|よく|たまに|時々|とても|すごく|大変|もう|全然|全く|あまり|ずっと|"
    "本当に|ほんとに|絶対に?|決して|一度も|別に|特に|本来|普段は?|結構|かなり|マジで|実際|そんなに|もはや"
)

_FALSE: Final = _pattern(
    "(?P<said>.+?)(?:だ|です)?(?:という|って)(?:の|こと|話|の話)?(?:は|が)?(?:全部|全く|完全に)?(?:间違い|間違い|嘘|うそ|ウソ|誤り|誤解|でたらめ|違う|違い)"
    "(?:です|だ|ます|った)*$"
)
_CONTRAST: Final = _pattern(
    "(?P<topic>(?:[^、]{1,20}?(?:は|が|も))?)(?P<not>(?!.{0,3}(?:好き|嫌い))[^はがも、]{1,20}?)(?:に|で|を|が)?"
    "(?:じゃなくて|ではなくて|ではなく|じゃなく|でなく)(?P<rest>(?!て$).{2,})$"
)
_DOUBLE: Final = _pattern(
    "(?:という)?わけ(?:では|じゃ)(?:ない|ありません)(?:です)?$|(?<=ない)(?:こと|わけ)(?:は|も)(?:ない|ありません)(?:です)?$"
)
_QUIT: Final = _pattern(
    "(?:の|こと)?(?:を|は)?(?:やめた|やめました|辞めた|辞めました|止めた|止めました|やめてる|やめている|卒業した)$"
)
_WANT: Final = _pattern(
    "(?:に|を|が)?(?P<verb>なり|[^\\u3041-\\u3096]?[\\u3041-\\u3096]{0,2}?)たい(?:です|と思う|と思っている|と思っています)?$"
)
_NO_WANT: Final = _pattern(
    "(?:に|を|が|は)?(?P<verb>なり|[^\\u3041-\\u3096]?[\\u3041-\\u3096]{0,2}?)たく(?:ない|ありません)(?:です)?$"
)
_CAN: Final = _pattern("(?:が|は|を)?(?:できる|できます|出来る|出来ます|できるようになった)$")
_CANNOT: Final = _pattern("(?:が|は|を)?(?:できない|できません|出来ない|出来ません)(?:です)?$")
_NEVER_WAS: Final = _pattern("(?:だった|になった)(?:こと)(?:は|が)(?:ない|ありません)(?:です)?$")
_NEVER_DID: Final = _pattern("(?<=[たいだ])(?:こと)(?:は|が)(?:ない|ありません)(?:です)?$")
_NOUN_NOT: Final = _pattern(
    "(?:では|じゃ|でも)(?P<past>なかった(?:です)?|ありませんでした)$|(?:では|じゃ|でも)(?:ない(?:です)?|ありません|なくなった|なくなりました|なくて)$"
)
_VERB_NOT: Final = _pattern(
    "(?P<past>ませんでした|なかった(?:です)?)$|(?:ません|なくなりました|なくなった|ない(?:です)?|なくて)$"
)
_NOUN_IS: Final = _pattern("(?P<past>でした|だった)$|(?:です|だ|である|であります|でございます|なの)$")
_VERB_PAST: Final = _pattern("(?P<was>ていました|ていた|てた|でいました|でいた|でた)$")

_PREDICATES: Final = tuple(
    (_pattern(pattern), predicate, slot)
    for pattern, predicate, slot in (
        ("として(?:働いて|勤めて|働|勤め|やって)(?:い|いる|いま|いました|ま)?す?(?:る|き)?$", "be", "job"),
        (
            "(?:に|へ)(?:引っ越した|引っ越しました|引っ越してきた|引っ越し|移住した|移住しました|移住し|転居した|越してきた)(?:て)?$",
            "moved",
            "home",
        ),
        ("(?:から)(?:引っ越した|引っ越しました|引っ越し)$", "left", "home"),
        (
            "(?:に|で)(?:は|も)?(?:住んで|暮らして|住|暮らし)(?:い|いる|います|いま|る|ん|んで|み)?$",
            "live",
            "home",
        ),
        (
            "(?:で|に)(?:は|も)?(?:働いて|勤めて|勤務して|働|勤め|働き|働か)(?:い|いる|います|いま|る|く|き)?$",
            "work",
            "",
        ),
        (
            "(?:が|は|を|も|のが|のは|ことが|ことは)?(?:(?:大好き|好き|好み)で?|愛して(?:い|いる|います|る)?|気に入って(?:い|いる|る)?)$",
            "like",
            "",
        ),
        ("(?:が|は|を|も|のが|のは|ことが|ことは)?(?:大嫌い|嫌い|きらい|苦手)(?:で)?$", "hate", ""),
        (
            "(?:と|って)(?:申し|申す|いい|いう|言い|言う|呼んで|呼ばれて)(?:ます|ま|いる|います|ください|くれ)?$",
            "name",
            "name",
        ),
        (
            "(?:が|は|を|も)?(?:飼って|飼|持って|持ち|持た|持|所有して)(?:い|いる|います|いま|る|う|わ)?$",
            "have",
            "",
        ),
        ("(?:が|は|も)(?:いる|い|います|いま|ある|あり|ありま|あ)$", "have", ""),
    )
)
_VERB: Final = _pattern(
    "(?:を|が|は|も|に|へ|で)?(?P<stem>[^\\u3041-\\u3096を]{1,4})(?P<tail>[\\u3041-\\u3096]{0,6})$"
)

_ADJECTIVE: Final = _pattern(
    "(?:が|は|も|を)?(?P<stem>(?!嫌い|好き)[^\\u3041-\\u3096]{1,2})[\\u3041-\\u3096]{0,2}(?:い|くて)$"
)
_OWNED: Final = _pattern(
    f"(?:(?:{_FIRST})の)?(?:(?P<best>(?:一番)?好きな)(?P<thing>[^は]{{1,8}})|(?P<what>名前|職業|仕事|誕生日|年齢|電話番号|住所|出身|出身地"
    f"|血液型|身長|体重|国籍|星座))は(?=.)"
)
_KINS_NAME: Final = _pattern(f"(?:(?:{_FIRST})の)?(?P<kin>{KIN}|犬|猫)の名前(?:は|が|も)(?=.)")
_POSSESSED: Final = _pattern(f"(?:(?:{_FIRST})の(?P<own>{KIN}|犬|猫)|(?P<kin>{KIN}))(?:は|が|も){_NOT_HAD}")
_NAMED_KIN: Final = _pattern(
    f"(?:(?:{_FIRST})の)?(?P<kin>{KIN}|先生|(?<=の)彼女)の"
    "(?P<name>[^のはがをにと、]{1,24}?|(?!こと|もの|ため|ほう|とき|ところ|なか|まえ)[\\u3041-\\u3096]{2,5}?)"
    f"(?:さん|くん|君|ちゃん|様|先生)?(?:は|が|も|って){_NOT_HAD}"
)
"""Somebody's own friend or sister, by name: 友達の健太は."""

_SELF: Final = _pattern(f"(?P<first>{_FIRST})(?:には|にも|は|が|も|って|、)?(?!の)")
_THIRD: Final = _pattern(f"(?:彼女|彼|彼ら)(?:は|が|も){_NOT_HAD}")
_YOU: Final = _pattern("(?:あなた|君|きみ)(?:は|が|も)")
_TOPIC: Final = _pattern("(?P<topic>[^はがをに]{1,10})(?:は|って)(?=.)")
_AGE: Final = _pattern("(?P<age>[0-9]+|[一二三四五六七八九十]+)(?:歳|才)(?:になりました|になった)?$")
_ABOUT: Final = _pattern("(?:について|に関して|に関する|に関連する|をテーマにした)の?")
_OF: Final = re.compile("(?<![\\u3041-\\u3096])の")
_PARTED: Final = re.compile(
    f"(?<![\\u3041-\\u3096])(?:は|が|を|に|で|と|も|へ|から|まで|の|や|より|って|沿い|な)|[\\s、・{OWNER}]|(?<=い)(?:を|が)|を"
)
_JOINED: Final = re.compile(_PARTED.pattern.replace("|の|", "|"))
"""As `_PARTED`, but の joins what tells more of a thing to it: フェレットの本."""

_SLOT_NAMES: Final = {
    simplified(name): slot for name, slot in {"名前": "name", "職業": "job", "仕事": "job"}.items()
}


class _Reading(Struct):
    """A clause while it is read."""

    text: str
    subject: str = SELF
    voice: Voice = Voice.OMITTED
    predicate: str = ""
    negated: bool = False
    past: bool = False
    ended: bool = False
    slot: str = ""
    moved: bool = False
    extra: str = ""


_JOB: Final = _pattern(
    "(?P<job>(?:師|員|士|者|官|教授|先生|デザイナー|エンジニア|プログラマー|ライター|モデル|コーチ|シェフ))"
    "を(?:して|やって)い?(?:る|ます)(?:んだ|んです)?$"
)
"""How somebody says what they work as: 看護師をしてる says what 看護師です says."""

_ALONE: Final = _pattern("で(?:一人|ひとり|二人|ふたり)暮らしを?して")
"""How somebody says that they live somewhere, and with whom."""

_NOUN_END: Final = re.compile(r"[\u4e00-\u9fff\u30a1-\u30fa\u30fc0-9]$")
"""What a clause ends in that leaves out です: 弟は大学生。"""

_LEFT: Final = re.compile(
    "(?P<from>[^はがを、]{1,12})を(?<!タバコを)(?<!煙草を)(?<!お酒を)(?<!酒を)(?:辞めて|辞めた|辞めました|退職して|退職した|退職しました)$"
)
"""How somebody says that they work somewhere no longer."""


def read(clause: str, names: frozenset[str]) -> Frame:
    """Return the frame of a folded clause.

    Args:
        clause: one clause, folded as `claims` folds.
        names: the owner's names, folded alike.
    """
    text = _LEFT.sub(r"\g<from>で働いていません", with_owner(clause, names))
    text = _ALONE.sub("で暮らして", _JOB.sub(r"\g<job>です", text))
    while found := _OPENER.match(text):
        text = text[found.end() :]
    hypothetical = _CONDITION.match(text) is not None
    imperative = _PLEASE_NOT.search(text) is not None
    emphatic = _EMPHATIC.search(text) is not None
    added = _ALSO.search(text) is not None
    ended = _ENDED.search(text) is not None
    for adverbs in (_EMPHATIC, _ENDED, _ADVERB):
        text = adverbs.sub("", text) or text
    reading = _Reading(text=_FINAL.sub("", text) or text, ended=ended)
    if found := _FALSE.match(reading.text):
        reading.text, reading.negated = f"{found['said']}です", True
    contrast: tuple[tuple[str, ...], ...] = ()
    if found := _CONTRAST.match(reading.text):
        contrast = _phrases(found["not"])
        reading.text = found["topic"] + found["rest"]
    _read_subject(reading)
    _read_end(reading)
    content = _of_objects if reading.predicate in OBJECT_PREDICATES else _phrases
    phrases = (*_phrases(reading.extra), *reversed(content(reading.text)))
    if reading.slot == "home" and not is_place(phrases[0] if phrases else ()):
        reading.slot = ""
    return Frame(
        subject=reading.subject,
        voice=Voice.IMPERATIVE if imperative else reading.voice,
        predicate=reading.predicate or ANY_PREDICATE,
        negated=reading.negated,
        tense=Tense.ENDED if ended else Tense.PAST if reading.past else Tense.PRESENT,
        phrases=phrases,
        slot=reading.slot,
        value=phrases[0] if reading.slot and phrases else (),
        contrast=contrast,
        moved=reading.moved,
        added=added,
        emphatic=emphatic,
        hypothetical=hypothetical,
    )


def _read_subject(reading: _Reading) -> None:
    if found := _KINS_NAME.match(reading.text):
        reading.subject, reading.voice = found["kin"], Voice.FIRST
        reading.slot, reading.predicate = "name", "name"
    elif found := _OWNED.match(reading.text):
        slot = owned_slot(("favourit", found["thing"])) if found["best"] else _slot_of(found["what"])
        reading.slot, reading.predicate, reading.voice = slot, "name" if slot == "name" else "be", Voice.FIRST
    elif found := _POSSESSED.match(reading.text):
        reading.subject, reading.voice = found["own"] or found["kin"], Voice.FIRST
    elif found := _NAMED_KIN.match(reading.text):
        reading.subject, reading.voice = " ".join((found["kin"], *pieces(found["name"]))), Voice.FIRST
    elif found := _SELF.match(reading.text):
        reading.voice = Voice.NAMED if OWNER in found["first"] else Voice.FIRST
    elif found := _THIRD.match(reading.text):
        reading.voice = Voice.THIRD
    elif found := _YOU.match(reading.text):
        reading.subject, reading.voice = "you", Voice.THIRD
    else:
        _read_topic(reading)
        return
    reading.text = reading.text[found.end() :]


def _slot_of(what: str) -> str:
    return _SLOT_NAMES.get(what, f"my {what}")


def _read_topic(reading: _Reading) -> None:
    """Read a topic of its own: whom the clause is about where more content follows, else what it is about."""
    found = _TOPIC.match(reading.text)
    if not found:
        return
    rest = _Reading(text=reading.text[found.end() :])
    _read_end(rest)
    is_state = rest.predicate in {"be", "live", "work", "name"} or rest.predicate not in {"", ANY_PREDICATE}
    if is_state and rest.text:
        reading.subject, reading.voice = found["topic"], Voice.THIRD
        reading.text = reading.text[found.end() :]


def _read_end(reading: _Reading) -> None:
    """Read negations and the predicate from the end."""
    if found := _cut(reading, _DOUBLE):
        reading.negated = not reading.negated
    if _cut(reading, _QUIT):
        reading.negated = not reading.negated
        reading.predicate = ANY_PREDICATE
        return
    if _read_modal(reading) or _read_age(reading):
        return
    if _cut(reading, _NEVER_WAS):
        reading.negated, reading.past, reading.predicate = not reading.negated, True, reading.predicate or "be"
        return
    if _cut(reading, _NEVER_DID):
        reading.negated, reading.past = not reading.negated, True
    if found := _cut(reading, _NOUN_NOT):
        reading.negated = not reading.negated
        reading.past = bool(found["past"])
        _read_state(reading)
    elif found := _cut(reading, _NOUN_IS):
        reading.past = bool(found["past"])
        _read_state(reading)
    else:
        _read_verb(reading)


def _read_modal(reading: _Reading) -> bool:
    for pattern, predicate, negates in (
        (_NO_WANT, "want", True),
        (_WANT, "want", False),
        (_CANNOT, "can", True),
        (_CAN, "can", False),
    ):
        if _cut(reading, pattern):
            reading.predicate = predicate
            reading.negated ^= negates
            return True
    return False


def _read_state(reading: _Reading) -> None:
    if not reading.predicate and (found := _cut(reading, _ADJECTIVE)):
        reading.predicate = found["stem"]
        return
    if not (_read_age(reading) or _known(reading)):
        reading.predicate = reading.predicate or "be"


def _read_age(reading: _Reading) -> bool:
    found = _cut(reading, _AGE)
    if found:
        reading.predicate, reading.slot, reading.extra = "be", "age", found["age"]
    return found is not None


def _read_verb(reading: _Reading) -> None:
    if found := _cut(reading, _VERB_NOT):
        reading.negated = not reading.negated
        reading.past = bool(found["past"])
    elif found := _cut(reading, _VERB_PAST):
        reading.past = True
        reading.text += "て" if found.group().startswith("て") else "で"
    if _known(reading):
        return
    if reading.predicate:
        return
    is_verb = reading.negated or re.search(r"[るうくすむぶぬつたてまい]$", reading.text)
    if is_verb and (found := _cut(reading, _VERB)):
        reading.predicate = found["stem"]
    elif not is_verb and reading.subject and _NOUN_END.search(reading.text):
        reading.predicate = "be"


def _known(reading: _Reading) -> bool:
    if reading.slot:
        return True
    for pattern, predicate, slot in _PREDICATES:
        if _cut(reading, pattern):
            reading.predicate = {"moved": "live", "left": "live", "hate": "like"}.get(predicate, predicate)
            reading.slot = slot
            reading.moved = predicate == "moved"
            reading.negated ^= predicate in {"left", "hate"}
            return True
    return False


def _cut(reading: _Reading, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Take the pattern from the end; None, and nothing taken, where it isn't there."""
    found = pattern.search(reading.text)
    if found:
        reading.text = reading.text[: found.start()]
    return found


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(phrase for part in _PARTED.split(text) if (phrase := pieces(part)))


def _of_objects(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the content in phrases, each with what tells more of its head: フェレットについての本 is one."""
    parts = _JOINED.split(_ABOUT.sub("の", text))
    return tuple(
        phrase for part in parts if (phrase := tuple(one for of in _OF.split(part) for one in pieces(of)))
    )
