"""Judgements over facts, and their life from synthesis to persona or archive."""
