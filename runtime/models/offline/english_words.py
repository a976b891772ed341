"""English words that make no content, for the offline engine's rules. Data only."""

from __future__ import annotations

from typing import Final

from ....protocols.scripts import words
from ....protocols.stopwords import ENGLISH

FEELINGS: Final = words(
    "love like hate miss enjoy adore happy sad glad mad angry upset excited thrilled scared afraid lonely bored "
    "tired sleepy hungry thirsty exhausted stressed anxious nervous worried calm proud jealous embarrassed "
    "ashamed "
    "grateful thankful hopeful hopeless heartbroken depressing crying cry laugh laughing smile smiling "
    "feel feeling feels felt feelings mood blessed overwhelmed confused frustrated annoyed disappointed down",
)
VAGUE: Final = words(
    "good great nice cool awesome amazing wonderful fantastic fine ok okay alright bad terrible awful "
    "horrible weird "
    "funny crazy perfect lovely beautiful interesting impressive sweet best better worst super pretty totally "
    "absolutely completely bit little lot lots much many really just actually definitely probably maybe perhaps "
    "literally honestly also well yes no yeah yep nope sure right wrong true false exactly indeed guess "
    "think know "
    "knew mean see say said agree understand suppose believe idea thing things stuff way something "
    "anything nothing "
    "everything someone anyone nobody everyone today now tonight tomorrow moment always never ever still yet "
    "already even ready done sorry welcome thanks thank please wait waiting go going gotta wanna gonna hear "
    "heard listening promise swear kidding joking told tell question point sense makes make sounds sound "
    "works work "
    "depends let get got done hi hello hey oh wow haha lol bye goodbye luck fun time times one kind sort "
    "day im ive dont didnt cant isnt correct fair hope wish forget forgot remember matter matters problem "
    "look looks looked looking seem seems appreciate agreed happens happened talented gorgeous stunning "
    "inspiring adorable "
    "ugh argh cannot can could will would may might must shall should",
)
EMPTY: Final = ENGLISH | FEELINGS | VAGUE
"""Words that make no content: a sentence of these alone states nothing to remember."""
