"""When a draft goes back to what was said lately."""

from omoide.actors.directives.repetition import Output, Repetition, judge, remember
from omoide.protocols.settings import RepetitionSettings

SETTINGS = RepetitionSettings()
KOALA = (
    "The koala at the zoo slept in its eucalyptus tree all afternoon "
    "while tourists photographed its fluffy round ears."
)
KOALA_AGAIN = (
    "Remember those tourists at the zoo? Photographing fluffy koala ears, while the koala sleeps "
    "in a eucalyptus tree, round and lazy, through a whole afternoon!"
)
OTHERWISE = (
    "Tomorrow morning brings heavy rain, so bring boots, an umbrella, dry socks "
    "and perhaps a thermos with ginger soup."
)
SUBJECTS = ("piano", "garden", "bakery", "harbour", "mountain", "library", "comet", "kitchen", "tailor", "violin")


def background(now: float) -> tuple[Output, ...]:
    """Forty ordinary lines, each of its own words, the last an hour old."""
    lines = [" ".join(f"{subject}{number}" for subject in SUBJECTS) + " lovely evening" for number in range(40)]
    return tuple(Output(text=line, said_at=now - 3_600 - 60 * age) for age, line in enumerate(reversed(lines)))[
        ::-1
    ]


def after(*lines: str, now: float = 1_000_000.0) -> tuple[Output, ...]:
    outputs = background(now)
    for line in lines:
        outputs = remember(outputs, Output(text=line, said_at=now - 60), SETTINGS)
    return outputs


def test_the_same_topic_in_other_words_is_flagged_with_the_earlier_line() -> None:
    result = judge(KOALA_AGAIN, after(KOALA), 1_000_000.0, SETTINGS)
    assert result.action != "allow"
    assert [output.text for output in result.earlier] == [KOALA]


def test_what_is_in_common_is_named() -> None:
    assert "koala" in judge(KOALA_AGAIN, after(KOALA), 1_000_000.0, SETTINGS).topics


def test_another_topic_is_allowed() -> None:
    result = judge(OTHERWISE, after(KOALA), 1_000_000.0, SETTINGS)
    assert (result.action, result.earlier) == ("allow", ())


def test_the_same_line_again_is_dropped() -> None:
    assert judge(KOALA, after(KOALA, KOALA), 1_000_000.0, SETTINGS).action == "drop"


def test_a_short_draft_is_not_scored() -> None:
    assert judge("The koala slept.", after(KOALA), 1_000_000.0, SETTINGS) == Repetition(action="allow", score=0.0)


def test_a_line_leaves_the_foreground_after_ten_minutes() -> None:
    assert judge(KOALA_AGAIN, after(KOALA), 1_000_000.0 + 601, SETTINGS).score == 0.0


def test_only_the_latest_five_are_in_the_foreground() -> None:
    others = [f"{OTHERWISE} {' '.join(f'word{number}{letter}' for letter in 'abcdef')}" for number in range(5)]
    assert judge(KOALA_AGAIN, after(KOALA, *others), 1_000_000.0, SETTINGS).action == "allow"


def test_the_corpus_is_capped_by_count_and_never_by_age() -> None:
    outputs: tuple[Output, ...] = ()
    for number in range(150):
        outputs = remember(outputs, Output(text=f"{KOALA} {number}", said_at=float(number)), SETTINGS)
    assert [output.said_at for output in outputs] == [float(number) for number in range(50, 150)]


def test_a_short_output_is_not_kept() -> None:
    assert remember((), Output(text="Good morning!", said_at=0.0), SETTINGS) == ()


def test_chinese_is_compared_by_its_characters() -> None:
    said = "动物园里的考拉整个下午都趴在桉树上睡觉，游客们围着拍它毛茸茸的圆耳朵。"
    again = "考拉下午又在桉树上睡觉啦，毛茸茸的圆耳朵真可爱，动物园的游客们都在拍。"
    assert judge(again, after(said), 1_000_000.0, SETTINGS).action != "allow"
