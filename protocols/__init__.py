"""The vocabulary: records, messages, events, ports and pure rules. Imports nothing of ours."""
