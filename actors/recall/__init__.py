"""Recall: the lexical index and what ranks memories."""
