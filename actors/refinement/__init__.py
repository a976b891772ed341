"""Beliefs that are close to each other: which they are, and what a mind may change about them."""
