"""The HTTP door: what a host in another process or language calls."""
