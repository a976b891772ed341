"""The journal role: the one door through which a character's memory is written."""
