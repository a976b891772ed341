"""The demonstration: a conversation, a killed process, and what is left of both."""
