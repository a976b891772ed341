"""How Korean, Russian and five languages of Europe part clauses, contrast, and say home and name.

Patterns over folded clauses and look-ups; what a clause says besides is for `foreign` to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from ..scripts import words

_STARTERS: Final = (
    r"(?:no )?(?:me llamo|vivo|soy|estoy|tengo|trabajo)|yo|ya|nunca|mis?|ahora|eso|pero"
    r"|(?:não )?(?:me chamo|moro|sou|estou|tenho)|eu|meus?|minhas?|agora|isso|mas eu"
    r"|ich|meine?[nrm]?|wir|unsere?|das|es|jetzt"
    r"|je|j'|mon|ma|mes|nous|notre|c'est|ce n'est|maintenant"
    r"|io|mi chiamo|sono|abito|lavoro|mi[oa]|miei|mie|adesso|questo|ma io"
    r"|se llama|se chama|chama-se|si chiama|heisst"
    r"|ella|él|ele|ela|er|sie|ils?|elles?|он|она|они"
    r"|я|мне|меня|мой|моя|мо[её]|мои|мою|моего|мы|у меня|это|теперь|сейчас"
)
_OPENERS: Final = (
    r"non|mais non|nein|doch|não|нет|perdona|perdón|desculpa|entschuldigung|pardon|извините?|falsch|na verdade"
    r"|en realidad|de hecho|eigentlich|tatsächlich|en fait|на самом деле|вообще-то|no|in realtà|veramente|scusa"
)
BREAK: Final = re.compile(
    r"\s*[,:]\s*(?=(?:(?:y|pero|und|aber|et|mais|e|и|но|а) )?"
    rf"(?:{_STARTERS})(?:(?<=')|\b)(?!,))"
    rf"|(?<!\S)(?:(?<=^)|(?<=, ))(?P<opener>{_OPENERS})\s*,\s*"
)
"""Where a sentence of blanks goes on with a clause of the speaker's own, or after the word that opens it."""

SPANISH_PERFECT: Final = re.compile(r"(?<!\S)(?:he|hemos|han) \w+(?:ado|ido)(?!\S)")
"""What tells Spanish from English where the little words are of both: "me he mudado a Bilbao"."""

_NOT: Final = r"(?:nicht|keine?[nrm]?|no|não|pas|не|non)"
_RATHER: Final = re.compile(
    rf"^(?P<before>.*?)(?<!\S){_NOT} (?P<what>[^,]+?),? (?:sondern|sino(?: que)?|mas sim|mas|senão|mais|а|ma) "
    r"(?P<rather>\S+(?: \S+){0,3})$"
)
_NOT_LAST: Final = re.compile(
    rf"^(?P<before>\S.*?)(?:, (?:und |y |e |et |а )?| (?:und|y|e|et) ){_NOT} (?P<what>\S+(?: \S+){{0,2}})$"
)
_KOREAN_RATHER: Final = re.compile(r"^(?P<before>.*?)(?P<what>\S+) 아니(?:라|고),? (?P<rather>\S+(?: \S+){0,2})$")

_MONTHS: Final = (
    r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre"
    r"|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro"
    r"|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
    r"|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre"
)
_WHEN: Final = re.compile(
    r"(?<!\S)(?:(?:la semana|el mes|el año|el verano|el invierno) pasad[oa]|ayer|hoy"
    r"|hace (?:poco|(?:\w+ ){1,2}(?:días?|semanas?|mes(?:es)?|años?))"
    r"|ahora(?: mismo)?|ya|por fin|recientemente"
    r"|(?:na|no|a|o) (?:semana|mês|ano|verão) passad[oa]|ontem|hoje|há (?:\w+ ){1,2}(?:dias?|semanas?"
    r"|meses|mês|anos?)"
    r"|há pouco|agora|recentemente"
    r"|(?:letzte[nrsm]?|vorige[nrsm]?) (?:woche|monat|jahr|sommer|winter|herbst|frühling)|gestern|heute"
    r"|vor (?:\w+ ){1,2}(?:tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)|vor kurzem|neulich|jetzt|nun|inzwischen"
    r"|mittlerweile|gerade|endlich|seit \w+"
    r"|(?:la semaine|le mois|l'année|l'an|l'été) (?:derni(?:er|ère)|passée?)|hier|aujourd'hui|maintenant"
    r"|désormais|actuellement"
    r"|il y a (?:\w+ ){1,2}(?:jours?|semaines?|mois|ans?)|récemment|depuis peu|enfin"
    r"|(?:la settimana|il mese|l'anno|l'estate) scors[oa]|ieri|oggi|adesso|ora|recentemente|da poco|finalmente"
    r"|(?:\w+ ){1,2}(?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa"
    r"|на прошлой неделе|в прошлом (?:месяце|году)|вчера|сегодня|недавно|теперь|сейчас|уже"
    r"|(?:\w+ )?(?:дней|дня|недел[юиь]|месяц\w*|год\w*|лет) назад"
    rf"|(?:en|em|im|nel|в|in) (?:{_MONTHS}|\d{{4}}(?: году)?)"
    r"|지난 ?주에?|지난 ?달에?|작년에?|어제|얼마 전에?|최근에?|이제는?|지금은?|올해|\d+년 전에?)(?!\S)"
)
"""When something is so or was done, which tells nothing of where somebody lives."""

_PLACE: Final = (
    r"(?P<place>[^\s,]+(?: [^\s,]+)??)"
    r"(?: (?:con|com|mit|avec|с|со|desde|depuis|da|porque|weil|parce|perché|потому|para|für|pour"
    r"|per) .*|now| \d.*)?$"
)
_HOMES: Final = re.compile(
    r"(?:^|(?<= ))(?:(?:vivo|vivimos|resido)(?: ahora| ya| actualmente)? en"
    r"|(?:moro|moramos|vivo|resido)(?: agora| hoje)? (?:em|no|na)"
    r"|ich (?:wohne|lebe)(?: jetzt| nun| inzwischen| mittlerweile)? in|(?:wohne|lebe) ich(?: jetzt| nun)? in"
    r"|(?:j'habite|je vis)(?: maintenant| désormais| actuellement)? (?:à|au|en)|(?:abito|vivo"
    r"|abitiamo|viviamo) (?:a|in)"
    rf"|я (?:теперь |сейчас |уже )?живу(?: теперь| сейчас)? (?:в|на)) {_PLACE}"
    r"|^(?:(?:저는|나는|난|전) )?(?:이제 |지금은? )?(?P<korean>\S+?)에 (?:살아요?|살고 있\S+|삽니다|산다)$"
)
_MOVES: Final = re.compile(
    r"(?:^|(?<= ))(?:me (?:he mudado|mudé)(?: ahora)? a|(?:eu )?(?:me mudei|mudei-me|mudei) para"
    r"|j'ai déménagé à|je me suis installée? à|я переехала? (?:жить )?(?:в|на)"
    r"|mi sono trasferit[oa] a|ci siamo trasferiti a"
    rf"|nos (?:hemos mudado|mudamos) a) {_PLACE}"
    r"|(?:^|(?<= ))(?:ich bin|bin ich|wir sind|sind wir) (?:\S+ )?nach (?P<german>\S+) (?:um)?gezogen"
    r"|^(?:(?:저는|나는|난|전) )?(?:이제 |얼마 전에? )?(?P<korean>\S+?)(?:으로|로) 이사\S*(?: \S+)?$"
)
_NAMES: Final = re.compile(
    r"(?:^|(?<= ))(?:me llamo|mi nombre es|me chamo|(?:o )?meu nome é|ich heisse|mein name ist|je m'appelle"
    r"|mon nom est|mi chiamo|il mio nome è|меня зовут|мо[её] имя|제 이름은|내 이름은) (?P<name>[^\s,]+)$"
)
_WHOSE: Final = r"(?P<whose>[^\s,]+)"
_OWNED_NAMES: Final = re.compile(
    rf"(?:^|(?<= ))(?:mis? {_WHOSE} (?:no )?se llama|el nombre de mi {_WHOSE.replace('whose', 'es')} (?:no )?es"
    rf"|(?:meu|minha) {_WHOSE.replace('whose', 'pt')} (?:não )?(?:se chama|chama-se)"
    rf"|(?:unser|mein)e?[nmr]? {_WHOSE.replace('whose', 'de')} heisst(?: nicht)?"
    rf"|(?:mon|ma|notre) {_WHOSE.replace('whose', 'fr')} (?:ne )?s'appelle(?: pas)?"
    rf"|mi[oa] {_WHOSE.replace('whose', 'it')} (?:non )?si chiama"
    rf"|мо(?:ю|его|ей|их) {_WHOSE.replace('whose', 'ru')} (?:не )?зовут(?: не)?"
    rf"|(?:제|내|우리) {_WHOSE.replace('whose', 'ko')} 이름은) (?P<name>[^\s,]+)(?: (?:아니|pas).*)?$"
)
"""What somebody's own sister, dog or boat is called, or isn't."""

_KOREAN_IS: Final = re.compile(r"(?:이라고|라고|이에요|예요|입니다|이야|이다|이|가|야)$")
ONE_ALONE: Final = words("""
    madre padre mamá papá mujer marido esposa esposo mãe pai mamãe papai mulher mutter vater mama papa frau mann
    mère père maman femme mari mamma papà babbo moglie marito мать мама маму маме отец отца папу папа жену жена
    муж мужа 엄마 어머니 아빠 아버지 아내 남편 barco barca coche casa boot auto haus bateau voiture maison
""")
"""Those of whom or which somebody has one; of a sister or a cat they may have two."""
_NO_PLACES: Final = words("""
    un una unos unas el la los las mi mis casa pareja paz campo ciudad las um uma uns umas o a os as meu minha
    cidade campo praia centro casa ein eine einem einer der dem den die das meinem meiner meinen angst
    frieden le la les un une mon ma mes l'étranger ville couple colocation paix banlieue campagne
    un uno una il lo la mio mia casa città campagna centro pace periferia
    квартире доме общежитии деревне городе центре страхе центр дом квартиру новом новый однокомнатной большом
    아파트 집 기숙사 시골 원룸 도시 여기 거기 혼자
""")
"""What stands where a home would, and names no place."""

_REGIONS: Final = words("""
    españa alemania francia italia inglaterra méxico argentina portugal europa espanha alemanha frança itália
    inglaterra brasil deutschland frankreich italien spanien england europa österreich schweiz france allemagne
    espagne italie angleterre europe belgique suisse россии германии франции италии европе испании россию германию
    한국 독일 일본 중국 미국 프랑스 유럽
""")
"""Countries: what somebody says of one takes no city's place."""


class Contrast(Struct, frozen=True):
    """A clause parted at what it says isn't so. `said` is what it says, `denied` what it denies, as whole clauses.

    The two differ in the words at the end alone: of "heißt nicht Mimi, sondern Momo" the name.
    """

    said: str
    denied: str


class Filled(Struct, frozen=True):
    """A slot of one value at a time that a clause fills, with what, and whether a home is a new one.

    `whose` is whose name it is: what somebody calls theirs, as it is written, and empty for their own.
    """

    slot: str
    value: str
    moved: bool = False
    whose: str = ""


def contrast(clause: str, is_clause: Callable[[str], bool]) -> Contrast | None:
    """Return how a folded clause is parted at what it says isn't so; None where it says no such thing.

    Args:
        clause: the clause.
        is_clause: whether words are a clause of the speaker's own, and so no part of one.
    """
    if found := _KOREAN_RATHER.match(clause):
        return Contrast(f"{found['before']}{found['rather']}", f"{found['before']}{found['what']}")
    if (found := _RATHER.match(clause)) and not is_clause(found["rather"]):
        before, what, rather = found.group("before", "what", "rather")
        kept = what.split()[: -len(rather.split())]
        return Contrast(" ".join((*before.split(), *kept, rather)), f"{before}{what}")
    if (found := _NOT_LAST.match(clause)) and not is_clause(found["what"]):
        before, what = found.group("before", "what")
        return Contrast(before, " ".join((*before.split()[: -len(what.split())], what)))
    return None


def filled(clause: str) -> Filled | None:
    """Return the home or the name that the speaker says in a folded clause, if any, whether denied or not."""
    if owned := _OWNED_NAMES.search(clause):
        whose = next(value for key, value in owned.groupdict().items() if value and key != "name")
        return Filled("name", _KOREAN_IS.sub("", owned["name"]) or owned["name"], whose=whose.removesuffix("의"))
    if named := _NAMES.search(clause):
        return Filled("name", named["name"])
    clause = " ".join(_WHEN.sub(" ", clause).split())
    for pattern, moved in ((_HOMES, False), (_MOVES, True)):
        if found := pattern.search(clause):
            place = next((value for value in found.groups() if value), "")
            if place.split()[0] not in _NO_PLACES and place.split()[-1] not in _NO_PLACES | _REGIONS:
                return Filled("home", place, moved)
    return None


def pieces(sentence: str) -> Iterator[str]:
    """Yield the clauses of a folded sentence that is written with blanks."""
    at = 0
    for found in BREAK.finditer(sentence):
        opener = found["opener"]
        yield sentence[at : found.start()] if not opener else f"{sentence[at : found.start()]}{opener}"
        at = found.end()
    yield sentence[at:]
