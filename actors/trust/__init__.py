"""The trust role and the pool of accounts behind it: how far speakers are believed."""
