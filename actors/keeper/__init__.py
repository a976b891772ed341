"""The keeper role: what falls due with time, queued once a period."""
