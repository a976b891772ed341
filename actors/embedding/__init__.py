"""Vectors of what is remembered, made in the background."""
