"""A knight's words aren't the person's, and a sigh is no role."""

import pytest

from omoide.protocols.clauses.roleplay import out_of_role


@pytest.mark.parametrize(
    "said",
    [
        "*draws his sword* I am Sir Galahad, knight of the round table.",
        "I am the queen of Avalon. *curtsies*",
        "*bows* I live in the tower of Camelot.",
        "*wags tail* I love bones!",
        "*拔剑* 我是圆桌骑士。",
        "（拔出宝剑）我住在城堡里。",
        "*剣を抜く* 私は勇者です。",
        "*zieht das Schwert* Ich bin ein Ritter.",
    ],
)
def test_what_is_said_in_a_role_is_not_the_persons(said: str) -> None:
    assert out_of_role(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "",
        "*sighs* I hate my job.",
        "*hugs you* my mom is in hospital",
        "I *really* love my cat.",
        "I collect swords and play a knight on Sundays.",
        "I live in Berlin (near the castle).",
        "（叹气）我今天被老板骂了。",
        "2 * 3 is 6 and the king is 5 * 2",
    ],
)
def test_what_only_gestures_is_the_persons_own(said: str) -> None:
    assert out_of_role(said) == said


def test_what_is_said_beside_the_play_is_kept() -> None:
    assert out_of_role("*raises shield* For the king! ((I have to leave at five))\nI live in Gent.") == (
        "I have to leave at five\nI live in Gent."
    )
