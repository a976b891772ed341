"""What must neither be stored nor sent to a model: card numbers, keys and tokens, private keys, spoken passwords.

Pure, and linear in the length of the text. `redact` puts a marker that names the kind in the place of each. The
same text is redacted in the same way, always, and a redacted text stays as it is: what is compared, hashed or
heard twice is the redacted one. Phone numbers, addresses and the like are no secrets but memories.

The shapes are those that the issuers document or that secret scanners agree on (detect-secrets, gitleaks); their
scanners are made for source code, look at lines, and know nothing of how people say a password.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple

from .secret_phrases import BACKWARDS, NO_VALUE, NO_VALUE_CJK, PHRASES, PIN_PHRASES, SEED_PHRASES

CARD: Final = "card number"
KEY: Final = "key"
PASSWORD: Final = "password"  # noqa: S105 - the kind, not one
PRIVATE_KEY: Final = "private key"


class Secret(NamedTuple):
    """Where in a text a secret stands, and of which kind it is."""

    start: int
    end: int
    kind: str


class Redacted(NamedTuple):
    """A text without its secrets, and the kinds of what was taken out, in order."""

    text: str
    kinds: tuple[str, ...]


def marker(kind: str) -> str:
    """Return what stands in the place of a secret."""
    return f"[redacted {kind}]"


def redact(text: str) -> Redacted:
    """Return a text in which a marker stands in the place of every secret."""
    parts: list[str] = []
    kinds: list[str] = []
    at = 0
    for secret in secrets_in(text):
        parts += (text[at : secret.start], marker(secret.kind))
        kinds.append(secret.kind)
        at = secret.end
    return Redacted("".join((*parts, text[at:])), tuple(kinds)) if parts else Redacted(text, ())


def kinds_in(text: str) -> tuple[str, ...]:
    """Return the kinds of the markers in a text, each once."""
    return tuple(dict.fromkeys(match["kind"] for match in _MARKER.finditer(text)))


def secrets_in(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text in order; none overlaps another."""
    if not _MAY_HOLD.search(text):
        return ()
    flat = plain(text)
    marked = {at for match in _MARKER.finditer(flat) for at in range(*match.span())}
    found = sorted(
        (
            secret
            for rule in (_private_keys, _cards, _keys, _passwords)
            for secret in rule(flat)
            if secret.start not in marked
        ),
        key=lambda secret: (secret.start, -secret.end),
    )
    apart: list[Secret] = []
    for secret in found:
        if not apart or secret.start >= apart[-1].end:
            apart.append(secret)
        elif secret.end > apart[-1].end:
            apart[-1] = apart[-1]._replace(end=secret.end)
    return tuple(apart)


def plain(text: str) -> str:
    """Return a text with full-width forms and digits of every script as ASCII, each character in its place."""
    return text if text.isascii() else "".join(map(_plain, text))


def _plain(char: str) -> str:
    if char.isascii():
        return char
    digit = unicodedata.decimal(char, None)
    if digit is not None:
        return str(digit)
    if "！" <= char <= "～":
        return chr(ord(char) - 0xFEE0)
    return " " if unicodedata.category(char) == "Zs" else char


_MAY_HOLD: Final = re.compile(
    r"\d|-----BEGIN|eyJ|://|hf_|(?i:pass|pwd|contrase|clave|senha|kennwort|mdp|пароль|bearer|secret|token|_key|api|phrase|seed|recovery|mnemonic)"
    r"|密码|密碼|口令|パス|暗証|비밀번호|비번|암호|助记词|助記詞|シード|ニーモニック|니모닉|시드"
)
"""What a text with a secret has at least, so that others cost one search."""


_MARKER: Final = re.compile(rf"\[redacted (?P<kind>{CARD}|{KEY}|{PASSWORD}|{PRIVATE_KEY})\]")


# --- private keys -------------------------------------------------------------------------------

_BEGINS: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_ENDS: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")


def _private_keys(text: str) -> Iterator[Secret]:
    """Yield key blocks; one that isn't ended goes to the end of the text."""
    at = 0
    while (begun := _BEGINS.search(text, at)) is not None:
        ended = _ENDS.search(text, begun.end())
        at = ended.end() if ended else len(text)
        yield Secret(begun.start(), at, PRIVATE_KEY)


# --- card numbers -------------------------------------------------------------------------------

_DIGITS: Final = re.compile(r"\d+")
_GAP_MOST: Final = 3
_GAP: Final = re.compile(r"[\s.\-‐‑‒–—_/\u200b-\u200d\u2060\ufeff]+")
"""What may stand between the groups of a card number, `_GAP_MOST` characters of it."""

_LEAST, _MOST = 13, 19
"""Digits of a card number (ISO/IEC 7812-1: at most 19; issuers use 13 and more)."""

_ISSUERS: Final = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|3(?:0[0-5]|[689]\d)\d{11}"  # Diners Club
    r"|(?:6011|65\d{2}|64[4-9]\d)\d{12}"  # Discover
    r"|35(?:2[89]|[3-8]\d)\d{12}"  # JCB
    r"|62\d{14,17}"  # UnionPay
    r"|(?:50|5[6-9]|6[0379])\d{11,17}"  # Maestro
    r"|220[0-4]\d{12}"  # Mir
)
"""First digits and lengths of the issuers' numbers. With the check digit they leave few order numbers."""


def _cards(text: str) -> Iterator[Secret]:
    """Yield card numbers, each the longest that begins with its group of digits and ends with one."""
    for chain in _chains(text):
        digits = "".join(text[start:end] for start, end in chain)
        places = list(accumulate((end - start for start, end in chain), initial=0))
        first = 0
        while first < len(chain):
            last = _card_from(digits, places, first)
            if last is not None:
                yield Secret(chain[first][0], chain[last][1], CARD)
                first = last
            first += 1


def _chains(text: str) -> Iterator[list[tuple[int, int]]]:
    """Yield the groups of digits that nothing but a gap parts from each other."""
    chain: list[tuple[int, int]] = []
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        if chain and not (start - chain[-1][1] <= _GAP_MOST and _GAP.fullmatch(text, chain[-1][1], start)):
            yield chain
            chain = []
        chain.append((start, end))
    if chain:
        yield chain


def _card_from(digits: str, places: list[int], first: int) -> int | None:
    """Return the last group of the card number that begins with a group, or None where none does."""
    found = None
    begun = places[first]
    for last in range(first, min(first + _MOST, len(places) - 1)):
        length = places[last + 1] - begun
        if length > _MOST:
            break
        if length >= _LEAST and _ISSUERS.fullmatch(digits, begun, begun + length):
            number = digits[begun : begun + length]
            found = last if _checks(number) else found
    return found


def _checks(digits: str) -> bool:
    """Return whether the last digit is the check digit of the others (Luhn, ISO/IEC 7812-1 annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


# --- keys and tokens ----------------------------------------------------------------------------

_KEYS: Final[tuple[re.Pattern[str], ...]] = tuple(
    re.compile(rf"(?<![A-Za-z0-9_-])(?:{shape})(?![A-Za-z0-9_])")
    for shape in (
        r"(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z2-7]{16}",  # AWS access key ids
        r"gh[pousr]_[A-Za-z0-9]{36,255}",  # GitHub
        r"github_pat_[A-Za-z0-9_]{22,255}",
        r"glpat-[A-Za-z0-9_-]{20,255}",  # GitLab
        r"xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-\d-[A-Za-z0-9-]{10,255}",  # Slack
        r"AIza[A-Za-z0-9_-]{35}",  # Google
        r"ya29\.[A-Za-z0-9_-]{20,1024}",
        r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{20,255}",  # Stripe
        r"sk-(?=[A-Za-z_-]{0,250}\d)[A-Za-z0-9_-]{20,255}",  # OpenAI, Anthropic and those alike
        r"hf_[A-Za-z0-9]{30,255}",  # Hugging Face
        r"npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,255}",
        r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",  # Shopify
        r"do[opr]_v1_[a-f0-9]{64}",  # DigitalOcean
        r"\d{8,10}:AA[A-Za-z0-9_-]{32,34}",  # Telegram
        r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",  # Discord
        r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}",  # SendGrid
        r"eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{4,8192}(?:\.[A-Za-z0-9_-]{0,1024})?",  # JSON Web Tokens
    )
)
_SLACK_HOOK: Final = re.compile(r"hooks\.slack\.com/services/(?P<value>[A-Za-z0-9/]{20,100})")
_IN_ADDRESS: Final = re.compile(r"://[^\s/:@]{1,64}:(?P<value>[^\s/@]{1,128})@")
"""A password in an address, `scheme://user:password@host`."""

_ASSIGNED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:bearer\s{1,3}"
    r"|(?:[A-Za-z0-9]{1,20}[_-]){0,3}(?:api[\s_-]?key|access[\s_-]?key|secret[\s_-]?key|account[\s_-]?key"
    r"|access[\s_-]?token|auth[\s_-]?token|refresh[\s_-]?token|client[\s_-]?secret|api[\s_-]?secret|secret|token|apikey)"
    r"[\"']?\s{0,3}(?:[:=]|\bis\b|=>)\s{0,3})[\"'`]?(?P<value>[A-Za-z0-9+/_.~=-]{16,512})",
    re.IGNORECASE,
)  # fmt: skip

_LEAST_BITS: Final = 3.0
"""Least entropy of what is assigned to a key, in bits a character: 16 random characters of base64 have 3.5 or
more, repetitions less (detect-secrets takes 3.0 for hexadecimal and 4.5 for long base64)."""


def _keys(text: str) -> Iterator[Secret]:
    for shape in _KEYS:
        yield from (Secret(*match.span(), KEY) for match in shape.finditer(text))
    for pattern in (_SLACK_HOOK, _IN_ADDRESS):
        kind = PASSWORD if pattern is _IN_ADDRESS else KEY
        yield from (Secret(*match.span("value"), kind) for match in pattern.finditer(text))
    for match in _ASSIGNED.finditer(text):
        if _is_random(match["value"]):
            yield Secret(*match.span("value"), KEY)


def _is_random(value: str) -> bool:
    counts = Counter(value).values()
    bits = -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
    return bits >= _LEAST_BITS and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


# --- spoken passwords ---------------------------------------------------------------------------

_QUOTED: Final = re.compile(
    r"\"(?P<a>[^\"\n]{1,128})\"|'(?P<b>[^'\n]{1,128})'|“(?P<c>[^”\n]{1,128})”|‘(?P<d>[^’\n]{1,128})’"
    r"|「(?P<e>[^」\n]{1,128})」|『(?P<f>[^』\n]{1,128})』|«\s?(?P<g>[^»\n]{1,128}?)\s?»|`(?P<h>[^`\n]{1,128})`"
)
_TOKEN: Final = re.compile(r"[^\s,;，；。！？、「」『』“”]{1,128}")
_LATIN: Final = re.compile(r"[\x21-\x2b\x2d-\x3a\x3c-\x7e]{3,128}")
"""What is typed as a password in the midst of a script without blanks."""

_HAN: Final = re.compile(r"[\u3400-\u9fff]{2,12}(?=$|[\s，。！？、,.!?;；])")
_LAST: Final = ".,;:!?)]}>\"'…"
_ENDS_CLAUSE: Final = re.compile(
    r"\s{0,3}(?:$|[.,;:!?)\n…]|\b(?:and|but|so|y|pero|und|aber|et|mais|e|mas|и|но)\b)"
)
_WORDS_MOST: Final = 8
"""Words of a passphrase that is said without quotes, at most."""
_WORDS_TO_ONE: Final = 4
"""Words among which one may say something of a password."""


def _passwords(text: str) -> Iterator[Secret]:
    folded = _lower(text)
    for phrase in PHRASES:
        for match in phrase.finditer(folded):
            if (span := _value_at(text, match.end())) is not None:
                yield Secret(*span, PASSWORD)
    for match in PIN_PHRASES.finditer(folded):
        if (digits := _PIN.match(text, match.end())) is not None:
            yield Secret(*digits.span(), PASSWORD)
    for match in SEED_PHRASES.finditer(folded):
        yield Secret(*match.span("value"), PASSWORD)
    for match in BACKWARDS.finditer(folded):
        if _looks_typed(text[slice(*match.span("value"))]):
            yield Secret(*match.span("value"), PASSWORD)


_PIN: Final = re.compile(r"\d(?:[ -]?\d){2,11}(?!\d)")


def _lower(text: str) -> str:
    """Return a text in lower case with each character in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _value_at(text: str, at: int) -> tuple[int, int] | None:
    """Return where the password stands that begins at a place, or None where none does."""
    if (quoted := _QUOTED.match(text, at)) is not None:
        return quoted.span(quoted.lastgroup or 0)
    if at < len(text) and not text[at].isascii() and not text[at].isalpha():
        return None
    if at < len(text) and _is_cjk(text[at]):
        han = _HAN.match(text, at)
        follows_copula = at > 0 and text[at - 1] in "是为為叫:"
        return han.span() if han and follows_copula and not NO_VALUE_CJK.match(text, at) else None
    if (token := _TOKEN.match(text, at)) is None:
        return None
    word = token[0]
    if not word.isascii() and (latin := _LATIN.match(word)) is not None and any(map(_is_cjk, word)):
        return at, at + latin.end()  # in "sakuraです" the password ends where the script changes
    word = word.rstrip(_LAST) or word
    end = at + len(word)
    return (at, end) if _looks_typed(word) or _is_chain(word) else _spoken(text, at, end)


def _looks_typed(word: str) -> bool:
    """Return whether a word has what passwords have and words haven't: digits, signs or capitals inside."""
    inner = word.strip("-'’.")
    if len(word) < 3 or not inner:
        return False
    if any(char.isdigit() for char in word):
        return not _is_measure(word)
    signs = any(not char.isalnum() and char not in "-'’./" for char in inner)
    capitals = not inner.isupper() and any(char.isupper() for char in inner[1:])
    return signs or capitals


def _is_chain(word: str) -> bool:
    """Return whether a word is a passphrase of words with hyphens between them, and no "up-to-date"."""
    parts = word.split("-")
    return len(parts) >= 3 and all(map(str.isalpha, parts)) and len(word) >= 5 * len(parts)


_MEASURE: Final = re.compile(r"\d{1,3}(?:[.,]\d{1,2})?(?:st|nd|rd|th|x|%|h|min|d)?", re.IGNORECASE)


def _is_measure(word: str) -> bool:
    """Return whether a word is a small number or an amount, as in "my password is 12 characters long"."""
    return _MEASURE.fullmatch(word) is not None


def _spoken(text: str, at: int, end: int) -> tuple[int, int] | None:
    """Return where a password of plain words stands: they end their clause, and say nothing of a password.

    Among many words one may be of those that say something of a password ("correct horse battery staple").
    """
    words, begun, saying = 1, at, 0
    while True:
        word = text[begun:end].casefold()
        if not word.isalpha() or _is_cjk(word[0]):
            return None
        saying += word in NO_VALUE
        if _ENDS_CLAUSE.match(text, end):
            return (at, end) if end - at >= 3 and saying <= words // _WORDS_TO_ONE else None
        following = _NEXT_WORD.match(text, end)
        if following is None or words == _WORDS_MOST:
            return None
        begun, end = following.span("word")
        words += 1


_NEXT_WORD: Final = re.compile(r" {1,2}(?P<word>[^\W\d_]{1,40})")


def _is_cjk(char: str) -> bool:
    return "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7a3"
