"""Lasting knowledge: what is brought up how often, and what of it fits into a prompt."""
