"""An export makes the same character again, is refused with what is wrong with it, and never half imported."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from omoide.protocols.errors import (
    CharacterOwnedError,
    CorruptStorageError,
    InvalidNameError,
    InvalidRequestError,
    NewerSchemaError,
    OmoideError,
)
from omoide.protocols.events import (
    DirectiveGiven,
    DirectiveLifted,
    PersonaEntryAdded,
    PersonaEntryChanged,
    ReflectionStateChanged,
    ReflectionSynthesised,
    RejectionLifted,
    ValueRejected,
)
from omoide.protocols.messages import Commit
from omoide.protocols.records import (
    Directive,
    DirectiveId,
    DirectiveStatus,
    Entity,
    EntryId,
    EntrySource,
    Evidence,
    FactId,
    PersonaEntry,
    Reflection,
    ReflectionId,
    ReflectionStatus,
    Rejection,
    RejectionId,
)
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.protocols.settings import Settings
from omoide.runtime.clock import VirtualClock
from omoide.runtime.failpoints import Unarmed
from omoide.runtime.store import chain, examine, exported, open_store
from omoide.runtime.store.files import make_folder
from omoide.runtime.store.lock import lock_of
from omoide.runtime.store.paths import place_of
from omoide.tests.runtime.store.moved import (
    export_to,
    forge,
    forge_manifest,
    import_from,
    names_in,
    stored,
    write_journal,
)
from omoide.tests.runtime.store.samples import Layout, heard, settings_in
from omoide.tests.runtime.store.test_properties import COMMITS

IDS = st.sampled_from(["a", "b"])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
TIMES = st.floats(0, 2e9)
SUBJECTS = st.sampled_from([PRIVATE, Subject("group:qq:77")])
EVIDENCE = st.builds(Evidence, reinforcement=TIMES, disputation=TIMES, rein_last_signal_at=st.none() | TIMES)

REJECTIONS = st.builds(
    Rejection,
    id=IDS.map(RejectionId),
    text=TEXTS,
    names=st.lists(TEXTS, max_size=2).map(tuple),
    entity=st.sampled_from(Entity),
    subject=SUBJECTS,
    disputation=TIMES,
    disputed_at=TIMES,
    cause=TEXTS,
    created_at=TIMES,
    lifted_at=st.none() | TIMES,
)
REFLECTIONS = st.builds(
    Reflection,
    id=IDS.map(ReflectionId),
    text=TEXTS,
    entity=st.sampled_from(Entity),
    subject=SUBJECTS,
    sources=st.lists(IDS.map(FactId), max_size=2).map(tuple),
    importance=st.integers(1, 10),
    evidence=EVIDENCE,
    created_at=TIMES,
    status=st.sampled_from(ReflectionStatus),
    status_at=TIMES,
    age_anchor_at=TIMES,
    next_eligible_at=TIMES,
)
ENTRIES = st.builds(
    PersonaEntry,
    id=IDS.map(EntryId),
    text=TEXTS,
    entity=st.sampled_from(Entity),
    subject=SUBJECTS,
    source=st.sampled_from(EntrySource),
    importance=st.integers(1, 10),
    evidence=EVIDENCE,
    created_at=TIMES,
    status_at=TIMES,
)
DIRECTIVES = st.builds(
    Directive,
    id=IDS.map(DirectiveId),
    key=TEXTS,
    term=TEXTS,
    hits=st.integers(1, 9),
    first_said_at=TIMES,
    last_said_at=TIMES,
    turn=st.none(),
    status=st.sampled_from(DirectiveStatus),
)
BELIEFS = st.one_of(
    st.builds(ValueRejected, rejection=REJECTIONS),
    st.builds(RejectionLifted, rejection=REJECTIONS),
    st.builds(ReflectionSynthesised, reflection=REFLECTIONS),
    st.builds(ReflectionStateChanged, reflection=REFLECTIONS),
    st.builds(PersonaEntryAdded, entry=ENTRIES),
    st.builds(PersonaEntryChanged, entry=ENTRIES),
    st.builds(DirectiveGiven, directive=DIRECTIVES),
    st.builds(DirectiveLifted, directive=DIRECTIVES),
)
JOURNALS = st.lists(
    COMMITS | st.builds(Commit, actor=TEXTS, cause=TEXTS, changes=st.lists(BELIEFS, max_size=3).map(tuple)),
    max_size=12,
)
LAYOUTS: st.SearchStrategy[Layout] = st.sampled_from(["per-character", "shared"])


@hypothesis_settings(max_examples=25)
@given(JOURNALS, LAYOUTS, LAYOUTS)
def test_any_journal_comes_back_row_by_row(commits: list[Commit], layout: Layout, other_layout: Layout) -> None:
    async def write(tree: Settings) -> None:
        async with open_store(tree, VirtualClock(1.5), Unarmed()) as store:
            journal = await store.open("yui", create=True)
            await journal.commit_all(commits)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here, there = settings_in(folder / "here", layout), settings_in(folder / "there", other_layout)
        trio.run(write, here)
        report = export_to(here, folder / "x")
        imported = import_from(there, folder / "x")

        assert stored(there) == stored(here)
        assert (imported.chain, imported.rows, imported.ops) == (report.chain, report.rows, report.ops)
        assert examine(there, "yui").findings == ()


@pytest.fixture
def export(settings: Settings, tmp_path: Path) -> Path:
    trio.run(write_journal, settings)
    export_to(settings, tmp_path / "x")
    return tmp_path / "x"


@pytest.fixture
def there(tmp_path: Path, layout: Layout) -> Settings:
    return settings_in(tmp_path / "there", layout)


def test_another_name_changes_the_chain_and_nothing_else(
    export: Path, settings: Settings, there: Settings
) -> None:
    report = import_from(there, export, "Dr. Mio/v2.. 猫")

    before, after = stored(settings), stored(there, "Dr. Mio/v2.. 猫")
    *same, link = zip(*after["events"], strict=True)
    assert same == list(zip(*before["events"], strict=True))[:-1]
    assert after["characters"] == [(before["characters"][0][0], report.events, bytes.fromhex(report.chain))]
    assert {table: after[table] for table in after if table not in {"events", "characters"}} == {
        table: before[table] for table in before if table not in {"events", "characters"}
    }
    assert bytes.fromhex(report.chain) in link
    assert report.chain != report.exported_chain == before["characters"][0][2].hex()
    assert examine(there, "Dr. Mio/v2.. 猫").findings == ()


def test_an_import_under_another_name_can_be_exported_and_named_back(
    export: Path, settings: Settings, there: Settings, tmp_path: Path
) -> None:
    import_from(there, export, "mio")
    export_to(there, tmp_path / "y", "mio")
    import_from(there, tmp_path / "y", "yui")

    assert stored(there) == stored(settings)


async def test_an_erased_payload_stays_erased(settings: Settings, there: Settings, tmp_path: Path) -> None:
    await write_journal(settings)
    with closing(sqlite3.connect(place_of(settings, "yui").database, isolation_level=None)) as connection:
        (number,) = connection.execute("SELECT id FROM characters WHERE name = 'yui'").fetchone()
        connection.execute("UPDATE events SET payload = NULL WHERE character = ? AND seq = 2", (number,))
        connection.execute("DELETE FROM turns WHERE character = ? AND id = 't1'", (number,))

    exported_report = export_to(settings, tmp_path / "x")
    report = import_from(there, tmp_path / "x", "mio")

    assert (exported_report.erased, report.erased) == (1, 1)
    assert stored(there, "mio")["turns"] == stored(settings)["turns"]
    assert examine(there, "mio").findings == ()


def test_an_imported_character_is_opened_and_goes_on(export: Path, there: Settings) -> None:
    import_from(there, export)

    async def go_on() -> tuple[bool, int]:
        async with open_store(there, VirtualClock(3_000.0), Unarmed()) as store:
            journal = await store.open("yui")
            again = await journal.commit(heard("t2", key="m2"))
            fresh = await journal.commit(heard("t9", key="m9"))
            return again.repeated, fresh.events[0].seq

    events = len(stored(there)["events"])
    assert trio.run(go_on) == (True, events + 1)
    assert examine(there, "yui").findings == ()


def test_a_character_that_exists_is_never_changed(export: Path, settings: Settings, there: Settings) -> None:
    import_from(there, export)
    before = stored(there)

    with pytest.raises(InvalidRequestError, match=r"'yui' is stored here already.*--as"):
        import_from(there, export)
    with pytest.raises(InvalidRequestError, match="'yui' is stored here already"):
        import_from(settings, export)

    assert stored(there) == before


def test_other_characters_of_a_shared_file_stay_as_they_are(export: Path, settings: Settings) -> None:
    rin = stored(settings, "rin")

    import_from(settings, export, "mio")

    assert stored(settings, "rin") == rin
    assert names_in(settings) == ["mio", "rin", "yui"]
    assert [examine(settings, name).findings for name in names_in(settings)] == [(), (), ()]


def test_a_file_that_is_open_elsewhere_is_left_alone(export: Path, there: Settings) -> None:
    async def while_open() -> None:
        async with open_store(there, VirtualClock(1_000.0), Unarmed()) as store:
            await store.open("rin", create=True)
            with pytest.raises(CharacterOwnedError, match="the data folder is open in process"):
                import_from(there, export)

    if there.storage.layout == "shared":
        trio.run(while_open)
        assert names_in(there) == ["rin"]


def test_a_character_that_is_being_begun_elsewhere_is_left_alone(export: Path, there: Settings) -> None:
    place = place_of(there, "yui")
    make_folder(place)
    lock = lock_of(place, "yui")
    lock.acquire(1.0)

    with pytest.raises(CharacterOwnedError, match="is open in process"):
        import_from(there, export)

    lock.release()
    assert names_in(there) == []


def test_a_name_that_no_character_can_have_is_refused(export: Path, there: Settings) -> None:
    with pytest.raises(InvalidNameError):
        import_from(there, export, " ")


# --- damage ---------------------------------------------------------------------------------------


def swapped(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def change(raw: bytes) -> bytes:
        assert old in raw
        return raw.replace(old, new, 1)

    return change


def without_line(number: int) -> Callable[[bytes], bytes]:
    def change(raw: bytes) -> bytes:
        lines = raw.splitlines(keepends=True)
        return b"".join(lines[: number - 1] + lines[number:])

    return change


def rechained(raw: bytes, change: Callable[[int, dict[str, Any]], None]) -> bytes:
    """Return the events with some changed, with digests and a chain that match."""
    link = chain.genesis("yui")
    lines = []
    for number, line in enumerate(raw.split(b"\n")[:-1], 1):
        event = json.loads(line)
        change(number, event)
        payload = json.dumps(event["payload"], separators=(",", ":"), ensure_ascii=False).encode()
        digest = bytes.fromhex(event["digest"]) if event["payload"] is None else chain.digest_of(payload)
        ids = json.dumps(event["record_ids"], separators=(",", ":"))
        header = (event["seq"], event["at"], event["actor"], event["cause"], event["kind"], event["subject"], ids)
        link = chain.link(link, digest, header)
        event |= {"digest": digest.hex(), "chain": link.hex()}
        lines.append(json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    return b"".join(lines)


def in_all_events(folder: Path, change: Callable[[int, dict[str, Any]], None]) -> None:
    """Change events as somebody would who computes everything anew: digests, chain, head and manifest."""
    forge(folder, exported.EVENTS, lambda raw: rechained(raw, change))
    last = json.loads((folder / exported.EVENTS).read_bytes().split(b"\n")[-2])

    def agree(manifest: Any) -> None:
        manifest["head"]["chain"] = last["chain"]

    forge_manifest(folder, agree)


def named(number: int, name: str, value: Any) -> Callable[[int, dict[str, Any]], None]:
    def change(at: int, event: dict[str, Any]) -> None:
        if at == number:
            event[name] = value

    return change


def with_entry(name: str, **entry: Any) -> Callable[[Any], None]:
    def change(manifest: Any) -> None:
        manifest["files"].setdefault(name, {"rows": 0, "bytes": 0, "sha256": "0" * 64}).update(entry)

    return change


def unnamed(name: str) -> Callable[[Any], None]:
    def change(manifest: Any) -> None:
        del manifest["files"][name]

    return change


def set_to(*path: str, value: Any) -> Callable[[Any], None]:
    def change(manifest: Any) -> None:
        *rest, last = path
        for name in rest:
            manifest = manifest[name]
        manifest[last] = value

    return change


DAMAGES: dict[str, tuple[Callable[[Path], object], type[OmoideError], str]] = {
    "no folder": (shutil.rmtree, InvalidRequestError, r"holds no manifest\.json"),
    "no manifest": (lambda x: (x / "manifest.json").unlink(), InvalidRequestError, r"holds no manifest\.json"),
    "manifest cut": (
        lambda x: (x / "manifest.json").write_bytes((x / "manifest.json").read_bytes()[:300]),
        CorruptStorageError,
        r"manifest\.json can't be read as a manifest",
    ),
    "manifest changed": (
        lambda x: (x / "manifest.json").write_text(
            (x / "manifest.json").read_text().replace('"rows": 2', '"rows": 3')
        ),
        CorruptStorageError,
        "its seal doesn't match",
    ),
    "newer format": (
        lambda x: forge_manifest(x, set_to("format", value=2)),
        NewerSchemaError,
        r"is of format 2, written by Omoide 0\.1\.0, and this program .* knows up to 1",
    ),
    "missing file": (lambda x: (x / "facts.json").unlink(), CorruptStorageError, r"facts\.json is missing"),
    "missing files": (
        lambda x: list(map(Path.unlink, (x / "outbox.ndjson", x / "idempotency.ndjson"))),
        CorruptStorageError,
        r"outbox\.ndjson is missing; idempotency\.ndjson is missing",
    ),
    "shortened file": (
        lambda x: (x / "events.ndjson").write_bytes((x / "events.ndjson").read_bytes()[:-1]),
        CorruptStorageError,
        r"events\.ndjson has [0-9,]+ bytes and had [0-9,]+",
    ),
    "events not named": (
        lambda x: forge_manifest(x, unnamed("events.ndjson")),
        CorruptStorageError,
        r"manifest\.json doesn't name events\.ndjson",
    ),
    "unknown file": (
        lambda x: forge_manifest(x, with_entry("../../etc/passwd")),
        NewerSchemaError,
        r"names '\.\./\.\./etc/passwd', which this program doesn't know",
    ),
    "wrong digest": (
        lambda x: forge_manifest(x, with_entry("turns.json", sha256="0" * 64)),
        CorruptStorageError,
        r"turns\.json is not as it was written: its SHA-256 differs",
    ),
    "wrong count": (
        lambda x: forge_manifest(x, with_entry("turns.json", rows=7)),
        CorruptStorageError,
        r"turns\.json holds 3 rows, and manifest\.json names 7",
    ),
    "payload changed": (
        lambda x: forge(x, "events.ndjson", swapped(b"hello", b"hallo")),
        CorruptStorageError,
        r"events\.ndjson line 7: event 7: its payload doesn't match its digest",
    ),
    "time changed": (
        lambda x: forge(x, "events.ndjson", swapped(b'"at":1000.0', b'"at":1000.5')),
        CorruptStorageError,
        r"line 1: event 1: its columns and the event before it don't match its chain",
    ),
    "event removed": (
        lambda x: forge(x, "events.ndjson", without_line(3)),
        CorruptStorageError,
        r"line 3: event 3 is missing",
    ),
    "tail removed": (
        lambda x: forge(x, "events.ndjson", without_line(8)),
        CorruptStorageError,
        r"events\.ndjson ends at event 7, and manifest\.json names event 8 as its end",
    ),
    "event broken": (
        lambda x: forge(x, "events.ndjson", swapped(b'{"seq":4', b'["seq":4')),
        CorruptStorageError,
        r"events\.ndjson line 4 can't be read",
    ),
    "event with more": (
        lambda x: forge(x, "events.ndjson", swapped(b'{"seq":4', b'{"more":1,"seq":4')),
        CorruptStorageError,
        r"events\.ndjson line 4 can't be read",
    ),
    "wrong head": (
        lambda x: forge_manifest(x, set_to("head", "chain", value="0" * 64)),
        CorruptStorageError,
        "ends with another chain than the one that manifest",
    ),
    "another's name": (
        lambda x: forge_manifest(x, set_to("character", value="rin")),
        CorruptStorageError,
        "line 1: event 1: its columns",
    ),
    "unknown kind": (
        lambda x: in_all_events(
            x,
            lambda at, event: event.update(kind="dream_had", payload={"kind": "dream_had"}) if at == 8 else None,
        ),
        NewerSchemaError,
        r"line 8: event 8 is of the kind 'dream_had', which this program doesn't know.*Update Omoide",
    ),
    "unknown field": (
        lambda x: in_all_events(x, lambda at, event: event["payload"].update(mood="good") if at == 8 else None),
        NewerSchemaError,
        r"line 8: event 8 holds what this program doesn't know",
    ),
    "events made anew": (
        lambda x: in_all_events(
            x, lambda at, event: event["payload"]["turn"].update(text="I never said so.") if at == 8 else None
        ),
        CorruptStorageError,
        r"turns\.json line 4 differs from what the events make",
    ),
    "view changed": (
        lambda x: forge(x, "facts.json", swapped(b"Ingrid is a nurse", b"Ingrid is a judge")),
        CorruptStorageError,
        r"facts\.json line 3 differs from what the events make",
    ),
    "record removed": (
        lambda x: forge(x, "turns.json", without_line(4)),
        CorruptStorageError,
        r"turns\.json lacks records: the events make more than its 2",
    ),
    "record invented": (
        lambda x: forge(x, "reflections.json", lambda _: b"[\n{}\n]\n"),
        CorruptStorageError,
        r"reflections\.json line 2 holds a record that no event makes",
    ),
    "view not named": (
        lambda x: forge_manifest(x, unnamed("facts.json")),
        CorruptStorageError,
        r"facts\.json lacks records: the events make more than its 0",
    ),
    "work changed": (
        lambda x: forge(x, "outbox.ndjson", swapped(b'"turn":"t2"', b'"turn":"t9"')),
        CorruptStorageError,
        r"outbox\.ndjson: op op_[0-9a-f]+: its work is that of op_",
    ),
    "state invented": (
        lambda x: forge(x, "outbox.ndjson", swapped(b'"state":"pending"', b'"state":"waiting"')),
        CorruptStorageError,
        r"outbox\.ndjson: op op_[0-9a-f]+: no op can be 'waiting'",
    ),
    "op twice": (
        lambda x: forge(x, "outbox.ndjson", lambda raw: raw + raw.splitlines(keepends=True)[0]),
        CorruptStorageError,
        r"outbox\.ndjson line 4 repeats an earlier one",
    ),
    "key twice": (
        lambda x: forge(x, "idempotency.ndjson", lambda raw: raw + raw.splitlines(keepends=True)[0]),
        CorruptStorageError,
        r"idempotency\.ndjson line 4 repeats an earlier one",
    ),
    "key of no event": (
        lambda x: forge(x, "idempotency.ndjson", swapped(b'"upto_seq":8', b'"upto_seq":9')),
        CorruptStorageError,
        r"line 3: key 'm3' names events that aren't there",
    ),
    "number too large": (
        lambda x: forge(x, "outbox.ndjson", swapped(b'"attempts":0', b'"attempts":99999999999999999999')),
        CorruptStorageError,
        r"outbox\.ndjson line 1 can't be read",
    ),
    "no Unicode": (
        lambda x: forge(x, "events.ndjson", swapped(b'"actor":"host"', b'"actor":"\xff\xfe"')),
        CorruptStorageError,
        r"events\.ndjson line 1 can't be read",
    ),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    trio.run(write_journal, settings_in(folder / "data"))
    export_to(settings_in(folder / "data"), folder / "x")
    return folder / "x"


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_set_is_refused_with_what_is_wrong_and_nothing_is_created(
    sound: Path, tmp_path: Path, damage: str
) -> None:
    inflict, error, says = DAMAGES[damage]
    shutil.copytree(sound, tmp_path / "x")
    inflict(tmp_path / "x")

    with pytest.raises(error, match=says):
        import_from(settings_in(tmp_path / "there"), tmp_path / "x")

    assert not (tmp_path / "there").exists()


def test_a_flipped_bit_in_any_file_is_found(sound: Path, tmp_path: Path) -> None:
    there = settings_in(tmp_path / "there")
    shutil.copytree(sound, tmp_path / "x")
    unfound = []
    for path in sorted((tmp_path / "x").iterdir()):
        whole = path.read_bytes()
        for at in {*range(0, len(whole), max(1, len(whole) // 40)), len(whole) - 1}:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x01]) + whole[at + 1 :])
            try:
                import_from(there, tmp_path / "x", f"{path.stem}-{at}")
            except OmoideError:
                continue
            unfound.append((path.name, at))
        path.write_bytes(whole)

    assert unfound == []


def test_an_older_program_wrote_records_without_the_fields_that_came_later(export: Path, there: Settings) -> None:
    forge(export, "facts.json", lambda raw: raw.replace(b',"status":"active","status_at":null,"reason":""', b""))

    import_from(there, export)

    assert examine(there, "yui").findings == ()


# --- kill -----------------------------------------------------------------------------------------

IMPORTER = """
import sys
from pathlib import Path
from omoide.runtime.failpoints import ArmedFailpoints, Fault
from omoide.runtime.store import exported
from omoide.tests.runtime.store.moved import import_from
from omoide.tests.runtime.store.samples import settings_in
folder, layout, point = sys.argv[1:]
points = ArmedFailpoints()
points.arm(point, Fault.KILL)
seen = []
def watch(done, total):
    seen.append(done)
    if point == "watch." + str(len(seen)):
        points.arm("now", Fault.KILL)
        points.reach("now")
exported.ROWS_A_STEP = 1
import_from(settings_in(Path(folder) / "data", layout), Path(folder) / "x", "mio", failpoints=points, watch=watch)
"""


@pytest.mark.kill
@pytest.mark.parametrize(
    ("layout", "point", "is_there"),
    [
        ("per-character", "watch.5", False),
        ("per-character", "import.before_commit", False),
        ("per-character", "import.before_rename", False),
        ("per-character", "import.after_commit", True),
        ("shared", "watch.5", False),
        ("shared", "import.before_commit", False),
        ("shared", "import.after_commit", True),
    ],
)
def test_a_killed_import_leaves_all_or_nothing(
    export: Path, settings: Settings, tmp_path: Path, layout: Layout, point: str, is_there: bool
) -> None:
    assert settings.storage.layout == layout

    killed = subprocess.run(
        [sys.executable, "-c", IMPORTER, tmp_path, layout, point], capture_output=True, check=False
    )

    assert killed.returncode == -9, killed.stderr
    assert names_in(settings) == (["mio", "rin", "yui"] if is_there else ["rin", "yui"])
    if not is_there:
        import_from(settings, export, "mio")
    assert [examine(settings, name).findings for name in names_in(settings)] == [(), (), ()]
    assert stored(settings, "mio")["facts"] == stored(settings)["facts"]


# --- files ----------------------------------------------------------------------------------------


def test_a_set_that_lacks_any_file_or_has_one_more_is_refused(export: Path, there: Settings) -> None:
    taken = []
    for path in sorted(export.iterdir()):
        whole = path.read_bytes()
        path.unlink()
        with pytest.raises(OmoideError, match=path.name):
            import_from(there, export)
        path.write_bytes(whole)
        taken.append(path.name)
    (export / "facts.json.bak").write_text("[]")
    with pytest.raises(CorruptStorageError, match=r"'facts.json.bak' is in the folder"):
        import_from(there, export)
    (export / "facts.json.bak").rename(export / ".DS_Store")

    import_from(there, export)

    assert len(taken) == len(exported.FILES) + 1
