"""What a Japanese sentence claims. The predicate ends the sentence, so most rules look at its end."""

from __future__ import annotations

import re
from typing import Final

from ....protocols.scripts import HAN, words
from . import chatter
from .claims import (
    CHATTER_CHARS,
    CORE,
    DEVELOPMENT,
    HEALTH,
    IDENTITY,
    PREFERENCE,
    Claim,
    Person,
    any_of,
    plain,
)
from .outline import Steps, read, seams

_TAIL: Final = r"[\s。．.！!…~～〜ー♪笑wｗ☆\W]*$"
_NEAR_END: Final = 40
_GREETINGS: Final = any_of(
    words(
        "こんにちは こんばんは おはようございます おはよう おやすみなさい おやすみ ありがとうございます "
        "ありがとう ありがと どうも さようなら "
        "じゃあね じゃあまた じゃね またね また明日 バイバイ ごめんなさい ごめんね ごめん すみません "
        "すいません お疲れ様です お疲れ様でした お疲れ様 "
        "おつかれ お疲れ ただいま おかえりなさい おかえり いただきます ごちそうさまでした ごちそうさま "
        "はじめまして よろしくお願いします よろしくね "
        "よろしく おめでとうございます おめでとう 久しぶり お久しぶりです やあ もしもし いってきます "
        "行ってきます いってらっしゃい"
    )
)
_FILLERS: Final = any_of(
    words(
        "はい うん ううん ええ いいえ いや いえ えっと ええと えーと えー あの あのね あのさ まあ うーん "
        "ねえ ねぇ ねえねえ そう そうです そうですね そうだね "
        "そうなんだ そうなの そっか そうか なるほど すごい へえ へー ふーん わかった わかりました 了解 "
        "了解です 了解しました やった いいね いいよ いいですね 確かに "
        "たしかに 本当 本当に ほんと ほんとに まじ まじで マジで やばい 実は 正直 じゃあ じゃ では でも "
        "だから それで それに あと ちなみに そういえば "
        "違う 違います 違うよ ちがう ちがうよ ちがいます 違うんです そうじゃない そうじゃなくて 間違ってる "
        "間違ってるよ わあ わー あはは はは ふふ 笑 おお オッケー もちろん "
        "聞いて 聞いてよ ねえ聞いて ねえ聞いてよ 聞いてください "
        "別に なんでもない 何でもない 知らない 知ってる 知ってます わからない 分からない 分かった わたしも "
        "私も 僕も 俺も 同感 えへへ ok hi hello"
    )
)
_MARK: Final = "[、，,。．.!！…~～〜：:]"
_ANSWER: Final = re.compile(rf"(?:{_GREETINGS}|{_FILLERS})[\W_ー笑wｗ]*")
_LEAD: Final = re.compile(
    rf"\s+|(?:{_GREETINGS}|{_FILLERS})\s*(?:{_MARK}|\s)+|{_MARK}+|\*[^*\n]{{1,200}}\*|<[^<>\n]{{1,100}}>|"
    rf"（[^（）\n]{{1,60}}）"
    r"|(?:でも|だから|実は|ちなみに|それに)(?=私|僕|俺|あたし|わたし|ぼく)"
    # A transcript of speech has no marks: "えっと郵便局で ...".
    r"|(?:えっと|えーっ?と|ええと|そういえば|正直(?:に言うと|言って|なところ)|実を言うと|ここだけの話|聞いてよ"
    r"|ねえねえ|いやいや|うーんと|あのね|そうそう)(?=\S)",
)
_REMEMBER_FIRST: Final = re.compile(
    r"(?:ちゃんと|絶対に?|よく)?(?:覚えておいて|覚えといて|覚えてて|忘れないで)(?:ください|下さい|ね|"
    r"よ)*[、，,：:。]\s*"
)
_REMEMBER_LAST: Final = re.compile(
    rf"(?:だ|です)?(?:って(?:いう)?(?:ことを?)?|という?(?:ことを?)?|(?:という|な)?こと[をは]|と|を|"
    rf"、)(?:ちゃんと|絶対に?|よく)?"
    rf"(?:覚えておいて|覚えといて|覚えてて|覚えて|忘れないで)(?:ください|下さい|ほしい|ね|よ)*{_TAIL}",
)
_ASKED: Final = re.compile(r"[?？][\W_]*$")
_QUESTION_END: Final = re.compile(
    rf"(?:です|ます|でした|ました|ません|だった|る|た|う|く|ない|たい|の|ん|しょう|だろう|こと)か(?:な|ね|"
    rf"しら|い)?{_TAIL}|(?:だっけ|たっけ|かしら|かな){_TAIL}",
)
_ASKING_START: Final = re.compile("(?:なんで|何で|どうして|なぜ)(?!も|か)")
_ASKING: Final = re.compile(
    r"(?:何|なに|(?<!\w)なん|誰|だれ|どこ|いつ|なぜ|なんで|どうして|どう|どんな|どの|どれ|どっち|いくつ|いくら|何歳|何時)"
    r"(?:して|した|食べ|飲み|見)?(?:です|ます|だ|の|なの|が|を|に|で|と|いる|る|い)?(?:いい|好き|だった|"
    r"でした|思う|した|する|したい|いる|るの|ます)?(?:の|か|なの)?[\s。．.！!…~～〜]*$",
)
_ASKED_TO_THINK: Final = re.compile(
    rf"(?:何|なに|誰|だれ|どこ|いつ|どう|どんな|どの|どれ|どっち|どちら)[^、。]{{0,30}}と思(?:う|います|いますか){_TAIL}"
)
_SEAM: Final = re.compile(r"[、，,]|(?<=です)が|(?<=ます)が|(?<=だ)けど|(?<=です)けど|(?<=る)けど|\s+")
_ASKED_START: Final = re.compile(
    r"(?:(?:で|じゃあ|それで|では)[、，,]?)?(?:あなた|君|きみ|そっち|そちら|お前|みんな)(?:は|って|も|の)|"
    r"(?:どう|何|なに|誰|どこ|いつ|なぜ|なんで)|いい(?:です)?か|覚えて(?:る|ます)|知って(?:る|ます)",
)
_SUBORDINATE_END: Final = re.compile(r"(?:とき|時|たら|れば|なら|ので|から|前に|後で|あと|は)$")
_COMMAND: Final = re.compile(
    rf"(?:てください|て下さい|でください|で下さい|ください|下さい|てくれ|でくれ|てくれる|てちょうだい|"
    rf"なさい|ないで(?:ね|よ)?|やめて(?:ね|よ)?|やめろ|お願い(?:します|ね)?|"
    rf"(?<![てでっん])て(?:ね|よ)?|って(?<!だって)(?<!って)(?:ね|よ)?|(?<=[んい])で(?:ね|よ)?|"
    rf"ましょう(?:か|よ|ね)?|"
    rf"(?<=[いきしちにみりぎびおこそとのもろごぼ])う(?:よ|ね)?|(?<=[てで])ほしい(?:な|です|んだ)*|"
    rf"(?<=[てで])もらいたい|(?<=[うくすつぬむるぐぶ])な|しろ|せよ|禁止){_TAIL}",
)
_FORBIDDING: Final = re.compile(rf"(?:ないで|やめて){_TAIL}")
_VOLITION: Final = re.compile(
    rf"(?:と思う|と思います|だろう|でしょう|思う|もらう|買う|使う|違う|言う|歌う|会う|習う|通う|吸う|洗う|"
    rf"笑う|合う|払う|従う|迷う|思うよ|(?<![話出返探直試許消])そう){_TAIL}"
)
_PROGRESSIVE: Final = re.compile(rf"(?:てて|でて|んでて|いて|で|なくて){_TAIL}")
_NICKNAME: Final = re.compile(r"[^、。]{1,20}(?:って|と)呼んで")
_UNREAL: Final = re.compile(
    r"もし(?!もし)|仮に|たとえば|想像して|例えば|万が一"
    r"|(?:映画|ドラマ|漫画|小説|アニメ|歌|本)(?:で|の中で|だと|では)[^。]{0,40}(?:って言|と言|って歌)"
    r"|[^。、]{0,6}(?:映画|ドラマ|漫画|小説|アニメ|ゲーム|夢|物語)の中で"
)
_CONDITION: Final = re.compile(r"(?:たら|れば)[^、]{0,3}[、，]?")
_WISHED: Final = re.compile(
    rf"(?:たい|のに|だろう|でしょう|だろうな|かも|かもしれない|よかった|いいな|いいのに|たいな|たいです|"
    rf"たいと思う)(?:です|な[あぁー]?|ね|よ)*{_TAIL}"
)
_JOKE: Final = re.compile(
    r"冗談|なんちゃって|なんてね|うそだよ|嘘だよ|嘘です|ウソだよ|からかった|ジョーク(?:です|だよ)"
)
_JOKE_ALONE: Final = re.compile(
    r"(?:あはは|はは|えへへ|ごめんね|ごめん|今の|いまの|さっきの|ただの|というのは|もちろん|全部|は|、|\s)*+"
    r"(?:冗談|嘘|うそ|ウソ|ジョーク|なんちゃって|なんてね)(?:です|だけど|だよ|だ|よ|ね|でした|っす|うそ|嘘|ウソ|[\W_w笑])*+",
)
_FEELING: Final = re.compile(
    any_of(
        words(
            "私 わたし 僕 俺 今日 今 とても すごく めっちゃ めちゃ 本当に ほんとに マジで まじで ちょっと "
            "少し なんか もう は が も に と で の を です ます "
            "でした ました だ だった よ ね な なあ さ わ ぞ の ん かな けど から し って 嬉しい うれしい "
            "悲しい かなしい 楽しい 楽しかった 嬉しかった 悲しかった "
            "寂しい さみしい さびしい 辛い つらい 疲れた 疲れ つかれた 眠い ねむい お腹すいた おなかすいた "
            "腹減った 暇 ひま 怖い こわい 最高 最悪 幸せ "
            "やばい すごい かわいい 面白い 面白かった いい よかった 良かった 大丈夫 好き 大好き 嫌い 君 "
            "あなた 愛してる 会いたい 泣きたい 泣いた 笑った "
            "ムカつく イライラ する した します してる ドキドキ ワクワク 気分 気持ち 感じ 元気 そう 思う "
            "思います うん はい ありがとう ごめん わかる わかった 残念 きつい しんどい だるい それ これ "
            "びっくり 感動 心配 不安 緊張 恥ずかしい 羨ましい"
        )
    )
    + r"|[\W_]|ー|笑|w",
)
_PREDICATE: Final = re.compile(
    rf"(?:です|ます|ました|でした|ません|ない|なかった|たい|だ|だった|である|[うくすつぬむるぐぶ]|い|た|ん|"
    rf"の|こと|苦手|得意|好き|嫌い|下手)(?:よ|ね|な|なあ|なぁ|わ|さ|ぞ|けど|から|し|が|ので|んだ|んです|のだ|よね)*{_TAIL}|[てで](?:さ|ね){_TAIL}",
)
_HABIT: Final = re.compile(
    rf"(?:毎[日朝昼晩夜週月年回]|週に?[0-9一二三四五六]回?|いつも|普段|休日|週末)[^、。]{{1,20}}(?:して(?:い)?(?:る|ます)|する|します)"
    rf"(?:よ|ね|んだ|んです)*{_TAIL}"
)
"""What somebody does as a rule, said without a particle: 毎朝ジョギングしてる."""

_POLITE: Final = re.compile(rf"(?:です|ます|ました|でした|ません|だった|だよ|した)(?:よ|ね|けど)*{_TAIL}")
_PARTICLE: Final = re.compile(rf"[{HAN}\w](?:は|が|を|に|で|と|も|から|まで|って)")
_TOPIC: Final = re.compile(r"[^、，\s]{1,20}?(?:は|が)(?!ん)")
_OWN_TOPIC: Final = re.compile(
    r"(?:趣味|仕事|名前|誕生日|出身|職業|年齢|血液型|特技|夢|専攻|実家|家|苗字|あだ名|好物|大学|学校|会社|"
    r"彼女|彼氏|今日|昨日|明日|明後日|最近|今|週末|来週|先週|来月|先月|去年|来年|今年|昔|普段|毎日|毎朝|"
    r"将来|本当|休日|朝|夜|父|母|両親|兄|姉|弟|妹|妻|夫|主人|旦那|嫁|娘|息子|子供|祖父|祖母|家族|"
    r"うち)(?:の[^、，\s]{1,10}?)?(?:は|が)",
)
_OWN_PREDICATE: Final = re.compile(
    r"(?:が|は)(?:大|とても|すごく|あまり|一番|少し|本当に)?(?:好き|嫌い|苦手|得意|欲しい|ほしい|食べられ|"
    r"飲め|でき|ある|あり|いる|い[まて]|怖い|必要|上手|わか|分か|飼)|アレルギー",
)
_PERSONS: Final = re.compile(
    r"(?P<plural>私たち|私達|僕たち|僕達|僕ら|俺たち|俺ら|わたしたち|二人の?|我々)|(?P<first>私|わたし|僕|"
    r"ぼく|俺|おれ|あたし|自分|うち(?=は|の|が|も)|わし)"
    r"|(?P<second>あなた|君(?=は|の|が|も|を|に|って)|きみ|お前)|(?P<third>彼女(?=は|の|も|と)|彼(?=は|の|"
    r"が|も|と)|あの人|その人|彼ら)"
)
_CUES: Final = (
    (
        IDENTITY,
        re.compile(
            r"名前は|名前が|といいます|と言います|と申します|って呼んで|と呼んで|と呼ばれ|あだ名|"
            r"ニックネーム|誕生日|生まれ(?:です|た|ました|だ)"
        ),
    ),
    (
        HEALTH,
        re.compile(
            r"アレルギー|糖尿病|喘息|ぜんそく|妊娠|手術|薬を|癌|がん(?:です|に)|うつ病|ベジタリアン|"
            r"ビーガン|菜食|高血圧|心臓病|入院|持病|食べられ(?:ない|ません)|診断|血液型|不眠"
        ),
    ),
    (
        CORE,
        re.compile(
            r"一番好き|大好き|大嫌い|住んで|出身|実家|地元|仕事|働い|勤め|会社|職業|専攻|大学|学生|看護師|"
            r"医者|教師|先生|エンジニア|会社員|父|母|両親|兄|姉|弟|妹|妻|夫|娘|息子|子供|祖父|祖母|"
            r"家族|彼氏|彼女|結婚|独身|飼って|歳(?:です|だ|に|$)|才です"
        ),
    ),
    (
        DEVELOPMENT,
        re.compile(r"転職|退職|辞め|昇進|別れ|離婚|卒業|合格|引っ越|婚約|亡くな|始め(?:た|ました)|入社|入学"),
    ),
    (
        PREFERENCE,
        re.compile(
            r"好き|嫌い|苦手|趣味|ハマ|はまって|欲しい|ほしい|たい|つもり|予定|最近|昨日|明日|来週|先週|"
            r"週末|新しい|よく[^な]"
        ),
    ),
)
_WEATHER: Final = re.compile(r"雨|雪(?!子|菜|乃|絵)|天気|晴れ|曇り|台風|風が強い|暑い|寒い|気温|雷")


def is_joke_alone(sentence: str) -> bool:
    """Return whether a sentence only says that the one before it was a joke."""
    return _JOKE_ALONE.fullmatch(sentence.strip()) is not None


def claim(sentence: str) -> Claim | None:
    """Return what the sentence claims, or None where it claims nothing worth remembering."""
    return read(sentence, _STEPS)


def _noted(folded: str, start: int) -> tuple[int, int] | None:
    end = len(folded)
    if asked_to := _REMEMBER_FIRST.match(folded, start):
        return asked_to.end(), end
    asked_to = _REMEMBER_LAST.search(folded, max(start, end - _NEAR_END))
    return (start, asked_to.start()) if asked_to else None


def _statement_end(folded: str, start: int) -> int:
    """Return where the statement ends that a question is hung on to, or the end of all."""
    end = len(folded)
    asked = _ASKED.search(folded, max(start, end - 10)) is not None
    if not asked:
        return end
    for seam in seams(_SEAM, folded, start):
        left = folded[max(start, seam.start() - _NEAR_END) : seam.start()]
        rest = _SEAM.match(folded, seam.end())
        tail_at = rest.end() if rest else seam.end()
        if _ASKED_START.match(folded, tail_at) and not _SUBORDINATE_END.search(left):
            end = seam.start()
    return end


def _states(body: str, named: bool) -> bool:  # noqa: FBT001 - one of the steps
    """Return whether a piece is a statement with a predicate and something to remember."""
    near = max(0, len(body) - _NEAR_END)
    is_chatter = len(body) <= CHATTER_CHARS and chatter.JAPANESE.fullmatch(body)
    if is_chatter or not _FEELING.sub("", body) or _is_greeting(body):
        return False
    if _NICKNAME.match(body) and not _ASKED.search(body, near):
        return True
    if _ASKED.search(body, near) or _QUESTION_END.search(body, near) or _ASKING.search(body, near):
        return False
    if (
        _ASKED_TO_THINK.match(body)
        or _ASKING_START.match(body)
        or _is_command(body, near)
        or _UNREAL.match(body)
        or _JOKE.search(body)
    ):
        return False
    if _CONDITION.search(body) and _WISHED.search(body, near):
        return False
    return any(pattern.search(body) for pattern in (_PARTICLE, _POLITE, _OWN_PREDICATE, _HABIT)) and (
        named or _PREDICATE.search(body, near) is not None or _OWN_TOPIC.match(body) is not None or "は" in body
    )


def _is_greeting(body: str) -> bool:
    return _ANSWER.fullmatch(body) is not None


def _is_command(body: str, near: int) -> bool:
    if _PROGRESSIVE.search(body, near) and not _FORBIDDING.search(body, near):
        return False
    return _COMMAND.search(body, near) is not None and _VOLITION.search(body, near) is None


def _person(body: str) -> Person:
    found = _PERSONS.search(body)
    if found is not None:
        if found["plural"]:
            return Person.FIRST_PLURAL
        if found["first"]:
            return Person.FIRST
        return Person.SECOND if found["second"] else Person.THIRD
    if _WEATHER.search(body):
        return Person.THIRD
    if _OWN_TOPIC.match(body) or _OWN_PREDICATE.search(body) or not _TOPIC.match(body):
        return Person.FIRST
    return Person.THIRD


_STEPS: Final = Steps(
    fold=plain,
    lead=_LEAD.match,
    noted=_noted,
    end=_statement_end,
    states=_states,
    person=_person,
    cues=_CUES,
    weather=_WEATHER,
    trivial=frozenset({Person.THIRD}),
)
