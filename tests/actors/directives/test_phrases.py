"""Every phrase does what the sentences beside it say."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from omoide.actors.directives.folding import fold_term
from omoide.actors.directives.phrasebook import LOCALES, Locale, Rule, may_voice, phrasebook
from omoide.actors.directives.wishes import Ban, Forget, Lift, Wish, cleaned, find_wishes
from omoide.protocols.scripts import simplified

LABELLED = Path(__file__).parent / "labelled"
KINDS: dict[str, type[Wish]] = {"ban": Ban, "lift": Lift, "forget": Forget}
RULES = [(locale, number, rule) for locale in phrasebook() for number, rule in enumerate(locale.rules)]
EXAMPLES = [
    pytest.param(rule, sentence, terms, id=f"{locale.name}-{number}-{sentence}")
    for locale, number, rule in RULES
    for sentence, terms in rule.examples.items()
]
NEAR_MISSES = [
    pytest.param(locale, sentence, id=f"{locale.name}-{number}-{sentence}")
    for locale, number, rule in RULES
    for sentence in rule.near_misses
]


def named(wish: Wish) -> str:
    term = wish.object if isinstance(wish, Forget) else wish.term
    return "*" if term is None else fold_term(term)


@pytest.mark.parametrize(("rule", "sentence", "terms"), EXAMPLES)
def test_an_example_voices_the_wish_of_its_rule(rule: Rule, sentence: str, terms: list[str]) -> None:
    wishes = [named(wish) for wish in find_wishes(sentence) if isinstance(wish, KINDS[rule.wish])]
    assert wishes == [term if term == "*" else fold_term(term) for term in terms]


@pytest.mark.parametrize(("rule", "sentence", "terms"), EXAMPLES)
def test_an_example_is_matched_by_its_own_rule(rule: Rule, sentence: str, terms: list[str]) -> None:
    del terms
    assert rule.pattern.search(sentence) or rule.pattern.search(simplified(sentence))


@given(
    st.text(max_size=9),
    st.sampled_from([cue for locale in phrasebook() for cue in locale.cues]),
    st.text(max_size=9),
)
def test_what_a_locale_may_speak_may_voice_something(before: str, cue: str, behind: str) -> None:
    sentence = f"{before}{cue.upper()}{behind}"
    assert may_voice(sentence) or not any(
        locale.may_speak(seen, seen.lower())
        for locale in phrasebook()
        for seen in (sentence, simplified(sentence))
    )


def test_a_plain_question_may_voice_nothing() -> None:
    assert not may_voice("Where does my sister live these days?")


@pytest.mark.parametrize(("locale", "sentence"), NEAR_MISSES)
def test_a_near_miss_voices_no_wish(locale: Locale, sentence: str) -> None:
    del locale
    assert find_wishes(sentence) == ()


@pytest.mark.parametrize("locale", phrasebook(), ids=lambda locale: locale.name)
def test_every_locale_hears_all_three_wishes(locale: Locale) -> None:
    assert {rule.wish for rule in locale.rules} == {"ban", "lift", "forget"}


@pytest.mark.parametrize("locale", phrasebook(), ids=lambda locale: locale.name)
def test_every_locale_has_near_misses(locale: Locale) -> None:
    assert sum(len(rule.near_misses) for rule in locale.rules) >= 4


@pytest.mark.parametrize("locale", phrasebook(), ids=lambda locale: locale.name)
def test_a_sentence_that_a_phrase_matches_holds_one_of_its_cues(locale: Locale) -> None:
    """Cues only save time: without them the same would be heard."""
    labelled = yaml.safe_load((LABELLED / f"{locale.name}.yaml").read_text("utf-8"))
    said = [cleaned(row["say"]) for rows in labelled.values() for row in rows]
    for sentence in [*said, *(example for rule in locale.rules for example in rule.examples)]:
        seen = simplified(sentence) if locale.simplify else sentence
        tried = set(map(id, locale.rules_for(seen.lower())))
        missed = [rule for rule in locale.rules if rule.pattern.search(seen) and id(rule) not in tried]
        assert not missed, sentence


def test_a_file_of_phrases_exists_for_every_locale() -> None:
    assert tuple(locale.name for locale in phrasebook()) == LOCALES
