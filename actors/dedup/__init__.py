"""The dedup role: candidates become facts, each once."""
