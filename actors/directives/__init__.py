"""What the person asked never to be mentioned, to be mentioned again, or to be forgotten: the rules of it."""
