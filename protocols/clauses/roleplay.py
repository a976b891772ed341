"""What is said in a role, so that a knight's words aren't the person's: "*draws his sword* I am Sir Galahad".

People put stage directions between asterisks both when they play and when they only gesture ("*sighs* I hate my
job"), so that a direction alone tells nothing. A line is in a role where it has one, and it or its words belong to
a tale: swords and spells, thrones and dragons, bows and wagging tails. In doubt it is the person's own. Pure.
"""

from __future__ import annotations

import re
from typing import Final

from ..scripts import simplified

_DIRECTION: Final = re.compile(
    r"(?<!\*)\*(?=[^\s*])[^*\n]{1,200}\*(?!\*)|^\s*[\uff08(][^\uff08\uff09()\n]{1,40}[\uff09)]"
)
_TALE: Final = re.compile(
    simplified(
        r"\b(?:swords?|blades?|daggers?|axes?|longbows?|shields?|armou?r|lances?|wands?|staffs?|spells?|potions?|runes?"
        r"|magic(?:al)?|wizards?|witch(?:es)?|sorcer\w+|mages?|knights?|squires?|paladins?|throne|crown|castle|kingdom"
        r"|realm|dungeon|tavern|dragons?|goblins?|orcs?|el(?:f|ves)|dwar(?:f|ves)|vampires?|werewol(?:f|ves)|demons?"
        r"|ghosts?|zombies?|unicorns?|mermaids?|fair(?:y|ies)|phoenix|sir [a-z]+"
        r"|my (?:liege|lord|lady)|your (?:majesty"
        r"|highness|grace)|camelot|princess of|prince of|king of|queen of|lord of|starship|spaceship|blasters?"
        r"|light ?sabers?|cloak|cape|fangs|bows|curts(?:ies|y)|kneels|unsheath\w*|salutes|teleports|transforms"
        r"|wags (?:my |his |her |its |their )?tail|purrs|growls|howls|paws|twitches (?:my |his |her )?ears)\b"
        r"|\b(?:schwert|zauber\w*|ritter|drache[n]?|burg|könig(?:in)?|verneigt sich|espada|mago|bruja|caballero"
        r"|dragón|castillo|reino|se inclina|espadas?|feiticeir[oa]|cavaleiro|dragão|castelo|épée|sorci(?:er|ère)"
        r"|chevalier|dragon|château|royaume|s'incline|spada|cavaliere|drago|castello|regno|si inchina)\b"
        r"|меч|волшебн|колду|рыцар|дракон|замок|королев|король|кланяется"
        r"|剑|剣|刀を抜|宝刀|魔法|法师|巫师|骑士|騎士|女王|国王|陛下|殿下|公主|龙王|恶龙|魔王|精灵|吸血鬼|城堡|行礼|下跪|跪下|拱手|抱拳"
        r"|ドラゴン|勇者|魔女|姫|お辞儀|ひざまず|しっぽを|검을|칼을 뽑|마법|기사|용사|드래곤|여왕|폐하|공주"
    ),
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\(\(.*?\)\)|[(\[]\s*(?:ooc|off topic)\b[^)\]]*[)\]]|^\s*ooc\b.*$", re.IGNORECASE)


def out_of_role(text: str) -> str:
    """Return a text without the lines that are said in a role; what is said beside the play in them stays.

    Args:
        text: what a person said, unfolded.
    """
    if "*" not in text and "(" not in text and "\uff08" not in text:
        return text
    return "\n".join(line for said in text.split("\n") if (line := _own(said)) or not said)


def _own(line: str) -> str:
    if not _DIRECTION.search(line) or not _TALE.search(simplified(_ASIDE.sub(" ", line))):
        return line
    return " ".join(aside.strip("()[] ") for aside in _ASIDE.findall(line))
