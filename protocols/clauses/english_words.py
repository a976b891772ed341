"""Word lists and rewriting rules by which an English clause is read.

Rules apply in this order to a clause in lower case with single blanks, contractions written out; what they
find becomes a marker in capitals. A marker's meaning is stated where `english` reads it.
"""

from __future__ import annotations

import re
from typing import Final

from ..scripts import words

FIRST: Final = words("i we me us myself")
THIRD: Final = words("he she they")
POSSESSIVES: Final = words("my our his her their")
OTHERS: Final = words("""
    you it this that these those there the a an some everyone everybody someone somebody nobody people
    """)
NOBODY: Final = words("nobody none neither")
"""Subjects of what holds of no one, so that "nobody likes rain" isn't said of the speaker."""

OPENERS: Final = words("""
    no nope nah yes yeah yep yup well oh ah hey ok okay so but and because since though although actually
    honestly please sorry oops whoops hmm um uh sure right indeed anyway also basically look listen wait true
    correct correction exactly then
    """)
CONDITIONS: Final = words("if unless when whenever suppose supposing imagine whether assuming lest")

ADVERBS: Final = words("""
    really very truly just simply always often usually sometimes still now currently actually definitely
    certainly already even ever so too quite rather pretty totally absolutely literally basically honestly
    completely especially particularly probably maybe perhaps again indeed daily weekly today tonight
    nowadays lately recently much anymore either most more mostly mainly only all both long sincerely deeply
    greatly dearly best regularly constantly frequently occasionally once seriously
    """)
"""Words that say how or when, and not what."""

AUXILIARIES: Final = words("""
    do does did have has had am is are was were be been being can could will would shall should must may
    might
    """)

MODALS: Final = words("can will would shall should must may might")
"""Verbs that need another one: their predicate is both together."""

VERBS: Final = words("""
    likes loves hates enjoys dislikes lives works studies plays wants needs goes eats drinks speaks owns
    moved teaches runs says said thinks told claims believes knows calls makes takes manages clears keeps
    gives looks seems feels adores prefers sings reads writes drives hopes plans loved liked lived worked
    studied went ate drank came comes gets got married died became becomes stopped quit started began
    insists heard wrote asked tells
    """)
"""Verb forms that end a subject of more than a pronoun."""

REPORTING: Final = words("""
    say said think thought tell told claim believ insist hear heard write wrote ask report joke pretend
    """)
"""Stems of predicates that report what somebody says."""

BREAKS: Final = words("""
    a an the of in on at by for with about against between into through during before after above below to
    up down out off over under near along around across behind beside inside outside and or but as than that
    named called
    which who where while my our your his her their its this these those me him us them you i we he she they
    it some any every each both own am is are was were be been being do does did have has had there here
    because if like since until upon
    """)
"""Words that part phrases and carry no content of their own."""

MARKED: Final = {"from": "from:", "without": "without:"}
"""Prepositions whose meaning must stay with the phrase after them."""

_IRREGULAR: Final = (
    "began begin begun begin bought buy broke break built build came come caught catch chose choose drank"
    " drink drawn draw "
    "drew draw driven drive drove drive drunk drink ate eat eaten eat fell fall felt feel flew fly forgot"
    " forget found find "
    "fought fight gave give given give gone go grew grow grown grow heard hear held hold kept keep knew know"
    " known know led "
    "lead left leave lost lose made make met meet paid pay ran run rode ride said say sang sing sat sit saw"
    " see seen see "
    "sent send slept sleep sold sell spent spend spoke speak spoken speak stood stand swam swim taught teach"
    " thought think "
    "told tell took take taken take threw throw understood understand went go won win wore wear worn wear"
    " wrote write "
    "written write had have has have goe go"
)
PREDICATES: Final = {
    **dict(zip(_IRREGULAR.split()[::2], _IRREGULAR.split()[1::2], strict=True)),
    **dict.fromkeys(("like", "love", "enjoy", "ador", "into"), "like"),
    **dict.fromkeys(("want", "hope", "plan", "wish", "intend", "dream", "need"), "want"),
    **dict.fromkeys(("have", "own", "got"), "have"),
}
"""The predicate that a verb's stem stands for, where it isn't the stem itself."""

STATES: Final = frozenset({"be", "work", "live", "have", "name"})
"""Predicates whose past is another statement than their present."""

ATTRIBUTIVE: Final = words("about of with for on to in at by against")
"""Prepositions that begin what only tells more of the thing before them: "a book about ferrets" is a book."""

MEASURES: Final = words("""
    lot lots load couple pair bunch kind sort type breed few plenty dozen hundred ton group herd litter cup glass
    bottle bit piece slice set collection number variety many any all some most both none
    """)
"""What "of" follows before the thing itself: "a lot of cats" is cats."""

COUNTS: Final = frozenset(
    {*map(str, range(100)), *words("one two three four five six seven eight nine ten eleven twelve")}
)
"""Numbers that count what follows them."""

IDLE: Final = words("know mind care understand rememb see think wait matter believ say mean get")
"""Predicates whose denial, without more, denies nothing that is known."""

LIGHT: Final = words("""
    be have like want live name do go get give make take see come put let talk mean keep tri use say know think
    feel look seem start find tell ask call hear need help bring turn end run set leav stay show happen lead
    appreci
    """)
"""Stems of verbs that claim nothing without their content."""

PARTICLES: Final = words("up out off down away back over")
"""Words that make another verb of the one before them: to give up isn't to give."""

OBJECTS: Final = words("it this that these those them him her you me us myself yourself")
"""Pronouns that stand for content said elsewhere."""

IDLE_STATES: Final = words("sure certain okay fine sorri kid joke done readi alon")
"""Stems of states whose denial, at the head of a clause, is a turn of phrase."""

_N: Final = (
    r"(?:(?:NOT|ALSO|EMPH|PAST|ENDED|really|still|just|always|also|now|currently|actually|ever|only|already"
    r"|both) )*"
)
_SELF: Final = r"(?:i|we|he|she|they)"
_ING: Final = (
    r"(?!(?:nothing|something|anything|everything|king|thing|morning|evening|string|wedding|sibling|darling"
    r"|ring|spring|boring|interesting)\b)\w+ing\b"
)
_PARTICIPLE: Final = (
    r"(?:been|become|bought|brought|caught|come|cut|done|eaten|felt|found|gone|given|heard|held|kept|known"
    r"|left|let|"
    r"lost|made|met|moved|paid|put|quit|read|run|said|seen|sent|set|sold|spent|spoken|stood|taken|taught|told"
    r"|won|written|\w+ed)\b"
)

_NO_EMPLOYER: Final = (
    r"(?!(?:home|night|nights|noon|once|least|last|all|free|fun|myself|himself|herself|hours|days"
    r"|money|now|me|it|this"
    r"|that|which|what|a living|the (?:moment|weekend|same)|(?:\w+ )?(?:hours|days|weeks|years|months))\b)"
)
"""What follows "work at" or "work for" and is nobody to work for."""

RULES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), marker)
    for pattern, marker in (
        (r"^(?:the )?(?:user|owner)\b|\bthe user\b", "she"),
        (r"^i meant(?: to say)?(?: that)? (?=(?:i|we|he|she|they|it|my|our|his|her|their|the)\b)", ""),
        (r"\b(?:once|twice|\w+ times) (?:a|per|every) (?:day|week|month|year)\b", ""),
        (r"\b(?:for|in) (?:\w+ )?(?:years|months|weeks|days|ages)\b", ""),
        (
            (
                r"\b(?:you know|i mean|to be honest|in fact|by the way|kind of|sort of|a lot|lots|at all|right now"
                r"|these days|as well as)\b"
            ),
            "",
        ),
        (r"\bevery (?:single )?(?:day|night|morning|evening|week|weekend|month|year)\b", ""),
        (
            (
                r"\b(?:last|this past) (?:year|week|month|night|spring|summer|autumn|fall|winter|weekend)\b|\b(?:a"
                r"|an|\w+) (?:\w+ )?(?:year|month|week|day)s? ago\b|\byesterday\b"
            ),
            "",
        ),
        (r"\bafter all\b", "EMPH"),
        (r"\bas well\b|\btoo$|\balso\b|\bon the side\b|\bpart time\b|\bpart-time\b|\bboth\b", "ALSO"),
        (r"\bnot (?:only|just|merely|simply)\b", ""),
        (r"\bnothing but\b|\bno one but\b", ""),
        (r"\bno (?:doubt|wonder|problem|idea)\b", "BREAK"),
        (r"\b(?:no longer|no more|no way)\b", "NOT"),
        (r"\bany ?more\b|\bany longer\b", ""),
        (r"\b(?:not|never|hardly|barely|scarcely|neither|nor|nowhere|nobody|none|no)\b(?: ever\b)?", "NOT"),
        (r"\bnothing\b", "NOT anything"),
        (r"\bNOT and (?:(?:have|has|had|did|will) )?NOT\b", "NOT"),
        (
            (
                r"\b(?:it|that) (?:is|was) (NOT )?(?:really |actually )?(?:true|right|correct|the case|so)"
                r"(?: (?:to say|anymore))? that\b"
            ),
            r"\1",
        ),
        (
            (
                r"\b(?:it|that) (?:is|was) (?:just |simply |completely |totally )?(?:false|wrong|untrue|incorrect"
                r"|a (?:lie|mistake|misunderstanding))(?: to say)? that\b"
            ),
            "NOT",
        ),
        (r"\bunmarried\b", "NOT married"),
        (r"\b(?:have|has|had) (NOT )?(?:got )?(?:an? )?(?:any )?(\w+) allergy\b", r"am \1allergic to \2"),
        (r"\b(?:have|has|had) (NOT )?(?:got )?(?:an? )?(?:any )?allerg(?:y|ies) to\b", r"am \1allergic to"),
        (r"\bthe (?:truth|fact) is(?: that)?\b", "EMPH"),
        (
            (
                rf"^((?:\w+ )?){_SELF} (?:really |honestly )?(?:do |did )?(NOT )?(?:think|thought|believe|guess"
                rf"|suppose|feel|reckon|swear|said|say|told you|promise)(?: that)? (?={_SELF}\b|my\b)"
            ),
            r"\1\2",
        ),
        (
            (
                r"\b(?:am|is|are) (?:pretty |quite |so |very )?(?:sure|certain|convinced)(?: that)? "
                r"(?=(?:it|you|they|he|she|i|we|this|that|there|my|your|the)\b)"
            ),
            "BREAK ",
        ),
        (r"\bcan NOT (?:help|stop)(?: but)?\b", ""),
        (r"\bcan NOT (?:stand|bear|abide)\b", "NOT like"),
        (r"\b(?:am|is|are) NOT (?:really )?a (?:big |huge )?fan of\b", "NOT like"),
        (
            (
                r"\b(?:am|is|are) (NOT )?(?:such |really |also )?(?:(?:a (?:big |huge )?)?fan of|fond of|keen on"
                r"|into|crazy about|in love with)\b"
            ),
            r"\1like",
        ),
        (r"\b(?:dislikes?|disliked|hates?|hated|detests?|loathes?)\b", "NOT like"),
        (r"\b(?:unable to|incapable of)\b", "NOT can"),
        (r"\b(?:am|is|are) able to\b", "can"),
        (r"\bwould (?:like|love) to\b", "want to"),
        (
            (
                r"\b(?:(?:have|has|had) )?(?:stopped|stops|stop|quit|quits|ceased|gave up|given up|give up|giving"
                r" up|done with|over with) (?=\w+ing\b)"
            ),
            "NOT ",
        ),
        (
            (
                r"\b(?:(?:have|has|had) )?(?:just |recently )?(?:quit|left|lost|gave up"
                r"|got fired from|was fired from"
                r"|got laid off from|was laid off from|resigned from) (?:my|his|her) (?:old "
                r"|day )?(?:job|position|post)"
                r" (?:at|with|for)\b"
            ),
            "NOT work at",
        ),
        (
            r"\b(?:(?:have|has|had) )?(?:got fired|was fired|got laid off|was laid off|resigned) from (?=\w)",
            "NOT work at ",
        ),
        (r"\b(?:(?:have|has|had) )?(?:quit|gave up|given up|stopped) (?=\w)", "NOT ANY "),
        (r"(?<!am )(?<!is )(?<!are )(?<!NOT )\bused to\b", "ENDED"),
        (r"\bused to be\b", "ENDED BE"),
        (rf"\b(?:have|has) ({_N})to\b", r"\1must"),
        (r"\b(?:have|has|had) (NOT )?got\b", r"\1have"),
        (rf"\b(?:have|has|had) ({_N})(?={_PARTICIPLE})", r"\1"),
        (rf"\b(?:am|is|are|been|be) ({_N})going to\b", r"\1will"),
        (rf"\b(?:am|is|are) ({_N})moving to\b", r"\1will move to"),
        (rf"\b(?:am|is|are|been|be) ({_N})(?={_ING})", r"\1"),
        (rf"\b(?:was|were) ({_N})(?={_ING})", r"PAST \1"),
        (r"\bmy (?:job|occupation|profession) is (?:to be |being )?", "i JOB "),
        (rf"^({_SELF}) (?:do|does) (?=(?!NOT)\w)", r"\1 EMPH "),
        (rf"^({_SELF}) did (?=(?!NOT)\w)", r"\1 EMPH PAST "),
        (r"\bdid\b", "PAST"),
        (r"\b(?:started|started working|started a (?:new )?job|got a (?:new )?job) (?:at|with) (?=\w)", "JOINED "),
        (rf"\bnow (NOT )?works? (?:at|for) {_NO_EMPLOYER}", r"\1JOINED "),
        (rf"\b(?:works?|working) (?:at|for) {_NO_EMPLOYER}(?=.* (?:now|these days)$)", "JOINED "),
        (rf"\b(?:works?|working) (?:at|for) {_NO_EMPLOYER}", "EMPLOYED "),
        (r"\bworked as\b", "PAST JOB"),
        (r"\b(?:works?|working) as\b", "JOB"),
        (r"\bearns? (?:my|his|her) living as\b", "JOB"),
        (r"\bmoved? (?:away |out |back )?from [\w' ]+? to\b", "MOVED"),
        (r"\bmoved in(?:to a \w+)? with [\w' ]{1,40}? in (?=\w)", "MOVED "),
        (r"\b(?:moved|relocated|moved back|moved over) to\b", "MOVED"),
        (
            (
                r"\bmoved (?:away |out )?(?:from|of|out of) (\w+(?: \w+)?)(?: (?:in|on|at|with|because|when|after"
                r"|for)\b.*)?$"
            ),
            r"NOT LIVE \1",
        ),
        (r"\b(?:lived|resided) (?:in|at)\b", "PAST LIVE"),
        (r"\b(?:lives?|living|resides?|residing|am based|is based|are based) (?:in|at)\b", "LIVE"),
        (r"\bmy home is in\b", "i LIVE"),
        (r"^(?:his|her|their) name is\b", "she NAME"),
        (
            r"\bmy name is\b|\bi go by\b|^(?:please )?call me\b|\bpeople call me\b",
            "i NAME",
        ),
        (r"\b(?:am|is|are) (NOT )?(?:called|named)\b(?= \w)", r"\1NAME"),
        (
            (
                r"\b(?:am|is|are|turned|just turned) (NOT )?(\d+)(?: (?:years old|years of age|yo))?"
                r"(?= NOT\b| but\b|$)"
            ),
            r"\1AGE \2",
        ),
        (r"\b(?:was|were)\b", "PAST BE"),
        (r"\b(?:am|is|are|be|been|being)\b", "BE"),
        (r"\b(?:do|does)\b", ""),
        (r"\bcould\b", "can"),
    )
)
