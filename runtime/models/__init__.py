"""Language models, each an implementation of `protocols.ports.LanguageModel`."""
