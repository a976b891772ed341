"""The oracle accepts what a faithful memory shows, and names the promise for each way in which one can fail."""

from __future__ import annotations

from msgspec.structs import replace

from omoide.runtime.soak.grammar import Act, marker, sentence
from omoide.runtime.soak.oracle import Oracle
from omoide.runtime.soak.plan import Talk
from omoide.runtime.soak.protocol import Memory, Shown

TALK = Talk(who="yui", act=Act.STATE, family=0, item=7, place="private", id="m1")
TEXT = sentence(0, Act.STATE, 7)
TURN = Memory(kind="turn", id="t1", text=TEXT, place="private")
FACT = Memory(kind="fact", id="f1", text=TEXT, place="private")
SHOWN = Shown(turns=(TURN,), facts=(FACT,), directives=(), pending=())


def told(*acts: Act) -> Oracle:
    oracle = Oracle()
    for number, act in enumerate(acts, start=1):
        oracle.told(replace(TALK, act=act, id=f"m{number}"), f"t{number}", repeated=False, is_first=True)
    return oracle


def turns(*acts: Act) -> tuple[Memory, ...]:
    return tuple(
        Memory(kind="turn", id=f"t{number}", text=sentence(0, act, 7), place="private")
        for number, act in enumerate(acts, start=1)
    )


def promises(oracle: Oracle, shown: Shown) -> list[str]:
    return [fault.promise for fault in oracle.judge(shown)]


def test_a_faithful_memory_is_accepted() -> None:
    assert promises(told(Act.STATE), SHOWN) == []


def test_a_lost_turn_breaks_p1() -> None:
    assert promises(told(Act.STATE), replace(SHOWN, turns=())) == ["P1"]


def test_a_turn_in_other_words_breaks_p1() -> None:
    assert promises(told(Act.STATE), replace(SHOWN, turns=(replace(TURN, text="I own."),))) == ["P1"]


def test_a_doubled_turn_breaks_p2() -> None:
    assert promises(told(Act.STATE), replace(SHOWN, turns=(TURN, replace(TURN, id="t2")))) == ["P2"]


def test_a_second_turn_for_one_message_breaks_p2() -> None:
    oracle = told(Act.STATE)

    assert [fault.promise for fault in oracle.told(TALK, "t9", repeated=False, is_first=False)] == ["P2"]


def test_a_lost_or_doubled_fact_breaks_p2() -> None:
    assert promises(told(Act.STATE), replace(SHOWN, facts=())) == ["P2"]
    assert promises(told(Act.STATE), replace(SHOWN, facts=(FACT, replace(FACT, id="f2")))) == ["P2"]


def test_a_denied_statement_that_is_still_a_fact_breaks_p3() -> None:
    acts = (Act.STATE, Act.DENY)

    assert promises(told(*acts), replace(SHOWN, turns=turns(*acts))) == ["P3"]
    assert promises(told(*acts), replace(SHOWN, turns=turns(*acts), facts=(replace(FACT, active=False),))) == []


def test_saying_again_what_was_denied_holds_and_what_was_forgotten_does_not() -> None:
    denied, forgotten = (Act.STATE, Act.DENY, Act.STATE), (Act.STATE, Act.FORGET, Act.STATE)

    assert promises(told(*denied), replace(SHOWN, turns=turns(*denied))) == []
    assert promises(told(*forgotten), replace(SHOWN, turns=turns(*forgotten))) == ["P3"]


def test_a_ban_without_a_directive_and_a_directive_without_a_ban_break_p4() -> None:
    acts = (Act.STATE, Act.BAN)
    banned = replace(SHOWN, turns=turns(*acts), directives=(marker(7),))

    assert promises(told(*acts), banned) == []
    assert promises(told(*acts), replace(banned, directives=())) == ["P4"]
    assert promises(told(Act.STATE), replace(SHOWN, directives=(marker(7),))) == ["P4"]


def test_work_that_is_left_breaks_p2() -> None:
    assert promises(told(Act.STATE), replace(SHOWN, pending=("op1",))) == ["P2"]


def test_words_of_another_place_break_p5() -> None:
    oracle = told(Act.STATE)

    assert oracle.judge_scope([TEXT], ("private",)) == []
    assert [fault.promise for fault in oracle.judge_scope([TEXT], ("group:soak:1",))] == ["P5"]


def test_a_banned_word_is_recalled_only_by_who_asks_for_it() -> None:
    oracle = told(Act.STATE, Act.BAN)

    assert oracle.judge_hits([FACT], ("private",), asked=TEXT) == []
    assert [fault.promise for fault in oracle.judge_hits([FACT], ("private",), asked="")] == ["P4"]


def test_a_denied_statement_that_comes_out_breaks_p3_and_its_denial_does_not() -> None:
    oracle = told(Act.STATE, Act.DENY)

    assert [fault.promise for fault in oracle.judge_denied([("f1", TEXT)], "private")] == ["P3"]
    assert oracle.judge_denied([("f2", sentence(0, Act.DENY, 7))], "private") == []
