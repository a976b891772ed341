"""Real inference with the models that extras bring."""

import subprocess
import sys

import numpy as np
import pytest
import trio

from omoide.protocols.ports import Embedder
from omoide.protocols.vectors import packed, unpacked

PARAPHRASES = [
    ("She works as a nurse in a hospital", "Her job is nursing at a clinic", "The cat sleeps on the sofa"),
    ("I really enjoy sailing", "I love going out on my boat", "My sister lives in Bergen"),
]
CHINESE = ("我喜欢喝绿茶", "绿茶是我最爱的饮料", "他的妹妹住在北京")


async def cosines(embedder: Embedder, *texts: str) -> list[float]:
    """Return the cosine of the first text to each of the others."""
    matrix = await embedder.embed(texts, query=False)
    return [float(cosine) for cosine in matrix[1:] @ matrix[0]]


@pytest.mark.parametrize(("text", "same", "other"), PARAPHRASES)
async def test_a_paraphrase_is_nearer_than_what_has_nothing_to_do_with_it(
    minilm: Embedder, text: str, same: str, other: str
) -> None:
    near, far = await cosines(minilm, text, same, other)
    assert near > far + 0.3


async def test_vectors_are_rows_of_length_1(minilm: Embedder) -> None:
    matrix = await minilm.embed(["tea", "coffee", "a much longer text about neither of them"], query=False)
    assert matrix.shape == (3, minilm.dimension)
    assert matrix.dtype == np.float32
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1.0, atol=1e-5)


async def test_a_text_has_nearly_the_same_vector_beside_longer_ones_as_alone(minilm: Embedder) -> None:
    texts = ["tea", "a much longer text that makes padding of the other two needed", "green tea in the morning"]
    together = await minilm.embed(texts, query=False)
    alone = np.concatenate([await minilm.embed([text], query=False) for text in texts])
    assert np.all(np.sum(together * alone, axis=1) > 0.98)  # int8 activations are scaled by the batch


async def test_many_texts_keep_their_order(minilm: Embedder) -> None:
    texts = ["dog", "a walk in the park with the dog", "tea", "number theory"] * 5
    matrix = await minilm.embed(texts, query=False)
    assert np.all(np.sum(matrix[:4] * matrix[-4:], axis=1) > 0.98)
    assert float(matrix[0] @ matrix[2]) < 0.7


async def test_a_text_longer_than_the_model_reads_is_cut(minilm: Embedder) -> None:
    matrix = await minilm.embed(["tea " * 5_000], query=False)
    assert matrix.shape == (1, minilm.dimension)


async def test_no_text_makes_no_vector(minilm: Embedder) -> None:
    assert (await minilm.embed([], query=True)).shape == (0, minilm.dimension)


async def test_rounding_for_the_disk_moves_a_cosine_by_less_than_a_thousandth(minilm: Embedder) -> None:
    matrix = await minilm.embed(["tea", "coffee", "the weather"], query=False)
    kept = unpacked([packed(row) for row in matrix], minilm.dimension)
    assert np.abs(kept @ kept.T - matrix @ matrix.T).max() < 1e-3


async def test_who_waits_for_a_query_is_not_behind_a_backlog(minilm: Embedder) -> None:
    backlog = [f"text number {number} " * 20 for number in range(24)]
    finished: list[str] = []

    async def embed_backlog() -> None:
        await minilm.embed(backlog, query=False)
        finished.append("backlog")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(embed_backlog)
        await trio.sleep(0.01)
        await minilm.embed(["tea"], query=True)
        finished.append("query")
    assert finished == ["query", "backlog"]


async def test_embedding_can_be_cancelled_at_any_moment(minilm: Embedder) -> None:
    with trio.move_on_after(0.02) as scope:
        await minilm.embed(["a long text " * 60] * 16, query=False)
    assert scope.cancelled_caught


def test_a_program_that_ends_while_a_model_computes_ends_in_order(minilm: Embedder) -> None:
    program = """
import trio
from omoide.protocols.settings import EmbeddingSettings
from omoide.runtime.models.embeddings import open_embedder

async def main():
    embedder = open_embedder(EmbeddingSettings(model="minilm"))
    await embedder.embed(["tea"], query=True)
    with trio.move_on_after(0.01):
        await embedder.embed(["a long text " * 60] * 8, query=False)

trio.run(main)
"""
    assert minilm.dimension == 384
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, b"")


async def test_the_multilingual_model_knows_a_paraphrase_in_chinese(multilingual: Embedder) -> None:
    near, far = await cosines(multilingual, *CHINESE)
    assert near > far + 0.05


async def test_the_multilingual_model_finds_a_chinese_fact_for_an_english_question(
    multilingual: Embedder,
) -> None:
    facts = ["她在医院当护士", "他养了一只叫小黑的猫", "我们住在大阪"]
    passages = await multilingual.embed(facts, query=False)
    (question,) = await multilingual.embed(["what is her job?"], query=True)
    assert int(np.argmax(passages @ question)) == 0


async def test_the_multilingual_model_reads_past_a_nul(multilingual: Embedder) -> None:
    cut, whole = await cosines(multilingual, "tea\0 with a nurse", "tea", "tea with a nurse")
    assert whole > cut
