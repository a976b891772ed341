"""Where topics are found in a text, and where they aren't."""

import pytest

from omoide.actors.directives.folding import fold_term
from omoide.actors.directives.matcher import compile_terms, core_of
from omoide.protocols.records import Directive, DirectiveId


def directive(term: str, locale: str = "en", *, bare: bool = False, aliases: tuple[str, ...] = ()) -> Directive:
    return Directive(
        id=DirectiveId(term),
        key=fold_term(term),
        term=term,
        aliases=aliases,
        bare=bare,
        locale=locale,
        hits=1,
        first_said_at=0.0,
        last_said_at=0.0,
        turn=None,
    )


def found(term: str, text: str, locale: str = "en") -> list[str]:
    return [text[span.start : span.end] for span in compile_terms([directive(term, locale)]).find(text)]


@pytest.mark.parametrize(
    ("term", "locale", "text", "named"),
    [
        ("Ann", "en", "Is Ann here?", ["Ann"]),
        ("Ann", "en", "Ann's hat and ANN", ["Ann", "ANN"]),
        ("spiders", "en", "a spider, Spiders' webs", ["spider", "Spiders"]),
        ("my ex", "en", "Did your ex call?", ["ex"]),
        ("the merger", "en", "mergers", ["mergers"]),
        ("children", "en", "every child", ["child"]),
        ("ex-wife", "en", "your ex wife, ex\u2011wives", ["ex wife", "ex\u2011wives"]),
        ("Dr. Who", "en", "We saw Dr. Who.", ["Dr. Who"]),
        (
            "Marcus",
            "en",
            "Mar\u200bcus, Mar\u00adcus, ＭＡＲＣＵＳ",
            ["Mar\u200bcus", "Mar\u00adcus", "ＭＡＲＣＵＳ"],
        ),
        ("C++", "en", "I like c++.", ["c++"]),
        ("🍕", "en", "more 🍕?", ["🍕"]),
        ("US", "en", "tell us about the US", ["US"]),
        ("Marcus", "zh", "你和Marcus还联系吗", ["Marcus"]),
        ("前女友", "zh", "你前女友呢？", ["前女友"]),
        ("我前任", "zh", "你前任呢？", ["前任"]),
        ("我爸", "zh", "你爸好吗？爸爸呢", ["你爸", "爸爸"]),
        ("那場車禍", "zh", "那场车祸之后", ["那场车祸"]),
        ("iPhone手机", "zh", "你的 iPhone 手机", ["iPhone 手机"]),
        ("カニ", "ja", "カニとｶﾆとかに鍋", ["カニ", "ｶﾆ", "かに"]),
        ("시험", "ko", "시험은 어땠어?", ["시험"]),
        ("разводе", "ru", "После развода", ["развода"]),
        ("Марке", "ru", "Где Марк?", ["Марк"]),
        ("la boda", "es", "¿Cómo van las bodas?", ["bodas"]),
        ("operações", "pt", "a operação", ["operação"]),
        ("die Prüfung", "de", "vor den Prüfungen", ["Prüfungen"]),
        ("l'accident", "fr", "des accidents", ["accidents"]),
        ("politica", "es", "la política", ["política"]),
        # hidden by a line's end, markup, spelling out
        ("Petra", "en", "Pe-\ntra and Pet-\r\nra", ["Pe-\ntra", "Pet-\r\nra"]),
        ("Petra", "en", "**Pe**tra, P_e_tra, ~~Pet~~ra", ["Pe**tra", "P_e_tra", "Pet~~ra"]),
        ("Petra", "en", "P-e-t-r-a, P.e.t.r.a, P e t r a", ["P-e-t-r-a", "P.e.t.r.a", "P e t r a"]),
        ("my ex", "en", "**your ex** and your_ex_", ["ex", "ex"]),
        ("周敏", "zh", "周\n敏，周·敏，周 敏，**周**敏", ["周\n敏", "周·敏", "周 敏", "周**敏"]),
        ("马库斯·李", "zh", "马库斯李和马库斯・李", ["马库斯李", "马库斯・李"]),
        ("健太", "ja", "健・太と健\n太", ["健・太", "健\n太"]),
        ("민수", "ko", "민\n수가 **민**수", ["민\n수", "민**수"]),
        # look-alike letters
        ("Petra", "en", "Реtrа, Ρetra, Ｐetra", ["Реtrа", "Ρetra", "Ｐetra"]),
        ("Nina", "en", "Νina", ["Νina"]),
        ("Савва", "ru", "Cавва", ["Cавва"]),
        # in one word or two, in another form
        ("the breakup", "en", "when you broke up, the break-up", ["broke up", "break-up"]),
        ("how we broke up", "en", "how we broke up", ["how we broke up"]),
        ("the break up", "en", "breakups", ["breakups"]),
        ("ex-wife", "en", "your exwife", ["exwife"]),
        ("lápices", "es", "el lápiz", ["lápiz"]),
        ("luces", "es", "una luz", ["luz"]),
        ("Äpfel", "de", "ein Apfel, Aepfel, Äpfeln", ["Apfel", "Aepfel", "Äpfeln"]),
        ("Apfel", "de", "viele Aepfel", ["Aepfel"]),
        ("Müller", "en", "Herr Mueller und Frau Muller", ["Mueller", "Muller"]),
        ("Mueller", "en", "Frau Müller", ["Müller"]),
        ("операции", "ru", "после операций", ["операций"]),
        ("отца", "ru", "твой отец", ["отец"]),
        ("Антона", "ru", "Антон и Антону", ["Антон", "Антону"]),
        ("irmão", "pt", "os irmãos", ["irmãos"]),
        ("animais", "pt", "um animal", ["animal"]),
        ("travaux", "fr", "le travail et les travaux", ["travaux"]),
        ("l'hôpital", "fr", "les hôpitaux", ["hôpitaux"]),
        ("수술", "ko", "수술을 받았어?", ["수술"]),
        # a name that is a word as well
        ("Will", "en", "Will called. I saw Will's car, and Will.", ["Will", "Will", "Will"]),
        ("Rosa", "es", "Ayer vi a Rosa", ["Rosa"]),
        ("Rose", "en", "Rose must be tired", ["Rose"]),
        # whose it is
        ("my sister's illness", "en", "your sister's illness, her sister's illness", 2 * ["sister's illness"]),
        ("tomorrow's surgery", "en", "Ready for tomorrow's surgery?", ["tomorrow's surgery"]),
        # the same by another word
        ("my dad", "en", "your father and Daddy", ["father", "Daddy"]),
        ("the exam", "en", "after the examination", ["examination"]),
        ("我爸", "zh", "你父亲身体好吗", ["父亲"]),
        ("我妈的病", "zh", "你母亲的病", ["母亲的病"]),
        ("母の病気", "ja", "ママの病気", ["ママの病気"]),
    ],
)
def test_a_topic_is_found_as_it_is_written(term: str, locale: str, text: str, named: list[str]) -> None:
    assert found(term, text, locale) == named


@pytest.mark.parametrize(
    ("term", "locale", "text"),
    [
        ("Ann", "en", "the annual plan of Anna and Anne"),
        ("US", "en", "tell us"),
        ("ex wife", "en", "an ex and then a wife"),
        ("C++", "en", "xc++"),
        ("カニ", "ja", "確かにそうだね"),
        ("iPhone手机", "zh", "myiPhone手机"),
        ("Will", "en", "I will, will you? Will you come? Will it rain? Where there's a will."),
        ("will", "en", "I will do it"),
        ("Rose", "en", "prices rose again"),
        ("Rosa", "es", "una flor rosa"),
        ("Joe", "en", "jo"),
        ("the breakup", "en", "break the door, then go up"),
        ("Petra", "en", "a petrached word, p_e_trax"),
        ("makeup", "en", "we make up stories"),
        ("cop", "ru", "сорт"),
        ("前女友", "zh", "以前的女友"),
        ("my dad", "en", "your mother and the fathom"),
        ("母校", "ja", "お母さんの話"),
    ],
)
def test_what_only_looks_like_a_topic_is_not_found(term: str, locale: str, text: str) -> None:
    assert found(term, text, locale) == []


def test_a_bare_directive_is_never_found() -> None:
    assert compile_terms([directive("this", bare=True)]).find("this is this") == ()


def test_an_alias_is_found_as_its_directive() -> None:
    matcher = compile_terms([directive("Marcus", aliases=("Marky", "the lawyer"))])
    assert [span.directive for span in matcher.find("Marky met a lawyer")] == ["Marcus", "Marcus"]


def test_spans_are_in_order_and_each_once() -> None:
    matcher = compile_terms([directive("tea"), directive("green tea"), directive("TEA")])
    spans = matcher.find("tea and green tea")
    assert list(spans) == sorted(set(spans), key=lambda span: (span.start, span.end, span.directive))


def test_nothing_is_found_without_directives() -> None:
    assert compile_terms([]).find("anything") == ()


@pytest.mark.parametrize(
    ("term", "locale", "core"),
    [
        ("my ex", "en", "ex"),
        ("mystery", "en", "mystery"),
        ("我的ex", "zh", "ex"),
        ("l'accident", "fr", "accident"),
        ("o meu ex", "pt", "ex"),
        ("the", "en", "the"),
    ],
)
def test_a_determiner_is_no_part_of_the_topic(term: str, locale: str, core: str) -> None:
    assert core_of(term, locale) == core
