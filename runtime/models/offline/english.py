"""What an English sentence claims. Rules only; the word lists are in `english_words`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ....protocols.clauses import english_verbs as verbs
from ....protocols.scripts import words
from . import chatter
from . import english_words as lists
from .claims import CHATTER_CHARS, IDENTITY, Claim, any_of, plain
from .english_cues import person, weight

_I: Final = (
    r"(?:i|i'm|i've|i'd|i'll|im|ive|my|mine|we|we're|we've|we'd|we'll|our|he|he's|she|she's|his|her|they|"
    r"they're|their|"
    r"you|you're|your|it|it's|there|there's|this|that|these|those|the|call)\b"
)
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")

_JUNK: Final = re.compile(
    r"[\s\-–—•·~,;:.!…)\]}]+|\*[^*\n]{1,200}\*|<[^<>\n]{1,100}>|\[[^\[\]\n]{1,100}\]|"
    r"[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]+",
)
_INTERJECTIONS: Final = any_of(
    words(
        "ah aha argh aw aww er erm ha haha hahaha heh hm hmm hmmm lol oh ohh ok okay ooh so ugh uh uhm um "
        "umm well wow yay yeah yep "
        "yes yup no nope nah right sure true exactly indeed alright anyway anyways actually honestly "
        "basically look "
        "listen please thanks and but also"
    )
)
_PHRASES: Final = any_of(
    [
        *(
            "thank you",
            "thanks a lot",
            "of course",
            "by the way",
            "btw",
            "to be honest",
            "tbh",
            "in fact",
            "i mean",
        ),
        *("you know", "you know what", "guess what", "fun fact", "fyi", "for your information", "good question"),
        *("for the record", "just so you know", "to be fair", "sorry", "my bad", "not really", "no way", "me too"),
        *(
            "that's wrong",
            "that is wrong",
            "that's not right",
            "that's not true",
            "that isn't true",
            "that's right",
        ),
        *(
            "that's true",
            "you're wrong",
            "you are wrong",
            "you got that wrong",
            "you're right",
            "not true",
            "wrong",
        ),
        *("that's not what i said", "good point", "fair enough", "same here", "i see", "i know", "not at all"),
    ],
)
_DENIAL: Final = (
    r"(?:i|he|she|it|they|we|you)\s(?:(?:do|did|does|is|are|was|were|ca|wo|have|has)n't|do|did|am(?: not)?)"
)
_OPENINGS: Final = (
    r"(?:you know what|guess what|(?:the )?(?:thing|truth) is(?: that)?|fun fact|long story short"
    r"|(?:wait |hey )?did i (?:ever )?(?:tell|mention to) you(?: that)?"
    r"|i forgot to (?:tell you|mention)(?: that)?)"
)
_LEAD: Final = re.compile(
    rf"(?:{_PHRASES}|{_INTERJECTIONS}|{_DENIAL})\s*(?:[,:;.!…–—]+|\s-+)\s*"
    rf"|(?:{_INTERJECTIONS}|by the way|btw|fyi|just so you know|tbh|you know(?: that)?)\s+(?={_I}|btw|by "
    rf"the way|fyi)"
    r"|i (?:told you|said|mentioned)(?: that)? (?=(?:i|my|we|our)\b.*\bbut (?:that|it)(?:'s| is| was) (?:wrong"
    r"|false|not (?:true|right)|a mistake)\b)"
    # A transcript of speech has no marks: "um so yeah I ...", "the thing is I ...".
    rf"|(?:(?:{_INTERJECTIONS}|like|{_OPENINGS})\s+){{1,6}}(?={_I})"
    r"|(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day))(?:\s(?:there|everyone|all|again|"
    r"[^\W\d_]{1,30}))?"
    rf"(?:\s*[,!.:;…–—-]+\s*|\s+(?={_I}))",
)
_REMEMBER: Final = re.compile(
    r"(?:please\s+|can you\s+|could you\s+|always\s+|i want you to\s+|i need you to\s+|you should\s+|you must\s+)?"
    r"(?:(?:please\s+)?(?:remember|don't forget|do not forget|never forget|keep in mind|make a note|take "
    r"note|note))"
    r"(?P<that>\s+that\b|\s*:)?\s*,?\s+(?P<rest>[^\s])",
)
_NO_REMEMBRANCE: Final = re.compile(
    r"(?:to|when|how|what|who|where|if|me|us|it|this|about|the time|last|whether|why|which)\b"
)

_ABOUT_YOU: Final = r"(?:(?:what|how) about (?:you|your)|and (?:you|yours)|(?:you|yours)\?*$)"
_SUBJECT: Final = (
    r"(?:i|you|he|she|it|we|they|there|this|that|these|those|my|your|his|her|our|their|the|a|an|any|anyone|"
    r"someone|"
    r"everyone|anybody|people)\b"
)
_ASKING_AUX: Final = (
    r"(?:am|is|are|was|were|do|does|did|can|could|will|would|shall|should|may|might|isn't|aren't|wasn't|"
    r"weren't|don't|"
    r"doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't)"
)
_QUESTION: Final = re.compile(
    r"(?:what|who|whom|whose|where|when|how|which|why)(?:'s|'re|'d|'ll)\b"
    rf"|(?:what|who|whom|where|when|how|which)\s(?:{_ASKING_AUX}|has|have|had|else)\b"
    r"|(?:what|how) (?:about|come|if)\b|how (?:much|many|long|old|often|far|tall|big|soon|well|good)\b|why\b"
    r"|what (?:time|kind|sort|type|year|day|color|colour|name|number)\b|which (?:one|of)\b|(?:whose|whom)\b"
    rf"|(?:{_ASKING_AUX})\s{_SUBJECT}"
    r"|(?:have|has|had|haven't|hasn't)\s(?:i|you|he|she|it|we|they|there|anyone|someone)\b"
    r"|(?:any idea|i wonder|i was wondering|guess what|guess who|wanna|want to know|ready to)\b"
    rf"|{_ABOUT_YOU}",
)
_TAG: Final = re.compile(
    r"(?:,\s*|\s-\s*|\s)(?:right|remember|(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|"
    r"should)n't "
    r"(?:i|you|he|she|it|we|they|that|there)(?: think| know| remember)?|you know|you see|know what i mean|"
    r"(?:is|was) (?:it|that)(?: ok| okay| weird| bad| normal| fine)?|don't you think|huh|eh|ok|okay|yeah|"
    r"no)\s*\?+\W*$",
)
_FLAT_QUESTION: Final = re.compile(
    rf"{_ABOUT_YOU}|(?:what|how|where|when|why) (?:do|did|are|have|would) you\b"
    r"|(?:do|are|have|did|can|could|will|would) you\b",
)
_SEAM: Final = re.compile(r"[,;–—]\s*(?:(?:and|but|so|or)\s)?|\s-+\s|\s(?:and|but|so)\s")
_SEAMS_TRIED: Final = 4
_SUBORDINATE: Final = re.compile(
    r"(?:when|if|since|because|although|though|while|after|before|as|once|until|unless|whenever|speaking of)\b",
)

_GREETING: Final = re.compile(
    r"(?:hi|hello|hey|hiya|howdy|yo|greetings|good (?:morning|afternoon|evening|night|day|luck|job|one|for "
    r"you)|gm|gn|"
    r"morning|night|bye|goodbye|cya|see (?:you|ya)|later|take care|sweet dreams|sleep well|nice to (?:meet|"
    r"see|hear)|"
    r"good to (?:meet|see|hear)|great to (?:meet|see|hear)|long time no see|welcome|thanks(?! to)|thank "
    r"you|thx|ty|"
    r"cheers|congrats|congratulations|happy (?:birthday|new year|anniversary|holidays)|merry christmas|sorry|"
    r"my bad|no problem|no worries|you're welcome|of course|me too|me neither|same here|fair enough|have "
    r"(?:a|fun)|"
    r"enjoy your|what an?\b|how (?:nice|cool|sweet|cute|lovely|sad|awful|i)|so (?:cool|nice|good|true|cute|"
    r"funny|happy)|"
    r"(?:that |it )?sounds (?:good|great|nice|like|fun|lovely|amazing)|i(?:'m| am) so sorry|(?:i )?can't wait$|"
    r"long story|just (?:saying|checking|asking|wondering)|talk to you|ttyl|brb|i(?:'ll| will) be right back)\b",
)
_DIRECTIVE: Final = re.compile(
    r"(?:let's|lets|let me|let us|don't|do not|dont|never|stop|quit|no more|enough|just "
    r"don't)\b(?!\s(?:like|think|know|care))"
    r"|i(?: really)? (?:want|need|'d like|would like|'d love|expect|asked|told|beg) you (?:to|not to)\b"
    r"|i'd (?:like|love|prefer) (?:you|it if)\b|i'd rather you\b"
    r"|i (?:don't|do not|never) (?:want|wanna|wish)(?: you)?(?: to)? (?:talk|hear|discuss|speak|mention|be "
    r"reminded|bring)\b"
    r"|i'd rather not (?:talk|hear|discuss|speak|mention)\b"
    r"|(?:you|u) (?:should|must|need to|have to|can|could|may|better|might want|ought|'d better|cannot|can't)\b"
    r"|we should (?:(?:totally|really|all|definitely|probably) )*(?:go|get|do|try|watch|play|meet|make|talk)\b"
    r"|you'd better\b|can we\b|could we\b|shall we\b",
)
_NICKNAME: Final = re.compile(
    r"(?:please |you can |you may |just |everyone can )*call me (?!back|later|when|if|at|now|tomorrow|"
    r"crazy|tonight|on|in)[^\W\d_]",
)
_ALWAYS_VERBS: Final = verbs.AUXILIARIES | verbs.CONTRACTIONS | verbs.PASTS
_NEVER_VERBS: Final = frozenset({"and", "or", "too", "but", "neither"})
_BEFORE_BASE: Final = frozenset({"to", "and"})
_BEFORE_ADJECTIVE: Final = words("so very too really most a an the such how more quite")
_AFTER_VERB: Final = words(
    "a an the my your his her our their me him us them it this that in on at to from with for every",
)
_AFTER_IS: Final = words(
    "in at on not been gone back coming going sick ill dead pregnant here home away retired married"
)
_ADDRESSED: Final = re.compile(r"[^\W\d_]{1,30},\s")
_CALLED: Final = re.compile(r",\s*[^\W\d_]{1,30}\W*$")
_VOCATIVE: Final = re.compile(
    r"(?:[^\W\d_]{1,30},\s*)?(?:(?:please|kindly|just|now|then|hey|ok|okay|so|yes)\b[\s,]*)*"
)
_NOUN_USE: Final = verbs.AUXILIARIES - {"be", "do", "don't"} | {"makes", "means", "starts", "gives", "takes"}

_UNREAL: Final = re.compile(
    r"yeah,? right\b|(?:sure|right),? and i(?:'m| am) (?:the|a)\b|for (?:example|instance),? (?:say|if|suppose)\b"
    r"|(?:and |but |so )?(?:in|as in) (?:the|that|this|my|a) (?:film|movie|book|novel|game|song|show"
    r"|series|play|dream|story)\b"
    r"|i (?:do not|don't|dont|can't|cannot) (?:know|decide|tell|remember|say) (?:if|whether|what|how"
    r"|why|who|where|when)\b"
    r"|(?:the|that|this) (?:song|book|film|movie|character|story|lyrics?) (?:goes|says|said|is about)\b"
    r"|i swear i'd\b|i(?:'d| would) (?:marry|kill for|die for|sell my soul)\b"
    r"|(?:if|imagine|suppose|supposing|pretend|assume|assuming|picture|let's say|say i|what if|in case|unless)\b"
    r"|(?:even )?if (?:only|i)\b",
)
_WOULD: Final = re.compile(r"\b(?:would|could)\b|'d\b")
_IF: Final = re.compile(r"(?<!as )(?<!know )(?<!even )\bif\b")
_JOKE: Final = re.compile(
    r"\b(?:just|only|totally|i'm|i am|was)\s(?:kidding|joking|messing with you|teasing|trolling)\b(?!\saround)"
    r"|\bjk\b|\bapril fools?\b|\bjust a joke\b|\bgotcha\b|\s/s$",
)
_JOKE_LAST: Final = re.compile(
    r"(?:\b(?:ha(?:ha)+|he(?:he)+|lo+l|lmao)\W+|[,;—-]\s*)(?:i'm |just )?(?:kidding|joking|i wish|as if)"
    r"\W*(?:haha|lol)?\W*$"
    r"|\b(?:ha(?:ha)+|lo+l|lmao)\W+(?:no|nope|not really|not)\W*$"
)
"""What takes a statement back as a joke at its end: "..., haha no"."""

_JOKE_ALONE: Final = re.compile(
    r"(?:not|as if)\s*!+\W*|(?:psych|sike)\W*"
    r"|(?:haha|lol|nah|no|oh|ok|relax|wait|sorry|but|and|hehe)?\W*(?:i'm |i am |i was |that was |it was |it's )?"
    r"(?:just |only |totally )?(?:kidding|joking|messing with you|teasing you|teasing|jk|a joke|april "
    r"fools?)\b[^\w]*+"
    r"(?:haha|lol|obviously|of course|you|again)?\W*",
)

_COMMON: Final = (
    lists.EMPTY | verbs.AUXILIARIES | verbs.CONTRACTIONS | verbs.BASES | verbs.PASTS | verbs.THIRD_PERSONS
)
_ASKED: Final = re.compile(r"\?[\W_]*$")


def familiar(found: frozenset[str]) -> int:
    """Return how many of the lower-case words are common English ones."""
    return len(found & _COMMON)


def is_joke_alone(sentence: str) -> bool:
    """Return whether a sentence only says that the one before it was a joke."""
    return _JOKE_ALONE.fullmatch(plain(sentence).strip()) is not None


def claim(sentence: str) -> Claim | None:
    """Return what the sentence claims, or None where it claims nothing worth remembering."""
    folded = plain(sentence)
    if _JOKE_LAST.search(folded):
        return None
    start = _skip_leads(folded, 0)
    remembered = _REMEMBER.match(folded, start)
    if remembered and not _NO_REMEMBRANCE.match(folded, remembered.start("rest")):
        start = _skip_leads(folded, remembered.start("rest"))
    else:
        remembered = None
    end = _statement_end(folded, start)
    body = folded[start:end].rstrip()
    tokens = _WORD.findall(body)
    if not (_states(body, tokens) or (remembered and _is_noted(body, tokens))):
        return None
    about = person(body, tokens)
    matters = IDENTITY if remembered else weight(body, sentence[start:end], about)
    return Claim(text=sentence[start:end].strip(), person=about, importance=matters)


def _skip_leads(folded: str, at: int) -> int:
    while match := _JUNK.match(folded, at) or _LEAD.match(folded, at):
        at = match.end()
    return at


def _statement_end(folded: str, start: int) -> int:
    """Return where the statement ends that a question is hung on to, or the end of all."""
    asked = _ASKED.search(folded, max(start, len(folded) - 20)) is not None
    end = len(folded)
    if asked and (tag := _TAG.search(folded, max(start, end - 40))):
        return tag.start()
    seams = [seam for seam in _SEAM.finditer(folded, start) if seam.start() > start][-_SEAMS_TRIED:]
    for seam in reversed(seams):
        question = _QUESTION if asked else _FLAT_QUESTION
        if not question.match(folded, seam.end()):
            continue
        if _SUBORDINATE.match(folded, start):
            break
        end = seam.start()
        asked = False
    return end


def _states(body: str, tokens: Sequence[str]) -> bool:
    """Return whether a piece is a statement with a verb and something to remember."""
    if not tokens or _ASKED.search(body, max(0, len(body) - 20)) or _QUESTION.match(body) or _GREETING.match(body):
        return False
    if len(body) <= CHATTER_CHARS and chatter.ENGLISH.fullmatch(body):
        return False
    if _NICKNAME.match(body):
        return True
    if _is_command(body) or _is_unreal(body) or _JOKE.search(body):
        return False
    if not _content(body):
        return False
    return _has_verb(tokens)


def _is_noted(body: str, tokens: Sequence[str]) -> bool:
    """Return whether a piece that the person asked to remember holds something, even without a verb."""
    noted = ":" in body or any(token.isdigit() for token in tokens)
    return noted and _content(body)


def _content(body: str) -> bool:
    """Return whether a piece holds more than common words, feelings and the name of whom it is said to."""
    addressed = _ADDRESSED.match(body)
    called = _CALLED.search(body, max(0, len(body) - 40))
    unaddressed = body[addressed.end() if addressed else 0 : called.start() if called else len(body)]
    return any(token not in lists.EMPTY for token in _WORD.findall(unaddressed))


def _is_command(body: str) -> bool:
    if _DIRECTIVE.match(body):
        return True
    addressed = _VOCATIVE.match(body)
    at = addressed.end() if addressed else 0
    if at and (_DIRECTIVE.match(body, at) or _QUESTION.match(body, at)):
        return True
    first = _WORD.match(body, at)
    if first is None or first.group() not in verbs.BASES:
        return False
    rest = _WORD.findall(body[first.end() : first.end() + 40])
    follower = rest[0] if rest else ""
    if first.group() in verbs.STATIVES:
        return follower in {"", "that", "this", "it", "you", "your", "harder", "faster", "on"}
    return follower not in _NOUN_USE


def _is_unreal(body: str) -> bool:
    return _UNREAL.match(body) is not None or (_IF.search(body) is not None and _WOULD.search(body) is not None)


def _has_verb(tokens: Sequence[str]) -> bool:
    """Return whether some word is used as a verb with a subject, as its form and its neighbours show."""
    if len(tokens) > 1 and (tokens[0] in verbs.STATIVES or _is_whose(tokens[0], tokens[1])):
        return True
    before = ["", *tokens[:-1]]
    after = [*tokens[1:], ""]
    opening = tokens[0] in verbs.POSSESSORS
    if len(tokens) == 3 and tokens[0] in {"my", "our"} and tokens[2].endswith("s"):
        return tokens[1] not in lists.EMPTY
    return any(
        token in _ALWAYS_VERBS
        or (left in verbs.SUBJECTS and token not in _NEVER_VERBS)
        or (left and _acts(left, token, right, opening=opening))
        for left, token, right in zip(before, tokens, after, strict=True)
    )


def _is_whose(first: str, second: str) -> bool:
    """Return whether a sentence begins with somebody and a short "is" or "has": "Dad's in hospital"."""
    return first.endswith("'s") and second in _AFTER_IS


def _acts(left: str, token: str, right: str, *, opening: bool) -> bool:
    """Return whether a word that isn't the first is a verb; `opening` tells of a subject such as "my sister"."""
    if token in verbs.THIRD_PERSONS:
        return True
    if token in verbs.BASES:
        plural = right and left.endswith("s") and left not in lists.EMPTY
        return opening or bool(plural) or left in _BEFORE_BASE
    if token.endswith("ed"):
        return len(token) > len("need") and left not in _BEFORE_ADJECTIVE
    return token.endswith("s") and not token.endswith(("ss", "us")) and right in _AFTER_VERB
