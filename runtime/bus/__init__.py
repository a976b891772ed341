"""Message buses: commands in, events out, at least once and in order a character."""
