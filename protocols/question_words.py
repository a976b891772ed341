"""Words and pairs of characters that only ask: a question that shares these with a text shares nothing.

For questions alone; what is stored keeps them. English has its list in `stopwords`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .scripts import words

JAPANESE_PAIRS: Final = words("""
    して てい いる った てる ます です した いた まし ませ せん でし って てく くれ れれ れば れた
    どん んな とい いう から ので でい でる どこ こに こで なに 何を 何が 何の 何で だれ 誰が 誰の 誰と いつ
    つの なん んで なの のは どう うし 私の 私は 僕の 僕は 俺の
    """)

CHINESE_PAIRS: Final = words("""
    我的 我是 我有 我在 我们 你的 你是 他的 她的 的是 是什 什么 么时 时候 是谁 谁是 哪里 在哪 哪儿
    哪个 个是 是不 不是 有没 没有 怎么 么样 多少 为什 了什 么了 叫什 吗 呢 吧
    """)

KOREAN_PAIRS: Final = words("""
    뭐야 누구 구야 어디 디야 무슨 언제 제야 있어 어요 했어 에요 예요 이에 이야 나요 내가 저는 제가
    """)

FOREIGN: Final[Mapping[str, frozenset[str]]] = {
    "es": words("""
    el la los las lo un una unos unas de del al a y e o u que quien quienes cual cuales como donde cuando
    cuanto cuantos cuanta cuantas por para con sin en es son soy eres era fue fui ser esta estan estoy estar
    hay mi mis tu tus su sus me te se nos le les yo el ella ellos nosotros muy mas este esto eso no si ya
    pero porque he ha has habia tengo tiene hice
    """),
    "de": words("""
        der die das den dem des ein eine einen einem einer und oder was wer wen wem wie wo wohin woher wann
        warum wieso welche welcher welches welchen wogegen womit ist sind bin bist war waren habe hast hat
        haben hatte ich du er sie es wir ihr mich mir mein meine meinen meinem meiner dein deine sein seine
        von vom zu zum zur mit in im am an auf bei fur nicht auch noch als wenn dass
        """),
    "fr": words("""
        le la les l un une des du de d et ou ou qui que qu quoi quel quelle quels quelles comment quand
        combien pourquoi est ce c suis es sont etait ai as a avons avez ont je j tu il elle on nous vous ils
        elles me m te t se s mon ma mes ton ta tes son sa ses notre nos votre vos leur au aux en dans sur
        pour par avec sans ne n pas y fait
        """),
    "pt": words("""
        o a os as um uma uns umas de do da dos das no na nos nas em e ou que quem qual quais como onde
        quando quanto quantos quantas por para com sem ao aos eu tu ele ela nos voce eles elas me te se meu
        minha meus minhas teu tua seu sua e sao sou era foi fui esta estou estao ha nao sim ja mas porque
        tenho tem fiz
        """),
    "ru": words("""
        и в во не на я он она оно они мы вы ты что кто где куда откуда когда как какая какой какое какие
        почему зачем сколько с со у к о об от до из за по для а но или мне меня мой моя мое мои моего моей
        мою моих тебя тебе его ее их это этот эта то был была было были есть ли же бы
        """),
}
"""By language, without accents, as `tokens.words_of` gives words."""
