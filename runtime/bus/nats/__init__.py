"""NATS JetStream: commands from a stream, events and dead letters into two others, questions by request."""
