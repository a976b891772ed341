"""Any folder with a graph, a tokenizer and a manifest is a model; a broken one is refused with what to do."""

import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import trio

from omoide.protocols.errors import ModelError, SettingsError
from omoide.protocols.ports import Embedder
from omoide.protocols.settings import EmbeddingSettings
from omoide.runtime.models.embeddings import PACKAGED, open_embedder

MINILM = 'id = "my-minilm"\ndimension = 384\n'

Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Make a model's folder of the packaged files, with this manifest."""
    if not PACKAGED[0].installed:
        pytest.skip("the extra 'minilm' is not installed")

    def make(manifest: str = MINILM) -> Path:
        made = tmp_path / "model"
        made.mkdir()
        weights, words = (find_spec(module) for module in PACKAGED[0].modules[:2])
        assert weights is not None
        assert words is not None
        (made / "model.onnx").symlink_to(Path(str(weights.origin)).parent / "model.onnx")
        (tokenizer,) = Path(str(words.origin)).parent.rglob("tokenizer.json")
        shutil.copy(tokenizer, made / "tokenizer.json")
        (made / "omoide.toml").write_text(manifest)
        return made

    return make


def opened(folder: Path) -> Embedder:
    embedder = open_embedder(EmbeddingSettings(model=str(folder)))
    assert embedder is not None
    return embedder


async def test_a_folder_gives_the_vectors_of_the_packaged_model(folder: Folder, minilm: Embedder) -> None:
    mine = await opened(folder(MINILM + "max_tokens = 256\n")).embed(["I like tea"], query=False)
    theirs = await minilm.embed(["I like tea"], query=False)
    assert np.allclose(mine, theirs, atol=1e-4)


async def test_pooling_prefixes_and_length_are_the_manifests_to_say(folder: Folder) -> None:
    text = "what is her job, and where did she study for it?"
    plain = await opened(made := folder()).embed([text], query=True)
    told = [
        'pooling = "cls"',
        'query_prefix = "query: "',
        "max_tokens = 8",
    ]
    for line in told:
        (made / "omoide.toml").write_text(f"{MINILM}{line}\n")
        other = await opened(made).embed([text], query=True)
        assert float((plain @ other.T).item()) < 0.999, line


async def test_a_passage_gets_the_passages_prefix(folder: Folder) -> None:
    embedder = opened(folder(MINILM + 'passage_prefix = "query: "\n'))
    as_passage = await embedder.embed(["tea"], query=False)
    as_query = await embedder.embed(["query: tea"], query=True)
    assert np.allclose(as_passage, as_query, atol=1e-4)


def test_another_way_of_making_vectors_is_another_model(folder: Folder) -> None:
    made = folder()
    before = opened(made).id
    (made / "omoide.toml").write_text(MINILM + 'pooling = "cls"\n')
    assert opened(made).id != before
    assert before.startswith("my-minilm@")


def test_other_weights_are_another_model(folder: Folder) -> None:
    made = folder()
    before = opened(made).id
    weights = (made / "model.onnx").read_bytes()
    (made / "model.onnx").unlink()
    (made / "model.onnx").write_bytes(weights[:-1] + b"!")
    assert opened(made).id != before


@pytest.mark.parametrize(
    ("damage", "names"),
    [
        (shutil.rmtree, "isn't there"),
        (lambda made: (made / "model.onnx").unlink(), "holds no model.onnx"),
        (lambda made: (made / "tokenizer.json").unlink(), "holds no tokenizer.json"),
        (lambda made: (made / "omoide.toml").unlink(), "holds no omoide.toml"),
        (lambda made: (made / "omoide.toml").write_text("id = "), "is no TOML"),
        (lambda made: (made / "omoide.toml").write_bytes(b"\xff"), "is no TOML"),
        (lambda made: (made / "omoide.toml").write_text(MINILM + 'pooling = "max"'), r"\$.pooling"),
        (lambda made: (made / "omoide.toml").write_text(MINILM + "poling = 1"), "poling"),
        (lambda made: (made / "omoide.toml").write_text('id = "x"'), "dimension"),
    ],
)
def test_a_folder_that_can_not_be_used_is_refused_by_what_it_lacks(
    folder: Folder, damage: Callable[[Path], object], names: str
) -> None:
    made = folder()
    damage(made)
    with pytest.raises(ModelError, match=names) as refused:
        opened(made)
    assert str(made) in str(refused.value)


@pytest.mark.parametrize(
    ("damage", "names"),
    [
        (lambda made: (made / "tokenizer.json").write_text("{}"), "tokenizer.json is no tokenizer"),
        (lambda made: (made / "omoide.toml").write_text('id = "x"\ndimension = 512'), "write dimension = 384"),
        (lambda made: (made / "omoide.toml").write_text(MINILM + 'pooling = "none"'), "no output of 2 axes"),
    ],
)
async def test_files_that_do_not_fit_are_named_when_they_are_loaded(
    folder: Folder, damage: Callable[[Path], object], names: str
) -> None:
    made = folder()
    damage(made)
    with pytest.raises(ModelError, match=names):
        await opened(made).embed(["tea"], query=True)


async def test_damaged_weights_are_named_and_tried_again_only_after_a_while(
    folder: Folder, autojump_clock: trio.testing.MockClock
) -> None:
    made = folder()
    weights = (made / "model.onnx").read_bytes()
    (made / "model.onnx").unlink()
    (made / "model.onnx").write_bytes(weights[:1_000])
    embedder = opened(made)
    with pytest.raises(ModelError, match="can't be loaded"):
        await embedder.embed(["tea"], query=True)
    (made / "model.onnx").write_bytes(weights)
    with pytest.raises(ModelError, match="can't be loaded"):
        await embedder.embed(["tea"], query=True)
    await trio.sleep(31)
    assert (await embedder.embed(["tea"], query=True)).shape == (1, 384)
    assert autojump_clock.current_time() > 30


def test_no_model_is_no_error() -> None:
    assert open_embedder(EmbeddingSettings()) is None


def test_a_misspelt_model_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(SettingsError, match="'minlm': known are none, minilm, multilingual"):
        open_embedder(EmbeddingSettings(model="minlm"))
