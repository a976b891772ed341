"""The scribe role: what was said, by whom, when, durably."""
