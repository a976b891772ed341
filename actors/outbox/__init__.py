"""The outbox role: durable work is done, tried again, and parked where a person sees it."""
