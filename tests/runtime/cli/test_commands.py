"""What people type, and what comes of it."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from omoide import __version__
from omoide.tests.runtime.cli.command_line import LINKS, Omoide

TALK = "My cat is called Mochi.\nI grow tomatoes on the balcony.\n"


@pytest.fixture
def talked(omoide: Omoide) -> Omoide:
    omoide("chat", "yui", stdin=TALK.encode())
    return omoide


def test_the_version_is_printed(omoide: Omoide) -> None:
    assert omoide.process("--version").out == f"omoide {__version__}\n"


def test_what_was_typed_in_a_chat_is_recalled_by_another_process(talked: Omoide) -> None:
    talked.process("chat", "yui", stdin=b"I have a sister.\n")

    (found,) = talked.process("recall", "yui", "what is the cat called?", "--json").documents

    assert [hit["text"] for hit in found["hits"]] == ["My cat is called Mochi."]
    assert "I have a sister." in talked("recall", "yui", "sister").out


def test_a_time_that_is_not_understood_is_named_and_not_told_as_an_empty_memory(talked: Omoide) -> None:
    told = talked("recall", "yui", "cat", "--time", "2026-13-45").out

    assert "The time '2026-13-45' isn't understood" in told
    assert "Nothing is remembered" not in told
    assert "for now" not in told


def test_a_chat_shows_what_is_remembered_about_a_line_before_it_counts(talked: Omoide) -> None:
    first, second = talked("chat", "yui", "--json", stdin=b"Mochi ate.\nMochi ate.\n").documents

    assert [hit["text"] for hit in first["recalled"]] == ["My cat is called Mochi."]
    assert "Mochi ate." in [hit["text"] for hit in second["recalled"]]
    assert first["receipt"]["turn"] != second["receipt"]["turn"]


def test_a_chat_says_that_it_does_not_talk(omoide: Omoide) -> None:
    assert "doesn't talk: no language model is connected" in omoide("chat", "yui").out


def test_a_chat_has_commands_and_goes_on_after_a_wrong_one(talked: Omoide) -> None:
    typed = b"/recall cat\n/facts\n/status\n/help\n/dance\n\xff\nI have a sister.\n/quit\nnot heard\n"

    ended = talked("chat", "yui", stdin=typed)

    assert ended.out.count("My cat is called Mochi.") == 2
    for part in ("2 turns, 2 facts", "there is no /dance", "lone surrogate U+DCFF", "Kept: 3 turns"):
        assert part in ended.out


def test_lists_are_one_json_document_a_line(talked: Omoide) -> None:
    facts = talked("facts", "yui", "--json").documents
    events = talked("events", "yui", "--json").documents

    assert [fact["text"] for fact in facts] == TALK.splitlines()
    assert [event["seq"] for event in events] == [1, 2, 3, 4]
    assert talked("events", "yui", "--after", "1", "--limit", "2", "--json").documents == events[1:3]
    assert {op["state"] for op in talked("outbox", "yui", "--state", "done", "--json").documents} == {"done"}
    assert talked("characters", "--json").documents == [{"name": "yui"}]


@pytest.mark.kill
def test_entries_are_followed_while_another_process_makes_them(talked: Omoide) -> None:
    with talked.start("events", "yui", "--follow", "--after", "4", "--json") as follower:
        assert follower.stdout is not None
        talked("hear", "yui", "I have a sister.")

        followed = [json.loads(follower.stdout.readline()) for _ in range(2)]
        follower.send_signal(signal.SIGINT)
        # Whoever closes the pipes first takes the follower's last words from it, and it says so by its exit code.
        follower.wait(timeout=60)

    assert ([event["seq"] for event in followed], follower.returncode) == ([5, 6], 130)


def test_a_follower_names_no_last_entry(talked: Omoide) -> None:
    talked("events", "yui", "--follow", "--limit", "1", code=2)


def test_options_may_stand_before_and_after_the_command(talked: Omoide, tmp_path: Path) -> None:
    data = str(talked.data)
    elsewhere = Omoide(tmp_path / "elsewhere")

    before = elsewhere("--json", "--data", data, "facts", "yui").out
    after = elsewhere("facts", "yui", "--data", data, "--json").out

    assert before == after
    assert elsewhere("--data", "nowhere", "outbox", "yui", "--data", data, "--json", "--state", "done").documents


def test_status_counts_what_is_stored(talked: Omoide) -> None:
    (document,) = talked("status", "--json").documents

    assert document["data_dir"] == str(talked.data)
    assert [(one["name"], one["counts"]["turns"], one["counts"]["facts"]) for one in document["characters"]] == [
        ("yui", 2, 2)
    ]
    assert "yui\t2\t2\t4\t0\t0" in talked("status", "yui").out


def test_the_doctor_finds_a_whole_journal_healthy(talked: Omoide) -> None:
    (report,) = talked("doctor", "--json").documents

    assert report["healthy"]
    assert "yui: healthy" in talked("doctor", "yui").out


def test_the_doctor_finds_a_changed_event_and_ends_with_1(talked: Omoide) -> None:
    (database,) = talked.data.rglob("memory.db")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE events SET actor = 'nobody' WHERE seq = 2")
    connection.close()

    assert "first event that is not as it was written is 2" in talked("doctor", code=1).out
    assert talked("doctor", "yui", "--json", code=1).documents[0]["first_broken"] == 2


def test_a_file_that_is_not_ours_is_reported_and_hides_nobody(talked: Omoide) -> None:
    (talked.data / "mia").mkdir()
    (talked.data / "mia" / "memory.db").write_bytes(b"a diary, not a database" * 100)

    assert "yui: healthy" in talked("doctor", code=1).out
    assert "mia" in talked("status", code=1).out
    assert talked("characters", code=1).out == "yui\n"


@pytest.mark.parametrize(
    "command", [("recall", "mia", "x"), ("facts", "mia"), ("events", "mia"), ("outbox", "mia"), ("doctor", "mia")]
)
def test_an_unknown_character_is_told_who_is_there(talked: Omoide, command: tuple[str, ...]) -> None:
    ended = talked(*command, code=2)

    assert ended.err.startswith(f"omoide: there is no character 'mia' in {talked.data}, but yui")
    assert "--data" in ended.err


def test_in_an_empty_folder_an_unknown_character_is_told_how_to_begin(omoide: Omoide) -> None:
    ended = omoide("facts", "mia", "--json", code=2)

    error = json.loads(ended.err)
    assert error["error"] == "UnknownCharacterError"
    assert "`omoide chat NAME` begins one" in error["message"]
    assert not omoide.data.exists()


def test_a_file_in_place_of_the_data_folder_is_an_error(omoide: Omoide) -> None:
    omoide.data.write_text("a diary")

    assert "is a file" in omoide("status", code=1).err
    assert str(omoide.data) in omoide("chat", "yui", code=1).err


def test_what_another_process_owns_can_be_read_and_the_owner_is_named_to_writers(talked: Omoide) -> None:
    with talked.start("chat", "yui", "--json") as owner:
        assert owner.stdin is not None
        assert owner.stdout is not None
        owner.stdin.write(b"/status\n")
        owner.stdin.flush()
        owner.stdout.readline()

        refused = talked("recall", "yui", "cat", code=1)
        facts = talked("facts", "yui", "--json").documents
        (status,) = talked("status", "--json").documents
        healthy = talked("doctor", "--json").documents[0]["healthy"]
        owner.stdin.close()

    assert f"process {owner.pid}" in refused.err
    assert (len(facts), status["characters"][0]["counts"]["turns"], healthy) == (2, 2, True)


def test_a_reader_that_goes_away_is_no_error(talked: Omoide) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    line = talked.line("events", "yui", "--json")

    done = subprocess.run(line, env=talked.environ(), stdout=write_end, stderr=subprocess.PIPE, check=False)

    os.close(write_end)
    assert done.stderr == b""


def test_a_wrong_setting_is_named_with_what_it_may_be(omoide: Omoide, tmp_path: Path) -> None:
    config = tmp_path / "omoide.toml"
    config.write_text("[outbox]\nattempts = 0\n")

    ended = omoide("status", "--config", str(config), code=2)

    assert "setting outbox.attempts is 0" in ended.err
    assert "OMOIDE_OUTBOX__ATTEMPTS" in omoide("status", code=2, OMOIDE_OUTBOX__ATTEMPTS="x").err


def test_the_log_is_printed_only_to_those_who_ask_and_says_nothing_of_what_was_said(talked: Omoide) -> None:
    assert talked.process("recall", "yui", "cat").err == ""
    logged = talked.process("recall", "yui", "cat", "--verbose").err

    assert "character.activated" in logged
    assert "Mochi" not in logged


def test_texts_are_printed_as_they_were_said(omoide: Omoide) -> None:
    omoide("chat", "yui", stdin=b"I wrote [bold]x[/] and [link=http://a]b[/] today.\n")

    assert "[bold]x[/] and [link=http://a]b[/] today." in omoide("facts", "yui").out
    assert "\\x1b[31m" in omoide("facts", "\x1b[31m", code=2).err


def test_a_terminal_too_gets_texts_as_they_were_said(omoide: Omoide) -> None:
    typed = b"I wrote [bold]x[/] today.\nI wrote [bold]x[/] today.\n/recall [/nothing]\n"

    ended = omoide("chat", "yui", stdin=typed, FORCE_COLOR="1", COLUMNS="120")

    assert "remembers: I wrote [bold]x[/] today." in ended.out
    assert "\x1b[" in ended.out
    assert "wrote [bold]x[/] today." in omoide("facts", "yui", FORCE_COLOR="1", COLUMNS="120").out


def test_a_parked_op_is_shown_sent_again_and_given_up(omoide: Omoide, tmp_path: Path) -> None:
    environ = dict(omoide.environ(), OMOIDE_OUTBOX__ATTEMPTS="1")
    subprocess.run([*omoide.line()[:1], "-c", PARK], env=environ, cwd=tmp_path, check=True, timeout=60)

    (parked,) = omoide("outbox", "yui", "--json").documents
    assert (parked["state"], "out of order" in parked["error"]) == ("parked", True)
    assert "\t1\t0\tnow\tModelError: the model is out of order" in omoide("status").out
    assert json.loads(omoide("outbox", "retry", "yui", parked["id"][:10], "--json").out)["state"] == "done"
    assert "op_nothing" in omoide("outbox", "discard", "yui", "op_nothing", code=2).err


PARK = """
import os, trio
from omoide.protocols.errors import ModelError
from omoide.runtime.configuration import load_settings
from omoide.runtime.host import open_runtime

class Broken:
    async def extract(self, request):
        raise ModelError("the model is out of order")

async def main():
    async with open_runtime(load_settings(), model=Broken()) as runtime:
        character = await runtime.character("yui")
        await character.hear("The kettle is new.")
        assert (await character.settle()).parked == 1

trio.run(main)
"""


def test_the_installed_command_is_the_module(omoide: Omoide) -> None:
    script = Path(omoide.line()[0]).with_name("omoide")
    if not script.exists():
        pytest.skip("the package isn't installed here, so there is no console script")

    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True, cwd=LINKS)

    assert done.stdout == f"omoide {__version__}\n"
