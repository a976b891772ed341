"""A model behind HTTP: any server that speaks OpenAI's chat completions, hosted or on this machine."""

from .mind import RemoteMind

__all__ = ["RemoteMind"]
