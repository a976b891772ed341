"""`omoide models`: which there are, choosing one, and whether one works."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from omoide.runtime.models.embeddings import PACKAGED
from omoide.tests.runtime.cli.command_line import Omoide

needs_minilm = pytest.mark.skipif(not PACKAGED[0].installed, reason="the extra 'minilm' is not installed")


def test_the_list_says_what_is_there_and_how_to_get_the_rest(omoide: Omoide) -> None:
    listed = omoide("models", "list", "--json").documents
    assert [one["name"] for one in listed] == ["minilm", "multilingual"]
    for one, packaged in zip(listed, PACKAGED, strict=True):
        expected = "installed" if packaged.installed else f"pip install 'omoide[{packaged.extra}]'"
        assert one["state"] == expected


def test_the_list_shows_what_is_wrong_with_the_folder_in_use(omoide: Omoide, tmp_path: Path) -> None:
    told = omoide("models", "list", OMOIDE_EMBEDDINGS__MODEL=str(tmp_path))
    assert "holds no model.onnx" in told.out


@needs_minilm
def test_choosing_writes_the_setting_and_leaves_the_rest_of_the_file(omoide: Omoide, tmp_path: Path) -> None:
    config = tmp_path / "omoide.toml"
    config.write_text("# mine\n[outbox]\nattempts = 3  # few\n")
    omoide("models", "use", "minilm", "--config", str(config))
    text = config.read_text()
    assert tomllib.loads(text) == {"outbox": {"attempts": 3}, "embeddings": {"model": "minilm"}}
    assert text.startswith("# mine\n[outbox]\nattempts = 3  # few\n")


@needs_minilm
def test_choosing_begins_a_file_that_is_not_there_yet(omoide: Omoide, tmp_path: Path) -> None:
    config = tmp_path / "omoide.toml"
    omoide("models", "use", "minilm", "--config", str(config))
    assert tomllib.loads(config.read_text()) == {"embeddings": {"model": "minilm"}}


@needs_minilm
def test_choosing_without_a_file_tells_what_to_set(omoide: Omoide) -> None:
    told = omoide("models", "use", "minilm")
    assert "OMOIDE_EMBEDDINGS__MODEL=minilm" in told.out


def test_choosing_none_needs_no_extra(omoide: Omoide, tmp_path: Path) -> None:
    config = tmp_path / "omoide.toml"
    config.write_text('[embeddings]\nmodel = "minilm"\n')
    omoide("models", "use", "none", "--config", str(config))
    assert tomllib.loads(config.read_text()) == {"embeddings": {"model": "none"}}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("use", "minlm"), 2, "known are none, minilm, multilingual"),
        (("use", "./nowhere"), 1, "isn't there"),
        (("check", "./nowhere"), 1, "isn't there"),
        (("check",), 2, "no embedding model is used"),
    ],
)
def test_what_can_not_be_used_is_refused(
    omoide: Omoide, arguments: tuple[str, ...], code: int, words: str
) -> None:
    told = omoide("models", *arguments, code=code)
    assert words in told.err


@needs_minilm
def test_a_check_shows_size_speed_and_sense(omoide: Omoide) -> None:
    told = omoide("models", "check", "minilm", "--json")
    (found,) = told.documents
    assert found["dimension"] == 384
    assert found["query_ms"] > 0
    (english,) = [sample for sample in found["samples"] if sample["language"] == "en"]
    assert english["paraphrase"] > english["unrelated"] + 0.5


@needs_minilm
def test_status_shows_vectors_and_what_is_wrong_with_a_model(omoide: Omoide, tmp_path: Path) -> None:
    transcript = tmp_path / "talk.jsonl"
    transcript.write_text('{"text": "I work as a nurse."}\n{"text": "I live in Kyoto."}\n')
    omoide("replay", "yui", str(transcript), OMOIDE_EMBEDDINGS__MODEL="minilm")
    (told,) = omoide("status", "--json", OMOIDE_EMBEDDINGS__MODEL="minilm").documents
    (one,) = told["characters"]
    assert one["vectors"] == {"done": 4, "pending": 0}
    assert told["degraded"] == []
    broken = omoide("status", OMOIDE_EMBEDDINGS__MODEL=str(tmp_path / "gone"))
    assert "No embeddings" in broken.out
    assert "isn't there" in broken.out


def test_status_says_what_recall_does_without(omoide: Omoide, tmp_path: Path) -> None:
    transcript = tmp_path / "talk.jsonl"
    transcript.write_text('{"text": "I work as a nurse."}\n')
    omoide("replay", "yui", str(transcript))
    assert omoide("status", "--json").documents[0]["degraded"] == ["embeddings"]
    assert "degraded: embeddings" in omoide("status").out
