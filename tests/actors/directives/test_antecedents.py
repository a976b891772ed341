"""What a pronoun of a wish stands for, where the words before it make that plain."""

import pytest

from omoide.actors.directives.wishes import Ban, find_wishes


def banned(text: str, *before: str) -> list[tuple[str, bool]]:
    return [(wish.term, wish.bare) for wish in find_wishes(text, before=before) if isinstance(wish, Ban)]


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Petra? Never mention her again.", "Petra"),
        ("My stepfather... please don't talk about him.", "My stepfather"),
        ("Petra wrote to me last night. Please don't bring her up again.", "Petra"),
        ("I ran into Petra at the station. Never mention her.", "Petra"),
        ("As for Petra, never bring her up.", "Petra"),
        ("My cousin Petra is in town. Don't mention her.", "Petra"),
        ("My landlord shouted at me. Don't talk about him.", "My landlord"),
        ("The trial was awful. Don't bring it up again.", "The trial"),
        ("周敏？再也别提她了。", "周敏"),
        ("昨天老李又来找我。别再提他了。", "老李"),
        ("由美？あの人の話はもうしないで", "由美"),
        ("지훈? 그 사람 얘기 하지 마", "지훈"),
        ("Лена? Больше не говори о ней.", "Лена"),
        ("¿Lucía? No la menciones más.", "Lucía"),
        ("Beatriz? Nunca mais fale dela.", "Beatriz"),
        ("Jonas? Erwähne ihn nie wieder.", "Jonas"),
        ("Camille ? N'en parle plus jamais.", "Camille"),
        ("My uncle passed away in spring. Please don't mention it.", "My uncle"),
        ("I lost my shop last winter. Never bring it up.", "my shop"),
        ("I got evicted in May. Please don't talk about it.", "evicted"),
        ("I'm done with the whole band thing, don't bring it up.", "band"),
        ("Anything but golf, please. I can't stand hearing about it.", "golf"),
        ("I split up with Petra. I'd rather not hear her name.", "Petra"),
        ("我妈前年去世了，别再提这件事。", "我妈"),
        ("我跟周敏分手了，别再提她。", "周敏"),
        ("先月祖母が亡くなったんだ。その話はしないで。", "祖母"),
        ("Mi tía murió en abril. No hables de eso.", "Mi tía"),
        ("Meu tio morreu em abril. Não fale disso.", "Meu tio"),
        ("Mon oncle est mort en avril. N'en parle plus.", "Mon oncle"),
        ("Meine Tante ist im April gestorben. Sprich nicht darüber.", "Meine Tante"),
        ("Моя тётя умерла в апреле. Не говори об этом.", "Моя тётя"),
        ("지난달에 할머니가 돌아가셨어. 그 얘기는 하지 마.", "할머니"),
        ("姉と別居したばかりだから、彼女の話はしないで。", "姉"),
        ("Mi tía murió en abril, no quiero hablar de eso.", "Mi tía"),
        ("Je viens de perdre mon poste, évite d'en parler.", "mon poste"),
        ("Mio zio è morto in aprile. Non parlarmene più.", "Mio zio"),
    ],
)
def test_the_topic_that_was_just_named_takes_the_place_of_the_pronoun(said: str, topic: str) -> None:
    assert banned(said) == [(topic, False)]


@pytest.mark.parametrize(
    "said",
    [
        "Stop talking about him.",
        "I saw Lena and Tom yesterday. Never mention him again.",
        "Really? Stop talking about that.",
        "Okay? Don't talk about him.",
        "How are you? Never mention him again.",
        "Petra? She's nice. I like tea. I like rain. It is late. Never mention her again.",
        "真的？别再提他了。",
        "本当？あの人の話はしないで",
    ],
)
def test_where_the_topic_is_not_plain_the_pronoun_stays_for_the_prompt_alone(said: str) -> None:
    assert [bare for _, bare in banned(said)] == [True]


def test_the_topic_is_looked_for_in_what_was_said_before() -> None:
    assert banned("Never mention her again.", "How is Petra doing?") == [("Petra", False)]
    assert banned("Never mention her again.", "How is Petra doing?", "And what about Lena?") == [("Lena", False)]
    assert banned("Never mention her again.", "How are you?") == [("her", True)]


def test_a_pronoun_that_stands_for_nothing_before_it_stays() -> None:
    assert banned("Petra? Stop talking about myself.") == [("myself", True)]
