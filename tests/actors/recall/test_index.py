"""What the lexical index finds, in which order, and what it forgets."""

import pytest

from omoide.actors.recall.index import InvertedIndex
from omoide.actors.recall.rows import Entry
from omoide.protocols.errors import InvalidRequestError
from omoide.protocols.scopes import PRIVATE, Subject
from omoide.tests.actors.recall.loaded import load

GROUP = Subject("group:qq:1")


def index_of(*rows: str, subject: Subject = PRIVATE) -> InvertedIndex:
    """Return an index of rows whose ids are their numbers."""
    index = InvertedIndex()
    for number, text in enumerate(rows):
        index.put(str(number), subject, text.split())
    return index


def ids(index: InvertedIndex, query: str, *subjects: Subject, limit: int = 8) -> list[str]:
    found = index.search(query.split(), subjects or (PRIVATE,), limit=limit)
    return [match.doc_id for match in found.matches]


def test_the_only_memory_of_a_person_is_found() -> None:
    assert ids(index_of("tea sencha morning"), "sencha") == ["0"]


def test_a_row_of_negative_score_is_found() -> None:
    index = index_of("tea sencha", "tea")
    found = index.search(["tea"], (PRIVATE,), limit=8)
    assert [match.score < 0 for match in found.matches] == [True, True]


def test_a_row_without_any_term_of_the_query_is_not_found() -> None:
    assert ids(index_of("tea", "coffee", "cats"), "tea") == ["0"]


def test_a_match_names_the_terms_that_matched_in_the_order_of_the_query() -> None:
    index = index_of("green tea morning", "cats", "dogs", "birds")
    found = index.search(["morning", "mice", "tea"], (PRIVATE,), limit=8)
    assert found.matches[0].matched == ("morning", "tea")


def test_a_term_that_the_query_repeats_counts_once() -> None:
    index = index_of("tea", "coffee", "cats", "tea cats")
    once = index.search(["tea", "cats"], (PRIVATE,), limit=8)
    assert index.search(["tea", "cats", "tea"], (PRIVATE,), limit=8) == once


def test_a_subject_that_is_named_twice_counts_once() -> None:
    index = index_of("tea", "coffee", "cats")
    once = index.search(["tea"], (PRIVATE,), limit=8)
    assert index.search(["tea"], (PRIVATE, PRIVATE), limit=8) == once


def test_nothing_is_found_where_no_subject_may_be_read() -> None:
    assert index_of("tea").search(["tea"], (), limit=8) == ((), False)


def test_an_empty_query_finds_nothing() -> None:
    assert index_of("tea").search([], (PRIVATE,), limit=8) == ((), False)


def test_rows_without_terms_are_counted_but_not_found() -> None:
    index = index_of("", "")
    assert (len(index), index.search(["tea"], (PRIVATE,), limit=8)) == (2, ((), False))


def test_a_row_of_another_subject_is_not_found() -> None:
    index = index_of("tea")
    index.put("theirs", GROUP, ["tea"])
    assert ids(index, "tea") == ["0"]


def test_a_longer_list_of_matches_than_the_limit_is_cut_and_says_so() -> None:
    index = index_of("tea", "tea", "tea")
    assert [index.search(["tea"], (PRIVATE,), limit=limit).truncated for limit in (2, 3)] == [True, False]


@pytest.mark.parametrize("limit", range(1, 4))
def test_of_equal_scores_the_row_with_more_matched_terms_comes_first(limit: int) -> None:
    # Each of the four terms is in exactly half of the rows, which is an idf of exactly 0.
    index = index_of("a b x", "a b c d", "c d x", "x y z")
    assert ids(index, "a b c d", limit=limit) == ["1", "0", "2"][:limit]


def test_a_term_in_exactly_half_of_the_rows_scores_zero() -> None:
    index = index_of("tea", "cats dogs birds mice")
    assert index.search(["tea"], (PRIVATE,), limit=8).matches[0].score == 0


@pytest.mark.parametrize("limit", range(1, 6))
def test_what_is_equal_comes_in_the_order_of_ids_whatever_the_limit(limit: int) -> None:
    index = InvertedIndex()
    for doc_id in ("d", "b", "e", "a", "c"):
        index.put(doc_id, PRIVATE, ["tea"])
    assert ids(index, "tea", limit=limit) == ["a", "b", "c", "d", "e"][:limit]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(limit: int) -> None:
    with pytest.raises(InvalidRequestError, match="limit"):
        index_of("tea").search(["tea"], (PRIVATE,), limit=limit)


def test_the_old_terms_of_a_replaced_row_find_nothing() -> None:
    index = index_of("tea", "cats", "dogs")
    index.put("0", PRIVATE, ["coffee"])
    assert (ids(index, "tea"), ids(index, "coffee"), len(index)) == ([], ["0"], 3)


def test_a_row_that_moves_to_another_subject_leaves_the_first() -> None:
    index = index_of("tea", "cats")
    index.put("0", GROUP, ["tea"])
    assert (ids(index, "tea"), ids(index, "tea", GROUP)) == ([], ["0"])


def test_a_removed_row_is_gone() -> None:
    index = index_of("tea", "cats")
    index.remove("0")
    assert (ids(index, "tea"), "0" in index, "1" in index) == ([], False, True)


def test_removing_what_is_not_there_changes_nothing() -> None:
    index = index_of("tea")
    index.remove("9")
    assert ids(index, "tea") == ["0"]


def test_an_emptied_subject_leaves_nothing_behind() -> None:
    index = index_of("tea", "cats")
    index.put("2", GROUP, ["tea"])
    ids(index, "tea", PRIVATE, GROUP)
    index.remove("2")
    assert (list(index._partitions), list(index._spectra._spectra)) == ([PRIVATE], [frozenset({PRIVATE})])


def test_a_term_that_no_row_holds_any_more_is_not_kept() -> None:
    index = index_of("tea", "cats")
    index.remove("0")
    assert dict(index._partitions[PRIVATE].frequencies()) == {"cats": 1}


def test_a_new_row_takes_the_place_of_a_removed_one() -> None:
    index = index_of("tea", "tea", "tea")
    index.remove("1")
    index.put("3", PRIVATE, ["tea", "tea"])
    assert (sorted(ids(index, "tea")), index._partitions[PRIVATE].capacity) == (["0", "2", "3"], 3)


def test_rows_that_come_all_at_once_are_found_by_who_asked_before() -> None:
    index = index_of("tea", "coffee")
    ids(index, "cats")
    load(index, PRIVATE, [Entry("late", ("cats",))])
    assert ids(index, "cats") == ["late"]


def test_who_may_read_more_than_the_last_who_asked_finds_more() -> None:
    index = index_of("tea", "tea green")
    index.search(["tea"], (PRIVATE,), limit=8, hidden={"1"})
    assert sorted(ids(index, "tea")) == ["0", "1"]


def test_rows_that_are_hidden_since_are_left_out_though_the_set_of_them_is_the_same_one() -> None:
    index, hidden = index_of("tea", "tea green"), set[str]()
    index.search(["tea"], (PRIVATE,), limit=8, hidden=hidden)
    hidden.add("1")
    found = index.search(["tea"], (PRIVATE,), limit=8, hidden=hidden)
    assert [match.doc_id for match in found.matches] == ["0"]


def test_terms_that_nobody_said_are_not_remembered_without_end() -> None:
    index = index_of("tea")
    reading = index.read((PRIVATE,))
    reading.own([f"unknown{number}" for number in range(1_000)])
    assert index.read((PRIVATE,)) is not reading


def test_terms_that_are_numbered_with_pieces_of_each_others_numbers_are_told_apart() -> None:
    # The bytes of the terms 256 and 0 side by side hold those of the term 1.
    terms = [f"t{number}" for number in range(257)]
    index = index_of(" ".join(terms), "t256 t0", "tea")
    found = index.search(["t1", "t256"], (PRIVATE,), limit=8)
    assert {match.doc_id: match.matched for match in found.matches} == {"0": ("t1", "t256"), "1": ("t256",)}


def test_a_put_of_something_that_is_no_terms_leaves_the_row_as_it_was() -> None:
    index = index_of("tea")
    with pytest.raises(TypeError):
        index.put("0", PRIVATE, [["tea"]])  # type: ignore[list-item]
    assert ids(index, "tea") == ["0"]


def test_the_index_can_be_written_after_a_predicate_failed() -> None:
    index = index_of("tea", "cats")

    def fails(doc_id: str) -> bool:
        raise LookupError(doc_id)

    with pytest.raises(LookupError) as caught:
        index.search(["tea"], (PRIVATE,), limit=8, hidden=fails)
    index.put("2", PRIVATE, ["tea"])
    assert (ids(index, "tea"), caught.type) == (["0", "2"], LookupError)


def test_hiding_every_row_finds_nothing() -> None:
    assert index_of("tea", "cats").search(["tea"], (PRIVATE,), limit=8, hidden={"0", "1"}) == ((), False)


def test_hiding_rows_that_are_unknown_or_of_other_subjects_changes_nothing() -> None:
    index = index_of("tea", "cats", "dogs")
    index.put("theirs", GROUP, ["tea"])
    plain = index.search(["tea"], (PRIVATE,), limit=8)
    assert index.search(["tea"], (PRIVATE,), limit=8, hidden={"theirs", "nobody"}) == plain
