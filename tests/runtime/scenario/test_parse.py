"""A file is checked whole before anything is played, and every error says where it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.errors import ScenarioError
from omoide.runtime.scenario.format import (
    STEPS,
    Crash,
    Gate,
    Hear,
    Kill,
    Recall,
    ScriptModel,
    Settle,
    Step,
    Wait,
)
from omoide.runtime.scenario.parse import find_files, parse_scenario, read_scenario

FILE = Path("talk.yaml")
HEAD = "name: A talk\nstart: 2026-03-02T09:00:00+00:00\n"


def steps_of(*steps: str, head: str = HEAD) -> tuple[Step, ...]:
    return parse_scenario(f"{head}steps:\n" + "".join(f"  - {step}\n" for step in steps), FILE).steps


def problem_with(*steps: str, head: str = HEAD) -> str:
    with pytest.raises(ScenarioError) as caught:
        steps_of(*steps, head=head)
    return str(caught.value)


EVERY_STEP = {
    "hear": "hear: Hello",
    "say": "say: {text: Hello, in: private, surfaced: [x]}",
    "settle": "settle",
    "wait": "wait: 2d",
    "crash": "crash: directives",
    "kill": "kill",
    "restart": "restart",
    "model": "model: {task: feedback, returns: [{reflection: x, feedback: ignored}]}",
    "recall": "recall: {query: x, time: yesterday, as: [private], has: [a], lacks: [b], first: c, count: 0}",
    "briefing": 'briefing: {as: ["group:qq:77"], has: [a], lacks: [b]}',
    "gate": "gate: {draft: Did you sleep well?, unprompted: true, verdict: allow, in: private}",
    "stream": 'stream: {chunks: ["Maybe Mar", "cus"], unprompted: false, out: ""}',
    "directives": "directives: {has: [Marcus], lacks: [Ann], count: 1}",
    "revoke": "revoke: Marcus",
    "facts": "facts: {has: [a], lacks: [b], count: 0}",
    "reflections": "reflections: {has: [a], lacks: [b], count: 0, tier: confirmed}",
    "persona": "persona: {has: [a], lacks: [b]}",
    "explain": "explain: {of: a, has: [retracted]}",
    "reject": "reject: a",
    "affirm": "affirm: a",
    "forget": 'forget: {subject: "participant:qq:1001"}',
    "export_import": "export_import",
    "log": "log: {lacks: [secret]}",
    "status": "status: {degraded: [], parked: 0}",
}


def test_the_whole_format_is_known() -> None:
    assert set(EVERY_STEP) == set(STEPS)


@pytest.mark.parametrize("action", EVERY_STEP)
def test_every_step_of_the_format_is_read(action: str) -> None:
    (step,) = steps_of(EVERY_STEP[action])
    assert step.action == action


def test_what_a_map_says_is_what_the_step_holds() -> None:
    head = f"{HEAD}speakers: {{alice: {{platform: qq, account: '1001'}}}}\n"
    steps = steps_of(
        'hear: {text: Hi, from: alice, in: "group:QQ:77"}',
        "settle",
        "wait: 1.5h",
        "crash: dedup",
        "kill",
        "model: {task: extract, raises: http_500}",
        "model: {task: extract, returns: null}",
        "recall: {query: x}",
        head=head,
    )
    assert steps == (
        Hear.model_validate({"text": "Hi", "from": "alice", "in": "group:qq:77"}),
        Settle(),
        Wait.model_validate({"by_s": "1.5h"}),
        Crash(role="dedup"),
        Kill(),
        ScriptModel(task="extract", raises="http_500"),
        ScriptModel(task="extract", returns=None),
        Recall(query="x"),
    )


@pytest.mark.parametrize(
    ("written", "seconds"), [("0s", 0), ("30s", 30), ("5m", 300), ("2h", 7200), ("40d", 3456000)]
)
def test_a_wait_is_in_seconds_minutes_hours_or_days(written: str, seconds: float) -> None:
    (step,) = steps_of(f"wait: {written}")
    assert isinstance(step, Wait)
    assert step.by_s == seconds


def test_a_question_mark_may_stand_in_an_unquoted_text_of_a_flow_map() -> None:
    (step,) = steps_of("gate: {draft: Really? How is Marcus?, verdict: allow}")
    assert isinstance(step, Gate)
    assert step.draft == "Really? How is Marcus?"


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("dance", "unknown step 'dance'; the steps are hear, say, settle,"),
        ("dance: {with: Marcus}", "unknown step 'dance'"),
        ("{hear: a, say: b}", "is a map with one key, got 2: hear, say"),
        ("12", "is a word or a map with one key, got 12"),
        ("hear", "(hear): text: is a text, got nothing; put it in quotes"),
        ("hear: yes", "(hear): text: is a text, got True; put it in quotes"),
        ("hear: {text: a, too: b}", "(hear): too: unknown key; hear takes text, from, in"),
        ("hear: {text: a, from: alice}", "(hear): from: unknown speaker 'alice'; speakers has none"),
        ("hear: {text: a, in: 'group:qq'}", "(hear): in: subject 'group:qq' lacks its group id"),
        ("settle: {}", "(settle): takes nothing; write `- settle`"),
        ("wait: soon", "(wait): by_s: a duration is a number and one of s, m, h and d, such as 2d; got 'soon'"),
        ("wait: 5", "(wait): by_s: a duration is a number"),
        ("crash: plumber", "(crash): role: unknown role 'plumber'; the roles are briefing, compaction,"),
        (
            "model: {task: dance, returns: []}",
            "(model): task: unknown model task 'dance'; the tasks are arbitrate,",
        ),
        ("model: {task: extract}", "(model): give either returns or raises"),
        ("model: {task: extract, returns: [], raises: timeout}", "(model): give either returns or raises"),
        ("model: {task: extract, raises: boredom}", "(model): raises: Input should be 'timeout'"),
        ("recall: {has: [a]}", "(recall): give query, time or both"),
        ("recall: {query: a, has: b}", "(recall): has: is a list, got 'b'"),
        ("recall: {query: a, has: ['']}", "(recall): has.0: "),
        ("recall: {query: a, as: []}", "(recall): as: "),
        ("recall: {query: a, count: -1}", "(recall): count: "),
        ("recall: {query: a, count: '1'}", "(recall): count: "),
        ("gate: {draft: a, verdict: maybe}", "(gate): verdict: "),
        ("gate: {draft: a, verdict: allow, unprompted: 1}", "(gate): unprompted: "),
        ("facts: {hass: [a]}", "(facts): hass: unknown key; facts takes has, lacks, count"),
        ("forget: {}", "(forget): give either subject or text"),
        ("log: {}", "(log): lacks: is missing"),
    ],
)
def test_an_error_in_a_step_names_the_file_and_the_step(step: str, problem: str) -> None:
    message = problem_with("settle", step)
    assert message.startswith("talk.yaml: step 2")
    assert problem in message


def test_every_error_of_a_file_is_told_at_once() -> None:
    lines = problem_with("dance", "settle", "hear: 5", head=f"{HEAD}mood: good\n").splitlines()
    assert [line.split(": ")[1] for line in lines] == ["mood", "step 1", "step 3 (hear)"]


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("start: 2026-03-02T09:00:00+00:00\n", "talk.yaml: name: is missing"),
        ("name: A\n", "talk.yaml: start: is missing"),
        ("name: A\nstart: 2026-03-02T09:00:00\n", "talk.yaml: start: "),
        (f"{HEAD}mood: good\n", "talk.yaml: mood: unknown key; a scenario takes name, locale, start, needs,"),
        (f"{HEAD}character: {{age: 3}}\n", "talk.yaml: character.age: unknown key"),
        (
            f"{HEAD}speakers: {{a: {{platform: qq, account: 1}}}}\n",
            "talk.yaml: speakers.a.account: is a text, got 1",
        ),
        (f"{HEAD}speakers: {{a: {{platform: qq, account: b, trust: 2}}}}\n", "talk.yaml: speakers.a.trust: "),
        (f"{HEAD}settings: {{outbox: {{attempts: 0}}}}\n", "talk.yaml: settings.outbox.attempts: "),
        (f"{HEAD}settings: {{outbox: {{tries: 1}}}}\n", "talk.yaml: settings.outbox.tries: unknown key"),
        (f"{HEAD}settings: {{plumbing: {{}}}}\n", "talk.yaml: settings.plumbing: unknown key"),
        (f"{HEAD}settings: {{data_dir: x}}\n", "talk.yaml: settings.data_dir: "),
        (f"{HEAD}{HEAD}", "talk.yaml: is no YAML: 'name' comes twice (line 3, column 1)"),
    ],
)
def test_an_error_outside_the_steps_names_the_file_and_the_place(head: str, problem: str) -> None:
    assert problem in problem_with("settle", head=head)


@pytest.mark.parametrize("time", ["2026-03-01", "2026-03-01T10:00:00", "'2026-03-01'"])
def test_a_date_may_be_written_without_quotes(time: str) -> None:
    (step,) = parse_scenario(f"{HEAD}steps: [recall: {{time: {time}}}]", FILE).steps
    assert isinstance(step, Recall)
    assert str(step.time).startswith("2026-03-01")


@pytest.mark.parametrize(
    "text", ["", "- a\n- b\n", "just words", "name: [\n", f"{HEAD}steps: []\n", f"{HEAD}steps: kill\n"]
)
def test_a_text_that_is_no_scenario_is_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"^talk\.yaml: "):
        parse_scenario(text, FILE)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
def test_any_text_is_a_scenario_or_refused_with_the_file_named(text: str) -> None:
    with pytest.raises(ScenarioError, match=r"^talk\.yaml: "):
        parse_scenario(text, FILE)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(list(STEPS)),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(STEPS)), inner, max_size=2)
        ),
    ),
)
def test_any_tree_of_values_is_a_step_or_refused_with_the_step_named(item: object) -> None:
    tree = HEAD + "steps: " + _flow([item])
    try:
        parse_scenario(tree, FILE)
    except ScenarioError as error:
        assert str(error).startswith("talk.yaml: step 1")  # noqa: PT017 - refusing is only one of two outcomes


def _flow(value: object) -> str:
    import json  # noqa: PLC0415 - JSON is YAML

    return json.dumps(value)


def test_folders_are_walked_in_order_of_name(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "notes.md", "deep/c.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert find_files([tmp_path]) == tuple(tmp_path / name for name in ("a.yml", "b.yaml", "deep/c.yaml"))


def test_a_folder_without_a_scenario_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="holds no"):
        find_files([tmp_path])


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"gone\.yaml: can't be read: No such file"):
        read_scenario(tmp_path / "gone.yaml")


def test_a_file_that_is_no_text_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "bytes.yaml").write_bytes(b"name: \xff\xfe")
    with pytest.raises(ScenarioError, match=r"bytes\.yaml: is no UTF-8 text \(byte 6\)"):
        read_scenario(tmp_path / "bytes.yaml")
