"""The world around the characters: storage, models, command line."""
