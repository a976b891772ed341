"""What a sentence of any other language claims: kept as it was said, unless it plainly claims nothing.

No grammar is known here, so a sentence needs two words, or a long run without blanks, and must be no question,
greeting or thanks.
"""

from __future__ import annotations

import re
from typing import Final

from ....protocols.scripts import HANGUL, WORD, words
from .claims import DEFAULT, Claim, Person, any_of, plain

_WORDS: Final = re.compile(rf"{WORD}+(?:['’]{WORD}+)*")
_ASKED: Final = re.compile(r"[?？;؟]\W*$|^\W*¿")
_KOREAN_QUESTION: Final = re.compile(r"(?:까요|습니까|ㅂ니까|입니까|나요|을까|는가|니|뭐야|뭐예요)[\s.!~]*$")
_KOREAN_REQUEST: Final = re.compile(r"(?:주세요|줘|줘요|해라|하자|하지 마|하지마|마세요|십시오)[\s.!~]*$")
_KOREAN_DENIED: Final = re.compile(r"[이가] 아니(?:에요|예요|야|다|라)[\s.!~]*$|아닙니다[\s.!~]*$")
_KOREAN_IS: Final = re.compile(r"\S{2,}(?:이에요|예요|입니다|이야|야)[\s.!~]*")
_HANGUL: Final = re.compile(f"[{HANGUL}]")
_RUN_ON: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{12,}")
"""So much of a script without blanks (Thai, Lao, Burmese, Khmer) that it is more than a word."""

_GREETINGS: Final = re.compile(
    "(?:"
    + any_of(
        [
            *(
                "hola",
                "buenos días",
                "buenas tardes",
                "buenas noches",
                "adiós",
                "gracias",
                "muchas gracias",
                "hasta luego",
            ),
            *(
                "por favor",
                "lo siento",
                "de nada",
                "qué tal",
                "hasta mañana",
                "feliz cumpleaños",
                "encantado",
                "encantada",
            ),
            *(
                "hallo",
                "guten morgen",
                "guten tag",
                "guten abend",
                "gute nacht",
                "tschüss",
                "danke",
                "vielen dank",
            ),
            *(
                "bitte",
                "entschuldigung",
                "auf wiedersehen",
                "bis morgen",
                "bis bald",
                "wie geht",
                "moin",
                "servus",
            ),
            *(
                "bonjour",
                "bonsoir",
                "bonne nuit",
                "salut",
                "merci",
                "merci beaucoup",
                "au revoir",
                "à demain",
                "désolé",
            ),
            *("ciao", "buongiorno", "buonasera", "buonanotte", "grazie", "arrivederci", "olá", "oi", "bom dia"),
            *(
                "boa tarde",
                "boa noite",
                "obrigado",
                "obrigada",
                "muito obrigado",
                "tchau",
                "até amanhã",
                "dank je",
            ),
            *(
                "привет",
                "здравствуйте",
                "доброе утро",
                "добрый день",
                "добрый вечер",
                "спокойной ночи",
                "спасибо",
                "пока",
            ),
            *(
                "안녕하세요",
                "안녕",
                "감사합니다",
                "고마워",
                "고마워요",
                "잘 자",
                "안녕히 주무세요",
                "좋은 아침",
                "미안해",
                "네",
                "응",
            ),
        ],
    )
    + rf")(?!{WORD})",
)
_AFTER_GREETING: Final = re.compile(r"\s*[,!.;:…–—-]+\s*")
_QUESTION_STARTS: Final = words(
    "qué cuándo dónde quién cómo cuál por wer wie wann wo warum wieso welche welcher kannst hast bist "
    "magst willst "
    "comment pourquoi quand est-ce combien perché quando quem onde что кто где когда как почему зачем",
)
_UNREAL_STARTS: Final = words("si imagina wenn falls stell imagine se immagina если представь 만약 만일")
_JOKES_ALONE: Final = frozenset(
    {"es broma", "es broma.", "war nur spaß", "war nur spaß.", "je plaisante", "농담이야", "шучу"}
)
_FIRST: Final = words(
    "yo me mi mis mí soy estoy tengo vivo trabajo nací odio prefiero quiero gusta gustan encanta ich mich "
    "mir mein meine meinen meiner bin habe "
    "je j'ai j'aime moi mon ma mes suis m'appelle io mio mia sono ho abito eu meu minha sou moro tenho "
    "gosto ik mijn ben "
    "я мне меня мой моя мои у 나 나는 나의 내 내가 저 저는 제 제가 난 전 "
    "fumo bebo leo hablo estudio odeio prefiro falo trabalho nasci fui fiz tuve hice fumei comprei "
    "compré wohne arbeite komme heiße mag esse trinke rauche spiele lerne lavoro abito bevo mangio "
    "faccio chiamo vivo studio gioco amo adoro odio preferisco vado vengo mieszkam "
    "jestem lubię pracuję saya aku jag",
)
_PLURAL: Final = words(
    "nosotros nuestra nuestro wir unser unsere uns nous notre noi nostra nostro nós nosso nossa мы наш "
    "наша 우리 우리는 저희"
)
_SECOND: Final = words(
    "tú eres tu tus du dein deine bist tu es ton ta toi você seu sua ты твой твоя 너 너는 당신 당신은 네가"
)
_FOREIGN: Final = (
    _FIRST
    | _PLURAL
    | _SECOND
    | words(
        "el la los las un una en de con es y que ein eine der die das ist und mit auf nicht le les une est "
        "et avec dans "
        "il lo gli di che non o os um uma em com não het een is van niet och att jag det som på "
        "ayer hoy ahora siempre mucho muy ontem hoje agora sempre muito gestern heute jetzt immer sehr aus "
        "beim zum hier toujours beaucoup chez ieri oggi sempre molto wczoraj dzisiaj bardzo kemarin sekarang"
    )
)


def familiar(found: frozenset[str]) -> int:
    """Return how many of the lower-case words belong to a European language other than English."""
    return len(found & _FOREIGN)


def is_joke_alone(sentence: str) -> bool:
    """Return whether a sentence only says that the one before it was a joke."""
    return sentence.strip().lower() in _JOKES_ALONE


def says_instead(before: str, sentence: str) -> bool:
    """Return whether a Korean word alone says what is so after a sentence that says what isn't: 약사예요."""
    return bool(_KOREAN_DENIED.search(before) and _KOREAN_IS.fullmatch(sentence.strip()))


def claim(sentence: str) -> Claim | None:
    """Return what the sentence claims, or None where it plainly claims nothing."""
    folded = plain(sentence)
    start = 0
    while (greeting := _GREETINGS.match(folded, start)) and (
        mark := _AFTER_GREETING.match(folded, greeting.end())
    ):
        start = mark.end()
    body = folded[start:]
    found = _WORDS.findall(body)
    if (
        (len(found) < 2 and not _RUN_ON.search(body))
        or _GREETINGS.match(body)
        or _asks(body, found)
        or found[0] in _UNREAL_STARTS
    ):
        return None
    return Claim(text=sentence[start:].strip(), person=_person(frozenset(found)), importance=DEFAULT)


def _asks(body: str, found: list[str]) -> bool:
    near = max(0, len(body) - 20)
    if _ASKED.search(body, near) or body.lstrip().startswith("¿") or found[0] in _QUESTION_STARTS:
        return True
    return _HANGUL.search(body) is not None and (
        _KOREAN_QUESTION.search(body, near) is not None or _KOREAN_REQUEST.search(body, near) is not None
    )


def _person(found: frozenset[str]) -> Person:
    for listed, person in ((_FIRST, Person.FIRST), (_PLURAL, Person.FIRST_PLURAL), (_SECOND, Person.SECOND)):
        if not listed.isdisjoint(found):
            return person
    return Person.THIRD
