"""What is taken back in a message of its own isn't said."""

import time

import pytest

from omoide.protocols.clauses.afterthoughts import Afterthought, afterthought, is_wavering, puts_right


@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        ("My wedding day was the 4th of May.", "I mean the 5th of May.", "My wedding day was the 5th of May."),
        ("My dentist is Dr. Holm.", "Sorry, Dr. Holt.", "My dentist is Dr. Holt."),
        ("My boss is called Ruth", "no wait, Judith", "My boss is called Judith"),
        ("My boss is called Ruth.", "Her name isn't Ruth, it's Judith.", "My boss is called Judith."),
        ("我老板叫李明。", "她不叫李明，叫李敏。", "我老板叫李敏。"),
        ("猫の名前はタマです。", "タマじゃなくて、ミケです。", "猫の名前はミケです。"),
        ("Mein Hund heißt Rex.", "Er heißt nicht Rex, sondern Max.", "Mein Hund heißt Max."),
        ("I drive a Volvo.", "No, I drive a Saab.", "I drive a Saab."),
        ("我有两个孩子。", "不对，我有三个孩子。", "我有三个孩子。"),
        ("子供が二人います。", "違います、三人です。", "子供が三人います。"),
        ("Ich habe zwei Kinder.", "Nein, drei.", "Ich habe drei Kinder."),
        ("Vivo en Lima.", "Perdón, vivo en Cusco.", "vivo en Cusco."),
        ("J'ai deux enfants.", "Pardon, j'ai trois enfants.", "j'ai trois enfants."),
        ("У меня два кота.", "Ой, нет, у меня три кота.", "у меня три кота."),
        ("I drive a red Volvo.", "wait no, it's a Saab, not a Volvo", "I drive a red Saab"),
        ("I drive a red Volvo.", "did I say Volvo? I meant Saab", "I drive a red Saab"),
        ("I drive a red Volvo.", "actually it's a Saab", "I drive a red Saab"),
        ("My kitchen is red.", "my bad, it's blue", "My kitchen is blue"),
        ("I moved in on the 3rd of May", "oops sorry, I meant the 8th of June", "I moved in on the 8th of June"),
        ("I moved in on May 3rd.", "ugh typo, June 8th", "I moved in on June 8th"),
        ("Our cat is called Tilly", "*Milly", "Our cat is called Milly"),
        ("我喜欢吃绿豆糕", "啊打错了，是桂花糕", "我喜欢吃桂花糕"),
        ("我喜欢吃绿豆糕", "是桂花糕，不是绿豆糕", "我喜欢吃桂花糕"),
        ("我生日是5月3号", "打错字了，是6月8号", "我生日是6月8号"),
        ("好きな果物は梨", "ごめん、やっぱり柿だった", "好きな果物は柿です"),
        ("コンビニで働いてる", "あ、違う違う、コンビニじゃなくて薬局で働いてる。", "薬局で働いてる"),
        ("Tenho dois gatos.", "Quero dizer, tenho três gatos.", "tenho três gatos."),
    ],
)
def test_a_message_that_puts_the_one_before_right_takes_its_place(before: str, text: str, meant: str) -> None:
    assert afterthought(before, text) == Afterthought("", before, meant)


@pytest.mark.parametrize(
    "text",
    [
        "Just kidding!",
        "haha I was joking",
        "scratch that",
        "haha no I don't",
        "开玩笑的",
        "冗談だよ",
        "농담이야",
        "war nur Spaß",
        "es broma",
        "шучу",
    ],
)
def test_a_joke_takes_back_the_whole_message_before_it(text: str) -> None:
    assert afterthought("I was born on the moon. I am a queen.", text) == Afterthought(
        "", "I was born on the moon. I am a queen.", ""
    )


def test_only_the_last_sentence_is_put_right() -> None:
    assert afterthought("It rains. I live in Porto.", "No wait, in Braga.") == Afterthought(
        "It rains. ", "I live in Porto.", "I live in Braga."
    )


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("I like coffee.", "Actually, it's raining."),
        ("I have a dog.", "No, it's not big."),
        ("I live in Oslo.", "Sorry, Tom!"),
        ("I own a bakery.", "Seriously!"),
        ("I like tea.", "It is not bad, it's great."),
        ("I own a bakery.", "I have a joke for you."),
        ("I live in Oslo.", "I live in Porto, no wait, Braga."),
        ("I have a red bike.", "The kitchen is not red, it's white."),
        ("I drive a red Volvo.", "My brother drives a Saab, not a Volvo."),
        ("I drive a red Volvo.", "actually it's a nice car"),
        ("I drive a red Volvo.", "my bad, it's broken"),
        ("We picked a trail to explore.", "Should be a peaceful day!"),
        ("I drive a red Volvo.", "I meant what I said"),
        ("我喜欢喝乌龙茶", "我是开货车的"),
        ("我喜欢喝乌龙茶", "打错了"),
        ("我喜欢喝乌龙茶", "不好意思，我先走了"),
        ("好きな果物は梨", "ごめん、電話だった"),
        ("", "Just kidding!"),
    ],
)
def test_what_takes_nothing_back_leaves_the_message_before_it(before: str, text: str) -> None:
    assert afterthought(before, text) is None


def test_a_mere_no_answers_what_the_character_asked_in_between() -> None:
    said = ("I have a dog.", "No, I have a parrot.")
    assert (afterthought(*said, asked=True), afterthought(*said) is None) == (None, False)


def test_after_a_message_that_only_wavers_the_next_one_needs_no_mark() -> None:
    said = ("I have two children.", "I have three children.")
    assert (afterthought(*said, wavered=True) is None, afterthought(*said)) == (False, None)


@pytest.mark.parametrize(
    "text", ["Wait, no.", "That's not right.", "不对", "いや", "Nein.", "нет", "me equivoqué"]
)
def test_a_message_that_only_says_that_something_is_wrong_wavers(text: str) -> None:
    assert is_wavering(text)


@pytest.mark.parametrize("text", ["I'm wrong about Tom", "No, I live in Oslo", "Wait for me", "yes", ""])
def test_a_message_that_says_more_does_not_waver(text: str) -> None:
    assert not is_wavering(text)


@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        ("My flight is on Tuesday at 7.", "Oops, Wednesday I mean.", "My flight is on Wednesday at 7"),
        ("My son is nine.", "sorry, ten", "My son is ten"),
        ("We live on the third floor.", "fourth floor, sorry", "We live on the fourth floor"),
        ("She bakes in Turin.", "Sorry, not Turin, Trieste.", "She bakes in Trieste."),
        ("Mi vuelo sale el martes.", "Perdón, el miércoles.", "Mi vuelo sale el miércoles."),
        ("Mein Termin ist am Montag.", "Quatsch, am Dienstag.", "Mein Termin ist am Dienstag."),
        ("我的航班是周二。", "哦不对，是周三。", "我的航班是周三。"),
        ("Я родился в мае.", "Ой, в марте.", "Я родился в марте"),
        ("Il mio treno parte alle otto.", "Anzi, alle nove.", "Il mio treno parte alle nove"),
        ("I met Paolo in Rome.", "*Paola", "I met Paola in Rome"),
        ("Mon chat s'appelle Félix.", "Je veux dire Filou.", "Mon chat s'appelle Filou"),
    ],
)
def test_a_day_a_number_and_another_of_the_same_take_their_place(before: str, text: str, meant: str) -> None:
    found = afterthought(before, text)
    assert found is not None
    assert found.meant.rstrip(".") == meant.rstrip(".")


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Mi sono trasferita a Modena.", "Non sono più allergica alle noci."),
        ("Eu moro em Braga.", "Não gosto de café."),
        ("Ich wohne in Bremen.", "Nein, danke."),
        ("I live in Oslo.", "No wait, thanks."),
        ("I live in Oslo.", "*hugs*"),
        ("I live in Oslo.", "*really"),
    ],
)
def test_a_negation_or_a_courtesy_is_no_second_thought(before: str, text: str) -> None:
    assert afterthought(before, text) is None


@pytest.mark.parametrize(
    "piece",
    [
        " , ",
        "no ",
        "oh no, wait ",
        "haha ",
        "sorry, not in ",
        "不对，",
        "no wait, ",
        "the x isn't ",
        "* a",
        "い、",
        "哈",
        "うそ",
    ],
)
def test_a_message_of_nothing_but_marks_is_read_in_no_time(piece: str) -> None:
    said = piece * (1_900 // len(piece))
    start = time.thread_time()
    is_wavering(said)
    puts_right(said)
    afterthought("I have two cats.", said)
    afterthought(said[:1_000], "No wait, three.")
    assert time.thread_time() - start < 0.2
