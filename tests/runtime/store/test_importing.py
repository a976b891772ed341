"""An export makes the same character again, is refused with what is wrong with it, and never half imported."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

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
from omoide.runtime.store import examine, exported, open_store
from omoide.runtime.store.files import make_folder
from omoide.runtime.store.lock import lock_of
from omoide.runtime.store.paths import place_of
from omoide.tests.runtime.store.moved import (
    export_to,
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
