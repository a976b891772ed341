"""What leaves a stream: whole sentences, none with a banned topic, and nothing else is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omoide.actors.directives.folding import fold_term
from omoide.actors.directives.matcher import Matcher, compile_terms
from omoide.actors.directives.streaming import MAX_SENTENCE_CHARS, SentenceGate
from omoide.protocols.records import Directive, DirectiveId


def directive(term: str, locale: str) -> Directive:
    return Directive(
        id=DirectiveId(term),
        key=fold_term(term),
        term=term,
        locale=locale,
        hits=1,
        first_said_at=0.0,
        last_said_at=0.0,
        turn=None,
    )


TERMS = (
    ("Marcus", "en"),
    ("my ex", "en"),
    ("spiders", "en"),
    ("Dr. Who", "en"),
    ("前女友", "zh"),
    ("我爸", "zh"),
    ("カニ", "ja"),
    ("разводе", "ru"),
    ("iPhone手机", "zh"),
    ("the breakup", "en"),
    ("Will", "en"),
)
MATCHER = compile_terms([directive(*term) for term in TERMS])

PIECES = st.sampled_from(
    [
        *("Marcus", "Mar", "cus", "mar", "ex", "your ", "spi", "der", "s", "Dr", ". ", "Who", "Mr. ", "Ann"),
        *(
            "前",
            "女友",
            "前女",
            "友",
            "你",
            "爸",
            "カ",
            "ニ",
            "に",
            "確か",
            "か",
            "развод",
            "а",
            "ов",
            "iPhone",
            " ",
            "手机",
        ),
        *(
            ".",
            "!",
            "?",
            "。",
            "！",
            "…",
            "\n",
            "\u200b",
            "\u00ad",
            '"',
            "」",
            ", ",
            "、",
            "  ",
            "x" * 90,
            "的" * 90,
            "é",
            "e\u0301",
        ),
        # What hides a term inside it, and terms in two words.
        *(
            "-\n",
            "**",
            "_",
            "~~~",
            "·",
            "-",
            "M.a.r.c",
            ".u.s",
            "\u041c\u0430r",
            "broke",
            " up",
            "breakup",
            "Will",
            " will ",
        ),
    ],
)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=80))


@st.composite
def chunked(draw: st.DrawFn) -> list[str]:
    """Any text, cut anywhere."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def run(
    chunks: list[str], matcher: Matcher = MATCHER, raised: frozenset[str] = frozenset()
) -> tuple[list[str], SentenceGate]:
    gate = SentenceGate(matcher, raised=raised)
    return [*(gate.push(chunk) for chunk in chunks), gate.close()], gate


@given(chunked())
@settings(max_examples=400)
def test_no_banned_topic_is_ever_released(chunks: list[str]) -> None:
    released, _ = run(chunks)
    assert MATCHER.find("".join(released)) == ()


@given(chunked())
def test_no_single_release_names_a_topic(chunks: list[str]) -> None:
    released, _ = run(chunks)
    assert [MATCHER.find(part) for part in released if MATCHER.find(part)] == []


@given(chunked())
@settings(max_examples=400)
def test_released_and_dropped_together_are_the_text(chunks: list[str]) -> None:
    released, gate = run(chunks)
    rest, text = "".join(released), ""
    for dropped in gate.dropped:
        missing = dropped.start - len(text)
        text, rest = text + rest[:missing] + dropped.text, rest[missing:]
    assert text + rest == "".join(chunks)


@given(chunked())
def test_where_the_text_is_cut_into_chunks_changes_nothing(chunks: list[str]) -> None:
    released, _ = run(chunks)
    at_once, _ = run(["".join(chunks)])
    assert "".join(released) == "".join(at_once)


@given(TEXTS)
def test_without_directives_everything_is_released(text: str) -> None:
    released, _ = run(list(text), compile_terms([]))
    assert "".join(released) == text


@given(TEXTS)
def test_only_sentences_that_name_a_topic_are_dropped(text: str) -> None:
    _, gate = run([text])
    assert not gate.dropped or MATCHER.find(text)


def test_a_term_that_is_split_over_chunks_is_caught() -> None:
    chunks = ["It is sunny. ", "Maybe Mar", "cus would like it. ", "Shall we walk?"]
    released, gate = run(chunks)
    assert "".join(released) == "It is sunny. Shall we walk?"
    assert [dropped.text for dropped in gate.dropped] == ["Maybe Marcus would like it. "]


def test_a_sentence_is_released_with_the_blank_after_it() -> None:
    gate = SentenceGate(MATCHER)
    assert [gate.push("It is sunny."), gate.push(" "), gate.push("Sh")] == ["", "It is sunny. ", ""]


def test_a_chinese_sentence_is_released_when_the_next_character_comes() -> None:
    gate = SentenceGate(MATCHER)
    assert [gate.push("今天很好。"), gate.push("」"), gate.push("走")] == ["", "", "今天很好。」"]


def test_a_number_does_not_end_a_sentence() -> None:
    gate = SentenceGate(MATCHER)
    assert gate.push("It costs 3.50 euros") == ""


def test_a_term_across_two_sentences_is_caught_with_its_last_part() -> None:
    released, _ = run(["I met a Dr! ", "Who is that? ", "Fine."])
    assert "".join(released) == "I met a Dr! Fine."


def test_a_topic_that_the_person_raised_may_be_spoken() -> None:
    released, gate = run(["Marcus wrote. ", "So did your ex."], raised=frozenset({"marcus"}))
    assert "".join(released) == "Marcus wrote. "
    assert len(gate.dropped) == 1


def test_a_text_without_an_end_is_released_by_bounded_pieces() -> None:
    gate = SentenceGate(MATCHER)
    released = gate.push("word " * 400)
    assert 2_000 - len(released) <= MAX_SENTENCE_CHARS + MATCHER.longest
    assert released.endswith(" ")


@pytest.mark.parametrize("filler", ["的", "x", "的 "])
@pytest.mark.parametrize("before", range(396, 402))
def test_a_forced_cut_splits_no_term(filler: str, before: int) -> None:
    text = (filler * before)[:before] + "前女友" + filler * 400
    released, _ = run(list(text))
    assert "前" not in "".join(released)


def test_a_piece_that_names_a_topic_by_itself_is_dropped() -> None:
    released, gate = run(["x" * MAX_SENTENCE_CHARS + "Marcus " + "y" * 2_000])
    assert [MATCHER.find(part) for part in released] == [() for _ in released]
    assert "Marcus" in gate.dropped[0].text


def test_a_closed_stream_takes_nothing_more() -> None:
    gate = SentenceGate(MATCHER)
    gate.close()
    with pytest.raises(ValueError, match="closed"):
        gate.push("x")


def test_closing_twice_releases_nothing_twice() -> None:
    gate = SentenceGate(MATCHER)
    gate.push("Hello")
    assert [gate.close(), gate.close()] == ["Hello", ""]
