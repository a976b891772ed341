"""Words that call a topic unwelcome are seen in seven languages, and moods alone are not."""

import pytest

from omoide.actors.signals.keyword_lists import PHRASES
from omoide.actors.signals.keywords import has_negative_keyword


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("Please STOP talking about running", "en"),
        ("can we change the subject", "en-GB"),
        ("that really annoys me", "en_US"),
        ("Stop it, I'm dying of laughter", "en"),
        ("别再说跑步了", "zh"),
        ("別再說跑步了", "zh-TW"),
        ("換個話題吧", "zh-Hant-HK"),
        ("その話はもういいよ", "ja"),
        ("그만해 제발", "ko"),
        ("다른얘기 하자", "ko-KR"),
        ("Хватит об этом!", "ru"),
        ("Меня это раздражает", "ru"),
        ("cambia de tema, por favor", "es-MX"),
        ("Já chega!", "pt-BR"),
        ("don't talk about it", "fi"),
        ("我说stop talking about it", "en"),
        ("ｓｔｏｐ ｉｔ", "en"),
    ],
)
def test_a_negative_keyword_is_seen(text: str, locale: str) -> None:
    assert has_negative_keyword(text, locale)


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("I'm so sad today", "en"),
        ("I love this topic", "en"),
        ("nonstop items are fine", "en"),
        ("今天好难过", "zh"),
        ("我很喜欢", "zh"),
        ("悲しい", "ja"),
        ("슬퍼", "ko"),
        ("мне грустно", "ru"),
        ("estoy triste", "es"),
        ("estou triste", "pt"),
        ("", "en"),
    ],
)
def test_a_mood_is_no_keyword(text: str, locale: str) -> None:
    assert not has_negative_keyword(text, locale)


def test_seven_languages_have_phrases_of_more_than_a_character() -> None:
    assert len(PHRASES) == 7
    assert all(len(phrase) > 1 for phrases in PHRASES.values() for phrase in phrases)
