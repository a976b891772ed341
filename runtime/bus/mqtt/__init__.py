"""MQTT 5: commands and questions from topics, answers, events and dead letters back to them, a retained status."""
