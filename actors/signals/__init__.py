"""What a person's words say for and against what is believed."""
