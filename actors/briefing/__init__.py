"""The briefing: what a character should have in mind for its next line. Reads, and writes nothing."""
