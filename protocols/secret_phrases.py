"""How people say a password in nine languages, and words that follow such a phrase and are none.

Data for `secrets`. A phrase ends where its value begins. Quantifiers are bounded and no phrase begins inside a
word, so that a text is searched in linear time. Texts are compared in the forms of `secrets.plain`, case-folded.
"""

from __future__ import annotations

import re
from typing import Final

from .scripts import words

_FOR: Final = (
    r"(?:\s{1,3}(?:for|to|on|at|of|in|para|de|del|für|zum|zur|pour|du|от|для|do|da)"
    r"(?:\s{1,3}[^\s:=]{1,40}){1,4}?)?"
)
"""What a password is for, between the word and its verb: "my password for the router is"."""

_SAYS: Final = r"\s{0,3}(?:[:=]|-{1,2}>)\s{0,3}"

_NO_KEY: Final = (
    r"(?!\s{1,3}(?:para|de|del)\s{1,3}(?:(?:el|la|un|una|mi|tu)\s{1,3})?"
    r"(?:éxito|felicidad|vida|todo|amor|salud|victoria|futuro)(?!\w))"
)
"""What a "clave" is to where it is no password: "la clave para el éxito"."""

_ENDS: Final = r"(?:\s{0,3}:)?\s{1,3}"
"""After the verb: "is" and "is:" alike."""

PHRASES: Final[tuple[re.Pattern[str], ...]] = (
    # en
    re.compile(
        rf"(?<!\w)(?:password|pass\s?word|passcode|pass\s?phrase|passwd|pwd){_FOR}"
        rf"(?:(?:'s|\s{{1,3}}(?:is|was|will\s{{1,3}}be|es|est|ist|é|è)){_ENDS}(?:now\s{{1,3}}|still\s{{1,3}}|just\s{{1,3}})?|{_SAYS})"
    ),
    re.compile(rf"(?<!\w)(?:set|change|changed|reset)\s{{1,3}}(?:my|the|our)\s{{1,3}}password{_FOR}\s{{1,3}}to\s{{1,3}}"),
    # es, pt, fr, de
    re.compile(rf"(?<!\w)(?:contraseña|contrasena|clave{_NO_KEY}){_FOR}(?:\s{{1,3}}(?:es|era|será){_ENDS}|{_SAYS})"),
    re.compile(rf"(?<!\w)(?:senha|palavra-passe){_FOR}(?:\s{{1,3}}(?:é|era|será){_ENDS}|{_SAYS})"),
    re.compile(rf"(?<!\w)(?:mot\s{{1,3}}de\s{{1,3}}passe|mdp){_FOR}(?:\s{{1,3}}(?:est|était|c'est){_ENDS}|{_SAYS})"),
    re.compile(rf"(?<!\w)(?:passwort|kennwort|passphrase){_FOR}(?:\s{{1,3}}(?:ist|lautet|war|heißt|heisst){_ENDS}|{_SAYS})"),
    # ru: the verb is a dash, or nothing at all
    re.compile(rf"(?<!\w)пароль{_FOR}(?:\s{{1,3}}(?:это\s{{1,3}}|такой:?\s{{1,3}}|был\s{{1,3}}|[-–—]{{1,2}}\s{{1,3}})|{_SAYS}|\s{{1,3}})"),
    # zh, ja, ko
    re.compile(r"(?:密码|密碼|口令)(?:就是|是|为|為|叫|改成了?|改为|設成|设成|设为)\s{0,3}[:]?\s{0,3}"),
    re.compile(r"(?:密码|密碼|口令|パスワード|パスコード|暗証番号|비밀번호|비번|암호)\s{0,3}[:=]\s{0,3}"),
    re.compile(r"(?:パスワード|パスコード|暗証番号)は、?\s{0,3}"),
    re.compile(r"(?:비밀번호|비번|암호)[는은가이]?\s{1,3}"),
)  # fmt: skip
"""After each, the value begins."""

PIN_PHRASES: Final = re.compile(
    rf"(?<!\w)(?:pin(?:\s{{1,3}}(?:code|number))?|cvv|cvc|código\s{{1,3}}pin|code\s{{1,3}}pin)(?!\w){_FOR}"
    rf"(?:(?:'s|\s{{1,3}}(?:is|es|ist|est|é|lautet)){_ENDS}(?:(?:el|le|o|die|the)\s{{1,3}})?|{_SAYS})"
    r"|(?:pin码|pin碼|暗証番号|핀번호)(?:是|は|는|[:=])\s{0,3}"
)
"""After each, 3 to 12 digits are a PIN; anything else is none."""

SEED_PHRASES: Final = re.compile(
    r"(?:(?<!\w)(?:(?:seed|recovery|backup)\s{1,3}(?:phrase|words?)|mnemonic(?:\s{1,3}phrase)?|phrase\s{1,3}secrète"
    r"|frase\s{1,3}semilla)|助记词|助記詞|シードフレーズ|ニーモニック|니모닉|시드\s?구문)"
    r"[^a-z\n]{0,3}(?:(?:is|was|es|est|are)[^a-z\n]{1,3})?[^a-z\n]{0,3}"
    r"(?P<value>[a-z]{3,8}(?:[\s,]{1,3}[a-z]{3,8}){11,23})(?![a-z])"
)
"""The words of a wallet (BIP 39: 12 to 24 words of 3 to 8 letters)."""

BACKWARDS: Final = re.compile(
    r"(?<!\S)[\"'“‘]?(?P<value>[^\s\"'“”‘’]{4,64})[\"'”’]?\s{1,3}(?:is|was|es|ist|est|é)\s{1,3}"
    r"(?:my|our|the|mi|mein|unser|mon|minha)\s{1,3}(?:[^\W\d]{1,20}\s{1,3})?"
    r"(?:password|passcode|contraseña|clave|passwort|kennwort|senha|mot\s{1,3}de\s{1,3}passe)(?!\w)"
)
"""The value before the phrase: "hunter2 is my password"."""


NO_VALUE: Final = words("""
    a abgelaufen about again ahí algo all almost already also always an and another antigua aquí as
    asked at auf bad be because been before behind bei being best better blank bon bonne broken buena
    but by can changed com common como complex complicada compromised con correct correcta corretta
    corta could court dans das dead debole dem demasiado den der die diferente different difficile
    difficult différent difícil distinta débil easier easy ein eine einfach em empty en encrypted enough
    esa essa esta está expired expiré facile faible falsch fine for forgotten fort forte fraca from
    fuerte fácil geheim getting giusta going gone good great guessable gut hard hashed here hidden how i
    if igual im immer important importante impossible in incorrect incorrecta incorreta insecure invalid
    it just kept known kompliziert kurz la lang larga le leaked leicht les like long longa longer longue
    lost lunga ma mala mauvais mein mi mine minha misma missing molto mon muita muito muy my necessary
    needed neu never new nicht no noch none not nothing notre nouveau nova now nueva nuova nur o obvious
    of ok okay old on only or oublié our out over para pas pathetic perfect please plus por private
    protected public que quite rather really required reset richtig right safe same saved sbagliata
    sbagliato scaduta schlecht schon schwach schwer secret secreta secreto secure segreta segura sehr
    sempre set short sicher sicura siempre simple sin so some something somewhere stark still stored
    strong stronger stuck stupid such super sur sécurisé só sûr también tan taped terrible that the
    their there this to too toujours trop troppo très tão ugly uguale uma un una under une unique
    unknown unsafe unsicher updated used useless valid vecchia vergessen very vieja visible way weak
    weaker weg what when where which who why wichtig wie wieder with without working written wrong you
    your yours zu è а был в вам вас все для его ей ему если забыл забыла забыт здесь и из или их к как
    когда лежит мне мой моя на надо нашёл не неверный неправильный нет нужен нужно о он от очень по под
    подходит поменял помню потерял правильный простой сильный слабый сложный сменил снова там твой
    только у уже устарел хороший хранится что это я
    """)
"""Words that say something of a password and are none."""

NO_VALUE_CJK: Final = re.compile(
    r"什么|什麼|啥|多少|几|幾|谁|誰|怎么|怎麼|哪|错|錯|对|對|正确|正確|新|旧|舊|一样|一樣|很|太|不|非|没|沒|我|你|您|他|她|它|这|這|那|由|用|"
    r"随机|隨機|秘密|必须|必須|在|要|个|個|有|同|空|为了|最|以前|昨|今"
)
"""How what follows a phrase in Chinese begins where it is no value."""
