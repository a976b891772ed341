"""Words by which people say when: fixed phrases, units, numbers, weekdays, months and seasons. Data only.

English, Chinese (in simplified characters) and Japanese in full; Korean, Russian, Spanish, Portuguese, German
and French by their commonest phrases. Seasons are the northern meteorological ones.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Unit(StrEnum):
    """How finely a time is told."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


def _table(rows: str) -> dict[str, int]:
    """Return the phrases of `offset: phrase, phrase` lines, each with its offset."""
    return {
        phrase.strip(): int(offset)
        for row in rows.strip().splitlines()
        for offset, _, phrases in (row.partition(":"),)
        for phrase in phrases.split(",")
    }


FIXED: Final[dict[Unit, dict[str, int]]] = {
    Unit.DAY: _table("""
        -2: the day before yesterday, 前天, 一昨日, おととい, 그저께, позавчера
        -2: anteayer, anteontem, vorgestern, avant-hier
        -1: yesterday, last night, 昨天, 昨日, 昨晚, 昨夜, きのう, 昨晩
        -1: ゆうべ, 어제, 어젯밤, вчера, ayer, anoche, ontem
        -1: gestern, hier soir, hier
        0: today, this morning, this afternoon, this evening, tonight, earlier today, 今天
        0: 今早, 今晚, 今日, 今朝, 今晩, 今夜
        0: きょう, 오늘, сегодня, hoy, hoje, heute, aujourd'hui
        1: tomorrow, 明天, 明日, あした, 明晚, 내일, завтра, amanhã, morgen, demain
        2: the day after tomorrow, 后天, 明后日, 明後日, あさって, 모레
        2: послезавтра, pasado mañana, übermorgen, après-demain
        """),
    Unit.WEEK: _table("""
        -2: the week before last, 上上周, 上上个星期, 上上星期, 先々週, 지지난주
        -1: last week, 上周, 上个星期, 上星期, 上个礼拜, 上礼拜
        -1: 先週, 지난주, на прошлой неделе, la semana pasada
        -1: semana passada, letzte woche, la semaine dernière
        0: this week, 这周, 本周, 这个星期, 这星期, 今週
        0: 이번 주, на этой неделе, esta semana, diese woche, cette semaine
        1: next week, 下周, 下个星期, 下星期, 下个礼拜
        1: 来週, 다음 주, на следующей неделе, la semana que viene
        1: semana que vem, nächste woche, la semaine prochaine
        """),
    Unit.MONTH: _table("""
        -2: the month before last, 上上个月, 先々月
        -1: last month, 上个月, 上月, 先月, 지난달
        -1: в прошлом месяце, el mes pasado, mês passado, letzten monat
        -1: le mois dernier
        0: this month, 这个月, 本月, 今月, 이번 달, в этом месяце
        0: este mes, este mês, diesen monat, ce mois-ci
        1: next month, 下个月, 来月, 다음 달, в следующем месяце
        1: el mes que viene, mês que vem, nächsten monat
        1: le mois prochain
        """),
    Unit.YEAR: _table("""
        -2: the year before last, 前年, 一昨年, おととし, 재작년
        -1: last year, 去年, 昨年, 작년, 지난해, в прошлом году
        -1: el año pasado, ano passado, letztes jahr, l'année dernière
        -1: l'an dernier
        0: this year, 今年, 올해, в этом году, este año, este ano, dieses jahr, cette année
        1: next year, 明年, 来年, 내년, в следующем году, el año que viene, ano que vem, nächstes jahr
        1: l'année prochaine
        """),
}
"""Phrases that name a day, a week from Monday, a calendar month or a calendar year by its distance from now."""

UNITS: Final[dict[str, Unit]] = {
    word: unit
    for unit, listed in (
        (Unit.DAY, "day days 天 日 일 день дня дней día días dia dias tag tage tagen jour jours"),
        (
            Unit.WEEK,
            (
                "week weeks fortnight 周 星期 礼拜 週間 週 주 неделю недели недель"
                " semana semanas woche wochen semaine semaines"
            ),
        ),
        (
            Unit.MONTH,
            (
                "month months 月 か月 ヶ月 カ月 ケ月 달 개월 месяц месяца месяцев"
                " mes meses mês monat monate monaten mois"
            ),
        ),
        (Unit.YEAR, "year years 年 년 год года лет año años ano anos jahr jahre jahren an ans année années"),
    )
    for word in listed.split()
}

NUMBERS: Final[dict[str, int]] = {
    word: number
    for number, listed in (
        (1, "a an one 一 한 один одну un una uno um uma ein eine einem einer eins une"),
        (2, "two couple 二 两 俩 두 два две dos dois duas zwei deux"),
        (3, "three 三 세 три tres três drei trois"),
        (4, "four 四 네 четыре cuatro quatro vier quatre"),
        (5, "five 五 다섯 пять cinco fünf cinq"),
        (6, "six 六 шесть seis sechs"),
        (7, "seven 七 семь siete sete sieben sept"),
        (8, "eight 八 восемь ocho oito acht huit"),
        (9, "nine 九 девять nueve nove neun neuf"),
        (10, "ten 十 десять diez dez zehn dix"),
        (11, "eleven 十一"),
        (12, "twelve 十二"),
    )
    for word in listed.split()
}

WEEKDAYS: Final[dict[str, int]] = {
    word: day
    for day, listed in enumerate(
        (
            "monday mon 一",
            "tuesday tues tue 二",
            "wednesday wed 三",
            "thursday thurs thu 四",
            "friday fri 五",
            "saturday sat 六",
            "sunday sun 日 天",
        )
    )
    for word in listed.split()
}

JAPANESE_WEEKDAYS: Final = "月火水木金土日"

MONTHS: Final[dict[str, int]] = {
    word: month
    for month, listed in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for word in listed.split()
}

SEASONS: Final[dict[str, int]] = {
    word: month
    for month, listed in (
        (3, "spring 春天 春 primavera frühling frühjahr printemps 봄 весной"),
        (6, "summer 夏天 夏 verano verão sommer été 여름 летом"),
        (9, "autumn fall 秋天 秋 otoño outono herbst automne 가을 осенью"),
        (12, "winter 冬天 冬 invierno inverno hiver 겨울 зимой"),
    )
    for word in listed.split()
}
"""The month in which each season begins; it lasts three."""
