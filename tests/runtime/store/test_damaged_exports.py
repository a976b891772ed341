"""An export in which anything is wrong is refused with what is wrong with it, and nothing of it is imported."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from omoide.protocols.errors import (
    CorruptStorageError,
    InvalidRequestError,
    NewerSchemaError,
    OmoideError,
)
from omoide.protocols.settings import Settings
from omoide.runtime.store import chain, examine, exported
from omoide.tests.runtime.store.moved import (
    export_to,
    forge,
    forge_manifest,
    import_from,
    write_journal,
)
from omoide.tests.runtime.store.samples import settings_in


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
