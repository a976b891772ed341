"""What may be said unprompted, and what in reply."""

from omoide.actors.directives.folding import fold_term
from omoide.actors.directives.gates import Reason, gate, raised_topics
from omoide.actors.directives.matcher import Matcher, compile_terms
from omoide.protocols.records import Directive, DirectiveId


def matcher_of(*terms: str) -> Matcher:
    return compile_terms(
        Directive(
            id=DirectiveId(term),
            key=fold_term(term),
            term=term,
            hits=1,
            first_said_at=0.0,
            last_said_at=0.0,
            turn=None,
        )
        for term in terms
    )


def test_unprompted_speech_that_names_a_topic_is_blocked() -> None:
    verdict = gate("Marcus would have loved this film!", matcher_of("Marcus"), unprompted=True)
    assert (verdict.verdict, verdict.reasons) == ("block", (Reason.BANNED_TOPIC_UNPROMPTED,))


def test_unprompted_speech_is_blocked_even_if_the_topic_was_raised() -> None:
    verdict = gate("Marcus!", matcher_of("Marcus"), unprompted=True, raised=frozenset({"marcus"}))
    assert verdict.verdict == "block"


def test_what_names_no_topic_is_allowed() -> None:
    verdict = gate("Did you sleep well?", matcher_of("Marcus"), unprompted=True)
    assert (verdict.verdict, verdict.reasons, verdict.spans) == ("allow", (), ())


def test_a_reply_that_names_a_topic_which_nobody_raised_is_to_be_revised() -> None:
    verdict = gate("Like Marcus did.", matcher_of("Marcus"), unprompted=False)
    assert (verdict.verdict, verdict.reasons) == ("revise", (Reason.BANNED_TOPIC_NOT_RAISED,))


def test_a_reply_may_name_the_topic_that_the_person_raised() -> None:
    matcher = matcher_of("Marcus")
    raised = raised_topics("Did Marcus's letter come?", matcher)
    verdict = gate("Yes, Marcus wrote.", matcher, unprompted=False, raised=raised)
    assert (verdict.verdict, verdict.reasons) == ("allow", (Reason.RAISED_BY_THE_PERSON,))


def test_only_the_topics_that_were_not_raised_are_held_against_a_reply() -> None:
    matcher = matcher_of("Marcus", "Dana")
    draft = "Marcus met Dana."
    verdict = gate(draft, matcher, unprompted=False, raised=frozenset({"marcus"}))
    assert [draft[span.start : span.end] for span in verdict.spans] == ["Dana"]


def test_nothing_is_raised_by_other_words() -> None:
    assert raised_topics("the annual plan", matcher_of("Ann")) == frozenset()
