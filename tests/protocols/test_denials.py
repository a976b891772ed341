"""A person's plain word denies or affirms; silence, questions, jokes and hearsay do neither."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.claims import claim_of, lifts, opposes, resolved, same_claim
from omoide.protocols.denials import AffirmationKind, DenialKind, affirmations, denials
from omoide.protocols.rejections import denied_value

OWNERS = ("Sam", "阿明", "健太")

DENIED = [
    ("No, that's wrong, I don't work as a nurse. I'm a paramedic.", "I work as a nurse at Saint Mary's hospital."),
    ("I don't work as a nurse any more", "I work as a nurse"),
    ("that's not true: I don't like tea", "I like tea"),
    ("I'm not a nurse, I'm a paramedic", "I'm a nurse"),
    ("I'm a paramedic, not a nurse", "I'm a nurse"),
    ("No, not a nurse!", "I work as a nurse"),
    ("Sam isn't a nurse.", "Sam is a nurse"),
    ("I used to smoke but I don't anymore", "I smoke"),
    ("I quit smoking last year", "I smoke a pack a day"),
    ("Sorry, but I never liked mushrooms", "I like mushrooms"),
    ("Yes, I don't like tea", "I like tea"),
    ("My sister isn't a doctor", "My sister is a doctor"),
    ("I moved out of Kyoto in spring", "I live in Kyoto"),
    ("I told you I don't like tea", "I like tea"),
    ("不对，我不是护士", "我在医院当护士"),
    ("你记错了，我不住在北京", "我住在北京"),
    ("我早就不抽烟了", "我抽烟"),
    ("我說過我不喜歡茶", "我喜欢喝茶"),
    ("不，我不喜欢跑步。", "我喜欢在河边跑步"),
    ("我以前是护士", "我是护士"),
    ("我戒烟了", "我抽烟"),
    ("我没有养狗啊", "我有一只狗"),
    ("违う、看護師じゃない", "看護師です"),
    ("違う、看護師じゃない", "私は看護師です"),
    ("もうタバコは吸わない", "タバコを吸います"),
    ("いや、お茶は好きじゃないよ", "お茶が好きです"),
    ("京都にはもう住んでいません", "京都に住んでいます"),
    ("京都にはもう住んでいません", "京都で一人暮らししてる"),
    ("看護師は辞めました", "看護師として働いています"),
    # what somebody isn't, in so many words
    ("I'm not 45 years old", "I'm 45"),
    ("It's not true that I play the harp", "I play the harp"),
    ("It's a lie that I collect coins", "I collect coins"),
    ("It is simply wrong that my aunt is a judge", "My aunt is a judge"),
    ("I have no allergy to shellfish", "I'm allergic to shellfish"),
    ("I'm unmarried", "I'm married"),
    ("I can't speak Danish", "I speak Danish"),
    ("I wasn't born in Quito", "I was born in Quito"),
    ("I'm not called Rosa", "My name is Rosa"),
    ("I'm no longer a pilot", "I'm a pilot"),
    ("Who told you that I'm a judge? I'm not.", "I'm a judge"),
    # behind what only says that it is wrong
    ("No, that's wrong, Ingrid doesn't play golf", "Ingrid plays golf"),
    ("That isn't true, Ingrid doesn't go to ballet.", "Ingrid goes to ballet"),
    # behind what owns up to a slip
    ("By the way, I got that wrong, Ingrid isn't a welder", "Ingrid is a welder"),
    ("Sorry, my mistake the other day, Ingrid doesn't play golf", "Ingrid plays golf"),
    ("Turns out Ingrid isn't a welder", "Ingrid is a welder"),
    ("上次说的不对，我表姐不是老师", "我表姐在上海当老师"),
    ("My aunt Ada has four goats, not three", "My aunt Ada has three goats"),
    ("Ingrid is from Norway, not Sweden", "Ingrid is from Sweden"),
    ("No longer a student.", "I'm a student in Graz"),
    ("我之前记错了，我弟弟不是高一", "我弟弟今年读高一"),
    ("弟は一年生じゃないよ", "弟は大学一年生。"),
    ("妹は看護師じゃない", "妹は看護師をしてる"),
    # one thing and not the other
    ("I like jazz, not techno", "I like techno"),
    ("I like jazz rather than techno", "I like techno"),
    ("I live in Graz, not in Linz", "I live in Linz"),
    ("I have four horses, not five", "I have five horses"),
    ("That was wrong, my uncle is Karl not Kurt", "My uncle is called Kurt"),
    ("Not Linz, Graz", "I live in Linz"),
    ("我喜欢爵士乐，不是摇滚", "我喜欢摇滚"),
    ("我住在成都，不是重庆", "我住在重庆"),
    ("我弟弟叫小勇，不是小强", "我弟弟叫小强"),
    ("不是重庆，是成都", "我住在重庆"),
    ("说我是警察是不对的", "我是警察"),
    ("谁说我是律师？我不是。", "我是律师"),
    ("我喜欢的是狗，不是猫", "我喜欢猫"),
    ("お酒じゃなくてお茶が好きです", "お酒が好きです"),
    ("札幌じゃなくて、函館です", "札幌に住んでいます"),
    ("弁護士だというのは嘘です", "弁護士です"),
    ("肉が好きで、魚は好きじゃない", "魚が好きです"),
    ("兄の名前はけんじゃない", "兄の名前はけんです"),
    # other languages, in plain words
    ("저는 의사가 아니에요", "저는 의사예요"),
    ("저는 고기를 안 먹어요", "저는 고기를 먹어요"),
    ("개를 좋아하지 않습니다", "개를 좋아합니다"),
    ("저는 차가 없습니다", "저는 차가 있습니다"),
    ("Я не врач", "Я врач"),
    ("Я больше не курю", "Я курю"),
    ("У меня нет собаки", "У меня есть собака"),
    ("No soy médico", "Soy médico"),
    ("Ya no fumo", "Fumo"),
    ("No me gusta el vino", "Me gusta el vino"),
    ("Não tenho carro", "Tenho um carro"),
    ("Já não sou professora", "Sou professora"),
    ("Ich bin kein Lehrer", "Ich bin Lehrer"),
    ("Ich rauche nicht mehr", "Ich rauche"),
    ("Je ne suis pas médecin", "Je suis médecin"),
    ("Je n'ai plus de voiture", "J'ai une voiture"),
    # what opens a sentence, and what is so instead
    ("Nein, mein Hund heißt nicht Rex, sondern Bello", "Mein Hund heißt Rex"),
    ("Das stimmt nicht, ich arbeite nicht als Koch", "Ich arbeite als Koch"),
    ("Ich mag Jazz, nicht Techno", "Ich mag Techno"),
    ("Non, c'est faux, je n'habite pas à Lille", "J'habite à Lille"),
    ("Mon chien ne s'appelle pas Rex mais Milou", "Mon chien s'appelle Rex"),
    ("Perdona, eso no es cierto, no vivo en Lima", "Vivo en Lima"),
    ("Mi gato no se llama Rex sino Simón", "Mi gato se llama Rex"),
    ("Vivo en Quito, no en Lima", "Vivo en Lima"),
    ("Na verdade, eu não moro em Faro, moro em Braga", "Eu moro em Faro"),
    ("Meu gato não se chama Rex, mas Simão", "Meu gato se chama Rex"),
    ("Нет, это неправда, я не живу в Омске", "Я живу в Омске"),
    ("Мою собаку зовут не Рекс, а Шарик", "Мою собаку зовут Рекс"),
    ("아니에요, 저는 요리사가 아니라 화가예요", "저는 요리사예요"),
    ("Ma sœur ne vit pas à Lille, elle vit à Nice", "Ma sœur vit à Lille"),
    ("我家的狗不叫豆豆，叫毛毛", "我家的狗叫豆豆"),
    # of somebody or something that a name or a noun of its own names
    ("Ingrid doesn't live in Bergen", "Ingrid lives in Bergen"),
    ("The concert isn't on Friday, it's on Saturday", "The concert is on Friday"),
    ("I meant my birthday is on 5 May, not 3 May", "My birthday is on 3 May"),
    ("My bus leaves at eight, not at seven", "My bus leaves at seven"),
]

BARE = [
    "that's wrong.",
    "No I don't, I only do it for my knee.",
    "You're mistaken.",
    "No, that is not true at all",
    "that's wrong, I'm a paramedic",
    "不对！",
    "你记错了",
    "不是这样的。",
    "違います。",
    "そうじゃないよ",
    "Nein, das stimmt nicht.",
    "Non, c'est faux !",
    "Eso no es verdad.",
    "Não, isso não é verdade",
    "Нет, это неправда.",
    "아니에요, 틀렸어요.",
]

SILENT = [
    "If that's wrong, Ingrid doesn't play golf",
    "",
    "?!",
    "ok",
    "Nope",
    "What is for dinner?",
    "stop, I'm dying of laughter",
    "stop it",
    "don't be silly",
    "haha I don't like tea at all",
    "I'm not a nurse, just kidding",
    "Don't you work as a nurse?",
    "Do I not like tea?",
    "If I don't work as a nurse I'd die",
    "what if I'm not a nurse",
    "I wonder if I don't like tea",
    "My boss said I don't work hard",
    'She said "I don\'t like tea"',
    "In the film I'm not a nurse",
    "I heard I'm not a nurse",
    "You don't like tea",
    "She doesn't like tea",
    "I don't know",
    "I can't wait",
    "No worries, Jon!",
    "Not much has changed since we last talked.",
    "Nothing new here",
    "I don't mind",
    "I'm not sure",
    "I work as a nurse",
    "I like tea",
    "别闹了",
    "别说了，笑死我了",
    "别再提前女友了",
    "我不喜欢茶吗？",
    "我是不是不喜欢茶",
    "我妈说我不喜欢茶",
    "听说我不是护士",
    "如果我不是护士，我会哭",
    "你不是护士",
    "我喜欢茶",
    "不错",
    "哈哈我不是护士",
    "もし看護師じゃなかったら",
    "彼は看護師じゃないと言った",
    "看護師じゃないですか",
    "言わないで",
    "やめて、笑い死ぬ",
    "お茶が好きです",
    "I have a dog, not that you'd care",
    "Not much, you?",
    "Not bad, thanks",
    "Who told you that?",
    "Why do you think I'm a judge?",
    "我喜欢茶，不错吧",
    "谁说我是律师？",
    "저는 의사예요",
    "Ella no es médica",
    "No vive en Lima",
    "Er ist kein Lehrer",
    "Il n'est pas médecin",
    "Он не врач",
    "Soy médico",
    "Ich bin Lehrer",
    "C'est pas grave",
    "Mi madre dice que no trabajo",
    "Ich rauche nicht, war nur Spaß",
    "That isn't the point",
    "Nobody likes rain",
]

AFFIRMED = [
    ("I do work as a nurse after all", "I work as a nurse"),
    ("yes, I love running", "I love running"),
    ("Actually I do like tea", "I like tea"),
    ("No, I do like tea!", "I like tea"),
    ("I still live in Kyoto", "I live in Kyoto"),
    ("I'm a nurse again", "I'm a nurse"),
    ("I really am a nurse", "I'm a nurse"),
    ("我确实是护士", "我是护士"),
    ("是的，我喜欢茶", "我喜欢茶"),
    ("其实我还是喜欢茶", "我喜歡茶"),
    ("我又当护士了", "我是护士"),
    ("やっぱり看護師です", "看護師です"),
    ("うん、お茶が好きです", "お茶が好き"),
    ("今でも京都に住んでいます", "京都に住んでいます"),
]

UNAFFIRMED = [
    "",
    "Yes.",
    "I work as a nurse",
    "I love running",
    "I really love running by the river!",
    "我真的很喜欢跑步",
    "お茶が本当に好きです",
    "Yeah, John!",
    "do I work as a nurse after all?",
    "She said yes, I love running",
    "You do like tea after all",
    "If I do work as a nurse",
    "yes, I don't like tea",
    "yes, I love running, just kidding",
    "我是护士",
    "我确实是护士吗？",
    "他说我确实是护士",
    "お茶が好きです",
    "やっぱり看護師ですか",
]


@pytest.mark.parametrize(("words", "known"), DENIED)
def test_a_person_takes_back_what_is_known(words: str, known: str) -> None:
    value = claim_of(known, leave_out=OWNERS)
    denied = [one.claim for one in denials(words, leave_out=OWNERS) if one.claim is not None]
    assert any(same_claim(resolved(claim, value), value) for claim in denied)


NOT_THESE = [
    ("I like jazz, not techno", "I like jazz"),
    ("I like jazz, not techno", "I play techno"),
    ("I live in Graz, not in Linz", "My brother lives in Linz"),
    ("I have four horses, not five", "I have five cats"),
    ("I can't speak Danish", "My wife speaks Danish"),
    ("It's not true that I play the harp", "I play the flute"),
    ("我喜欢爵士乐，不是摇滚", "我喜欢爵士乐"),
    ("不是重庆，是成都", "我妹妹住在成都"),
    ("お酒じゃなくてお茶が好きです", "お茶が好きです"),
    ("저는 고기를 안 먹어요", "저는 생선을 먹어요"),
    ("No soy médico", "Mi hermana es médico"),
    ("Ich bin kein Lehrer", "Mein Bruder ist Lehrer"),
    ("Je n'ai plus de voiture", "J'ai un vélo"),
    ("Я не врач", "Я учитель"),
    ("Mein Hund heißt nicht Rex, sondern Bello", "Mein Hund heißt Bello"),
    ("Mein Hund heißt nicht Rex, sondern Bello", "Meine Katze heißt Rex"),
    ("Je n'aime pas le thé mais j'aime le café", "J'aime le café"),
    ("Мою собаку зовут не Рекс, а Шарик", "Мою собаку зовут Шарик"),
    ("저는 요리사가 아니라 화가예요", "저는 화가예요"),
    ("Ingrid doesn't live in Bergen", "My sister lives in Bergen"),
    ("Ingrid doesn't live in Bergen", "I live in Bergen"),
    ("My bus leaves at eight, not at seven", "My train leaves at seven"),
    ("I got that wrong, Ingrid isn't a dentist", "I have a dentist"),
    ("My aunt Ada has four goats, not three", "My aunt Ada has three cats"),
    ("Ingrid is from Norway, not Sweden", "Ingrid is from Norway"),
    ("我之前记错了，我弟弟不是高一", "我记错了"),
]


@pytest.mark.parametrize(("words", "known"), NOT_THESE)
def test_what_was_not_meant_is_left_alone(words: str, known: str) -> None:
    value = claim_of(known, leave_out=OWNERS)
    denied = [one.claim for one in denials(words, leave_out=OWNERS) if one.claim is not None]
    assert not any(denied_value(claim, value) for claim in denied)


@pytest.mark.parametrize(("words", "known"), DENIED)
def test_what_was_denied_is_opposed_by_the_words(words: str, known: str) -> None:
    value = claim_of(known, leave_out=OWNERS)
    claims = [one.claim for one in denials(words, leave_out=OWNERS) if one.claim]
    assert all(not opposes(claim, value) for claim in claims)


@pytest.mark.parametrize("words", BARE)
def test_a_bare_denial_names_no_value(words: str) -> None:
    found = denials(words, leave_out=OWNERS)
    assert [(one.kind, one.claim) for one in found] == [(DenialKind.WRONG, None)]


@pytest.mark.parametrize("words", SILENT)
def test_these_words_deny_nothing(words: str) -> None:
    assert denials(words, leave_out=OWNERS) == ()


@pytest.mark.parametrize(("words", "known"), AFFIRMED)
def test_a_person_affirms_again(words: str, known: str) -> None:
    value = claim_of(known, leave_out=OWNERS)
    found = affirmations(words, leave_out=OWNERS)
    assert [one.claim is not None and lifts(one.claim, value) for one in found] == [True]


@pytest.mark.parametrize("words", UNAFFIRMED)
def test_these_words_affirm_nothing_again(words: str) -> None:
    assert affirmations(words, leave_out=OWNERS) == ()


def test_a_bare_yes_that_is_right_names_no_value() -> None:
    assert [(one.kind, one.claim) for one in affirmations("Yes, that's right!")] == [(AffirmationKind.RIGHT, None)]


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    assert isinstance(denials(text), tuple)
    assert isinstance(affirmations(text), tuple)


SHAPES = {
    "commas": "i,",
    "nots": "not ",
    "said": "he said ",
    "zh at": "在",
    "zh not": "我不",
    "zh number": "一",
    "kana": "なくて",
    "quotes": '"',
    "blanks": " ",
    "my": "my a ",
    "rather than": "rather than ",
    "not x": "not tea, ",
    "zh not x": "不是茶，",
    "sino": "ya no me sino ",
    "sondern": "ich nicht, sondern ",
    "а не": "я, а не ",
    "아니라": "저는 아니라 ",
    "zh false": "说我是",
    "ja not x": "茶じゃなくて",
    "ja false": "という",
    "korean": "않지 ",
    "spanish": "no soy ",
    "french": "j'n'",
    "allergies": "have a nut allergy ",
    "names": "Sam's ",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_length_and_not_with_its_square(shape: str) -> None:
    assert _seconds(SHAPES[shape], 1_900) < 6 * _seconds(SHAPES[shape], 475) + 0.03


@pytest.mark.parametrize("shape", SHAPES)
def test_a_text_of_the_longest_kind_is_read_in_no_time(shape: str) -> None:
    start = time.thread_time()
    denials(SHAPES[shape] * (65_536 // len(SHAPES[shape])), leave_out=OWNERS)
    claim_of(SHAPES[shape] * (65_536 // len(SHAPES[shape])), leave_out=OWNERS)
    assert time.thread_time() - start < 1


def _seconds(shape: str, size: int) -> float:
    text = shape * (size // len(shape))
    spans = []
    for _ in range(3):
        start = time.thread_time()
        denials(text, leave_out=OWNERS)
        spans.append(time.thread_time() - start)
    return min(spans)


def test_a_book_about_dogs_and_a_cat_are_two_in_russian() -> None:
    told = ("У меня есть книга о собаках и кошка.", "У меня есть книга о собаках и кошках.")
    assert [len(claim_of(text).frame.phrases) for text in told] == [2, 1]


def test_a_chinese_name_that_ends_in_a_preposition_is_whole() -> None:
    assert claim_of("我叫常在。").frame.value == ("常在",)
