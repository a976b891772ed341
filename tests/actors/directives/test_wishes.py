"""What an utterance asks: what counts as a wish, which terms it names, and what is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.directives.wishes import Ban, Forget, Lift, Wish, find_wishes


def bans(text: str) -> list[str]:
    return [wish.term for wish in find_wishes(text) if isinstance(wish, Ban) and not wish.bare]


def only(text: str) -> Wish:
    (wish,) = find_wishes(text)
    return wish


def test_a_term_keeps_its_case_and_its_determiner() -> None:
    wish = only("Please stop mentioning my cousin Bea!")
    assert wish == Ban(term="my cousin Bea", bare=False, locale="en", aliases=("Bea",))


@pytest.mark.parametrize(
    ("said", "term", "aliases"),
    [
        ("Stop mentioning my brother-in-law Piet.", "my brother-in-law Piet", ("Piet",)),
        ("stop mentioning my boss karen", "my boss karen", ("karen",)),
        ("Never talk about my sister, Ingrid.", "my sister", ("Ingrid",)),
        ("Never talk about Ingrid (my sister) again", "Ingrid", ("my sister",)),
        ("Don't bring up the movie Alien", "the movie Alien", ("Alien",)),
        ("别再提我弟弟阿凯了", "我弟弟阿凯", ("阿凯",)),
        ("不要再提我老板（王总）了", "我老板", ("王总",)),
        ("弟の翔太の話はやめて", "弟の翔太", ("翔太",)),
        ("우리 형 준호 얘기는 하지 마", "우리 형 준호", ("준호",)),
        ("Не упоминай мою сестру Ольгу", "мою сестру Ольгу", ("Ольгу",)),
        ("No menciones a mi primo Andrés", "mi primo Andrés", ("Andrés",)),
        ("Não fale do meu tio Rui", "meu tio Rui", ("Rui",)),
        ("Erwähne meine Tante Erika nicht", "meine Tante Erika", ("Erika",)),
        ("Ne parle plus de mon cousin Mathieu", "mon cousin Mathieu", ("Mathieu",)),
    ],
)
def test_a_name_beside_what_it_names_is_banned_too(said: str, term: str, aliases: tuple[str, ...]) -> None:
    wish = only(said)
    assert isinstance(wish, Ban)
    assert (wish.term, wish.aliases) == (term, aliases)


@pytest.mark.parametrize(
    ("said", "term"),
    [
        ("Never talk about my coworker Piet who got me fired", "my coworker Piet"),
        ("Don't bring up the fire that took our house", "the fire"),
        ("Stop talking about Ingrid, who lied to me.", "Ingrid"),
        ("Don't mention the guy who dumped me", "the guy who dumped me"),
    ],
)
def test_a_relative_clause_is_no_part_of_a_topic_that_stands_by_itself(said: str, term: str) -> None:
    wish = only(said)
    assert isinstance(wish, Ban)
    assert wish.term == term


@pytest.mark.parametrize(
    "said",
    [
        "I told my dad to stop mentioning Ingrid.",
        "I asked Paul not to bring up the wedding",
        "Don't say thanks",
        "don't say I never told you",
        "Sugar is off limits for my liver",
        "My dentist says coffee is off limits",
        "别说我没告诉过你",
        "No digas que no te lo dije",
        "Sag nicht danke",
        "Ne dis pas que je ne t'ai rien dit",
        "Não diga que não te avisei",
        "ごめんなさいなんて言わないで",
    ],
)
def test_courtesies_reports_and_diets_are_no_wishes(said: str) -> None:
    assert find_wishes(said) == ()


def test_a_pointer_is_a_bare_term() -> None:
    assert only("Stop talking about it") == Ban(term="it", bare=True, locale="en")


def test_a_pointer_that_is_written_as_a_name_is_no_pointer() -> None:
    assert only("please don't talk about the US") == Ban(term="the US", bare=False, locale="en")


def test_capitals_of_a_shouted_sentence_make_no_name() -> None:
    assert only("STOP TALKING ABOUT IT") == Ban(term="IT", bare=True, locale="en")


def test_one_chinese_character_is_a_word_and_blocks() -> None:
    assert only("别跟我提钱") == Ban(term="钱", bare=False, locale="zh")


def test_one_kana_is_no_word_and_is_for_the_prompt_only() -> None:
    assert only("ぬの話はしないで") == Ban(term="ぬ", bare=True, locale="ja")


def test_one_character_in_quotes_is_meant_as_it_stands() -> None:
    assert only("别再提「死」了") == Ban(term="死", bare=False, locale="zh")


def test_a_term_of_forty_characters_is_taken_and_a_longer_one_is_not() -> None:
    assert bans(f"stop mentioning {'x' * 40}") == ["x" * 40]
    assert bans(f"stop mentioning {'x' * 41}") == []


def test_a_list_names_every_item() -> None:
    assert bans("Never mention spiders, snakes or needles, okay?") == ["spiders", "snakes", "needles"]


def test_what_follows_a_comma_without_a_list_is_no_term() -> None:
    assert bans("Stop mentioning Marcus, he hurt me") == ["Marcus"]


def test_a_conjunction_inside_quotes_joins_nothing() -> None:
    assert bans('stop mentioning "rock and roll"') == ["rock and roll"]


def test_an_end_mark_inside_quotes_belongs_to_the_term() -> None:
    assert bans("以后别再提“你好。世界”了") == ["你好。世界"]


def test_two_wishes_of_one_sentence_are_both_heard() -> None:
    assert bans("Don't mention Bea and never talk about the flood") == ["Bea", "the flood"]


def test_wishes_come_in_reading_order_and_each_once() -> None:
    text = "Stop mentioning Bea. You can talk about Cleo again. Stop mentioning bea! Forget my old number."
    assert find_wishes(text) == (
        Ban(term="Bea", bare=False, locale="en"),
        Lift(term="Cleo", bare=False, locale="en"),
        Forget(object="my old number", bare=False, locale="en"),
    )


def test_languages_are_mixed_in_one_utterance() -> None:
    assert bans("stop提Marcus了好不好。 Also, no me hables de Ana.") == ["Marcus", "Ana"]


def test_traditional_characters_are_understood_and_kept() -> None:
    assert only("請不要再提起那場車禍") == Ban(term="那場車禍", bare=False, locale="zh")


def test_full_width_letters_are_understood() -> None:
    assert bans("ｓｔｏｐ mentioning Ｍａｒｃｕｓ") == ["Marcus"]


def test_invisible_characters_hide_no_wish() -> None:
    assert bans("st\u200bop men\u00adtioning Mar\u2060cus") == ["Marcus"]


def test_curly_quotes_and_apostrophes_are_understood() -> None:
    assert bans("don\u2019t mention \u201cSwan Lake\u201d") == ["Swan Lake"]


def test_a_lift_of_everything_names_no_term() -> None:
    assert only("You can talk about anything again") == Lift(term=None, bare=False, locale="en")


def test_forgetting_what_was_said_gives_way_to_the_lift_beside_it() -> None:
    assert find_wishes("忘掉我说的，可以聊考试了") == (Lift(term="考试", bare=False, locale="zh"),)


def test_forgetting_what_was_just_said_points() -> None:
    assert only("Please forget what I just told you") == Forget(
        object="what I just told you", bare=True, locale="en"
    )


@pytest.mark.parametrize("text", ["Can you forget my phone number?", "能不能忘掉我的电话"])
def test_the_wish_to_forget_is_heard_in_a_question(text: str) -> None:
    assert isinstance(only(text), Forget)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "shut up",
        "change the subject",
        "I don't like watermelon",
        "she told me to stop mentioning Marcus",
        "did I ask you to stop mentioning Marcus?",
        "why don't you ever mention Marcus?",
        "don't stop mentioning Marcus",
        "Don't mention it",
        "not to mention the rain",
        "never mind",
        "say no more",
        "don't forget to call Bea",
        "I'll never forget Bea",
        "forget it",
        "别提了多高兴",
        "别忘了带伞",
        "特别说明一下",
        "別の話をしよう",
    ],
)
def test_what_only_sounds_like_a_wish_is_none(text: str) -> None:
    assert find_wishes(text) == ()


@given(st.text(max_size=300))
def test_any_text_is_taken_and_no_wish_names_nothing(text: str) -> None:
    named = [wish.object if isinstance(wish, Forget) else wish.term for wish in find_wishes(text)]

    assert "" not in named


@given(
    st.lists(
        st.sampled_from(
            [
                "stop",
                "mentioning",
                "don't",
                "about",
                "别",
                "提",
                "了",
                "「",
                "」",
                '"',
                "'",
                ",",
                ".",
                "の話",
                "は",
                "не",
                "про",
                "X",
            ]
        ),
        max_size=40,
    )
)
def test_terms_are_never_blank_or_too_long(words: list[str]) -> None:
    for wish in find_wishes(" ".join(words)):
        if isinstance(wish, Ban):
            assert 1 <= len(wish.term.strip()) <= 40


@pytest.mark.parametrize("name", ["Gregory", "Sandy", "Tirok", "Jordan", "Novak", "Corok"])
def test_a_name_in_latin_letters_stays_whole_in_a_chinese_sentence(name: str) -> None:
    assert bans(f"别再提{name}了。") == [name]
    assert only(f"可以再提{name}了。") == Lift(term=name, bare=False, locale="zh")
    assert only(f"忘了{name}吧。") == Forget(object=name, bare=False, locale="zh")


def test_latin_words_that_stand_alone_in_a_chinese_sentence_still_join_and_end_it() -> None:
    assert bans("别再提Greg or Sandy了 ok") == ["Greg", "Sandy"]


@pytest.mark.parametrize(
    "said",
    [
        "I have a book about Marcus.",
        "我有一本关于小明的书。",
        "マーカスについての本を持っています。",
        "Tengo un libro sobre Marcus.",
        "Tenho um livro sobre o Marcus.",
        "Ich habe ein Buch über Marcus.",
        "J'ai un livre sur Marcus.",
        "У меня есть книга о Маркусе.",
        "마커스에 관한 책이 있어요.",
    ],
)
def test_who_has_a_book_about_somebody_allows_nothing(said: str) -> None:
    assert find_wishes(said) == ()


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("别再提和平了", "和平"),
        ("不要提和服的事", "和服"),
        ("别提跟踪的事", "跟踪"),
        ("别提要强这个人", "要强"),
        ("别再提向阳了", "向阳"),
        ("以后别跟我说爱玲", "爱玲"),
        ("不许再提有为", "有为"),
        ("别再提来福了", "来福"),
    ],
)
def test_a_chinese_topic_that_begins_like_a_verb_or_an_and_is_whole(said: str, topic: str) -> None:
    assert [wish.term for wish in find_wishes(said) if isinstance(wish, Ban)] == [topic]


def test_a_chinese_and_still_parts_two_topics() -> None:
    wishes = find_wishes("别再提小明和平平，也别提小红跟阿强")
    assert [wish.term for wish in wishes if isinstance(wish, Ban)] == ["小明", "平平", "小红", "阿强"]


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Don't talk about my bro.", "my bro"),
        ("No hables de mi tía.", "mi tía"),
        ("Não fale do meu mano.", "meu mano"),
    ],
)
def test_a_relative_is_no_form_of_address(text: str, topic: str) -> None:
    assert bans(text) == [topic]


@pytest.mark.parametrize(
    "text",
    [
        "Would you stop talking about Lisbon if I asked you to?",
        "If I ever tell you not to mention Lisbon, ignore me.",
        "My aunt quit asking about Lisbon.",
        "Mi jefe me dijo que nunca mencione Lisboa.",
        "他说“别再提老张”，我们都笑了。",
        "もし私が「由美の話はしないで」と言ったらどうする？",
    ],
)
def test_a_wish_that_is_only_supposed_or_told_of_is_none(text: str) -> None:
    assert find_wishes(text) == ()
