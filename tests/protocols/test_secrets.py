"""What is taken out of a text before anybody stores it or a model sees it, and what is a memory and stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.protocols.secrets import CARD, KEY, PASSWORD, PRIVATE_KEY, kinds_in, marker, redact
from omoide.tests.conftest import Seconds

# Written in parts, so that no scanner of this repository takes an example for the real thing.
KEYS = {
    "AWS": "AKIA" + "IOSFODNN7EXAMPLE",
    "GitHub": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
    "GitHub, fine-grained": "github_pat_" + "11ABCDEFG0aBcDeFgHiJkLmN",
    "Slack": "xoxb-" + "123456789012-abcdefghij",
    "Google": "AIza" + "SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "Stripe": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "OpenAI": "sk-proj-" + "abcdEFGH1234567890ijklMNOP",
    "Hugging Face": "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "PyPI": "pypi-" + "AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAwLTAwMDAwMDAwMDAw",
    "Shopify": "shpat_" + "0123456789abcdef" * 2,
    "DigitalOcean": "dop_v1_" + "0123456789abcdef" * 4,
    "Telegram": "110201543:" + "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
    "Discord": "MTk4NjIyNDgzNDcxOTI1MjQ4." + "Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlF",
}

CARDS = (
    "4111 1111 1111 1111",
    "4111-1111-1111-1111",
    "4111111111111111",
    "\uff14\uff11\uff11\uff11\u3000\uff11\uff11\uff11\uff11\u3000\uff11\uff11\uff11\uff11\u3000\uff11\uff11\uff11\uff11",
    "٤١١١١١١١١١١١١١١١",
    "4111\u200b1111\u200b1111\u200b1111",
    "5555555555554444",
    "3782 822463 10005",
    "6011111111111117",
    "3530111333300000",
    "30569309025904",
)

WALLET = "zebra " * 11 + "zoo"

PASSWORDS = {
    "my password is hunter2": "hunter2",
    "My password is velvet-otter-lantern": "velvet-otter-lantern",
    "パスワードはharukazeです": "harukaze",
    "My wifi password is Tr0ub4dor&3, ok?": "Tr0ub4dor&3",
    "the password for the router is swordfish.": "swordfish",
    "my password is correct horse battery staple": "correct horse battery staple",
    'My password is "let me in please".': "let me in please",
    "password: hunter2": "hunter2",
    "Password = S3cret!": "S3cret",
    "I changed my password to Fluffy99": "Fluffy99",
    "hunter2 is my password": "hunter2",
    "my pin is 4821": "4821",
    "密码是abc123": "abc123",
    "我的密码是芝麻开门": "芝麻开门",
    "密码\uff1ahunter2。": "hunter2",
    "我的密碼是「芝麻開門」": "芝麻開門",
    "PIN码是123456": "123456",
    "パスワードはhunter2です": "hunter2",
    "パスワードは「ひらけごま」です": "ひらけごま",
    "暗証番号は4821です": "4821",
    "mi contraseña es gatito99": "gatito99",
    "La contraseña del wifi es mariposa.": "mariposa",
    "Mein Passwort ist Sommer2024!": "Sommer2024",
    "Das Kennwort lautet geheimnisvoll123": "geheimnisvoll123",
    "mon mot de passe est chaton42": "chaton42",
    "мой пароль — котик123": "котик123",
    "Мой пароль: котик": "котик",
    "пароль qwerty123": "qwerty123",
    "비밀번호는 hunter2야": "hunter2",
    "내 비밀번호는 abcd1234입니다": "abcd1234",
    "minha senha é gatinho7": "gatinho7",
    "A senha é borboleta.": "borboleta",
    "my password is: correct horse battery staple": "correct horse battery staple",
    "mein Passwort ist: Sommer2024": "Sommer2024",
    "mon code PIN est le 4821": "4821",
    "la mia password è Roma2024": "Roma2024",
    f"my seed phrase is: {WALLET}": WALLET,
    f"助记词是 {WALLET}": WALLET,
    "see postgres://sam:hunter2@db.example/x": "hunter2",
}

MEMORIES = (
    "my password is up-to-date",
    "my password manager is great",
    "my password is strong",
    "my password is easy to guess",
    "My password is on the fridge",
    "the password was changed yesterday",
    "my password is 12 characters long",
    "my password's been stolen",
    "I forgot my password",
    "what is my password?",
    "my pin is shiny",
    "密码是什么",
    "我的密码是我的生日",
    "密码忘了",
    "パスワードは忘れました",
    "パスワードは大事です",
    "mi contraseña es muy larga",
    "Mein Passwort ist zu lang",
    "le mot de passe est trop court",
    "пароль забыл",
    "пароль от почты не подходит",
    "비밀번호를 잊어버렸어",
    "A senha é muito fraca",
    "order 4111111111111112",
    "my order number is 1234567890123456",
    "my ISBN is 9783161484100",
    "it happened at 1730000000000",
    "call me at +49 170 1234567",
    "my phone is 555-0123-4567",
    "I live at 221B Baker Street, London",
    "我的电话是13812345678\uff0c住在北京市朝阳区建国路88号",
    "a bearer of bad news",
    "The secret is communication and patience",
    "mi clave para el éxito es dormir",
    "la clave es la paciencia",
    "la password è sbagliata",
    "my seed phrase is written on paper in the safe",
    "the recovery words are with my sister",
    "my IBAN is DE89370400440532013000",
    "commit 9f569e1a8e455afe1d0e72642d6a50d3e6edb039",
    "uuid 550e8400-e29b-41d4-a716-446655440000",
    "a trip on 2024-05-17 12:34:56, order 4242-4242-4242-4241",
    "sk-learn-based-pipelines-everywhere",
    "the api key: my-very-own-key-holder-thing",
)


@pytest.mark.parametrize("number", CARDS)
def test_a_card_number_is_taken_out_however_it_is_written(number: str) -> None:
    assert redact(f"my card is {number}, thanks").text == f"my card is {marker(CARD)}, thanks"


def test_a_card_number_is_found_among_other_digits() -> None:
    assert redact("on 12/27 I paid 30 with 4111 1111 1111 1111 2 times").text == (
        f"on 12/27 I paid 30 with {marker(CARD)} 2 times"
    )


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_of_a_known_shape_is_taken_out(key: str) -> None:
    assert redact(f"use {key}.").text == f"use {marker(KEY)}."
    assert redact(f"钥匙是{key}哦").text == f"钥匙是{marker(KEY)}哦"


@pytest.mark.parametrize(
    "said",
    [
        "api_key=9f86d081884c7d659a2feaa0c55ad015",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "Authorization: Bearer abcdef1234567890abcdef",
        'my access token is "d1f0a7e2b9c84c55a1"',
    ],
)
def test_a_random_value_that_is_said_to_be_a_key_is_taken_out(said: str) -> None:
    assert redact(said).kinds == (KEY,)


@pytest.mark.parametrize("rest", ["-----END RSA PRIVATE KEY----- bye", ""])
def test_a_private_key_is_taken_out_to_its_end(rest: str) -> None:
    redacted = redact(f"here: -----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n{rest}")

    assert redacted.text == f"here: {marker(PRIVATE_KEY)}{' bye' if rest else ''}"


@pytest.mark.parametrize(("said", "password"), PASSWORDS.items())
def test_a_password_that_is_said_as_such_is_taken_out(said: str, password: str) -> None:
    assert redact(said) == (said.replace(password, marker(PASSWORD)), (PASSWORD,))


@pytest.mark.parametrize("said", MEMORIES)
def test_what_is_no_secret_stays(said: str) -> None:
    assert redact(said) == (said, ())


@given(
    st.lists(st.sampled_from([*PASSWORDS, *KEYS.values(), *CARDS, *MEMORIES, "\n", " ", "是", "x"]), max_size=6)
)
def test_a_redacted_text_stays_as_it_is(parts: list[str]) -> None:
    once = redact(" ".join(parts)).text

    assert redact(once).text == once


@given(st.text(max_size=200))
def test_whatever_is_said_can_be_looked_through(text: str) -> None:
    redacted = redact(text)

    assert (redacted.text == text) is (redacted.kinds == ())


def test_the_kinds_are_told_by_the_text_alone() -> None:
    assert kinds_in(redact("my password is hunter2, my card 4111111111111111").text) == (PASSWORD, CARD)
    assert kinds_in("nothing [redacted by the censor]") == ()


@pytest.mark.parametrize(
    "part",
    [
        "4111 ",
        "1 2 ",
        "eyJ",
        "my password is ",
        "api_key=",
        "sk-a",
        "a_b-",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
    ],
)
def test_the_time_grows_with_the_length_and_no_faster(part: str, cpu_seconds: Seconds) -> None:
    short, long = part * (8_000 // len(part)), part * (64_000 // len(part))

    assert cpu_seconds(lambda: redact(long)) < 24 * cpu_seconds(lambda: redact(short)) + 0.01
