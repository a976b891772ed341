"""Where a sentence ends, in chat as people type it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.runtime.models.offline.sentences import sentences


@pytest.mark.parametrize(
    "parts",
    [
        ["I met Dr. Smith on St. James Ave. with Mr. Poe.", "He is 3.5 years older."],
        ["I live on Main St.", "It is quiet."],
        ["He likes tea, e.g. Earl Grey.", "So do I.", "My dad too"],
        ["I was born at 5 p.m. on a Monday.", "My mom cried."],
        ["I live in the U.S.", "My dog is old."],
        ["J. K. Rowling wrote it."],
        ["i work as a nurse.", "i like tea"],
        ["hello!!!", "I am Tom"],
        ["really?!", "I moved"],
        ["wait... what?", "ok"],
        ["Hmm...", "I moved."],
        ["I love him…", "He left"],
        ["No.", "I take no. 5."],
        ['He said "I am tired. Go."', "Then he left."],
        ['She said "I am leaving." and left.'],
        ["We (my brother. and I) sing."],
        ['"I never close this quotation.', "It ends here."],
        ["Ich wohne z.B. in Berlin.", "Am 3. Mai komme ich."],
        ["Vivo en Madrid.", "¿Y tú?", "Tengo dos perros."],
    ],
)
def test_sentences_end_where_a_reader_ends_them(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["我叫林晚。", "我对花生过敏！", "你呢？"],
        ["我叫林晚……", "我喜欢茶"],
        ["「はい。」と言った。", "猫が好き"],
        ["他说“我累了。我走了。”然后走了"],
        ["真的吗？！", "太好了"],
        ["I like tea.", "I live in Rome."],
    ],
)
def test_sentences_need_no_blank_between_them(parts: list[str]) -> None:
    assert sentences("".join(parts)) == parts


def test_a_line_end_ends_a_sentence() -> None:
    assert sentences("my name is Ann\n\ni like tea\r\n") == ["my name is Ann", "i like tea"]


@given(st.text(alphabet="aA1我か. !?。…\"“”「」()\n'", max_size=60))
def test_no_character_but_blanks_is_lost(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
