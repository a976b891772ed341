"""Scenarios: conversations with expectations, played on a virtual clock against a real data folder."""
