"""One clause read as a frame: who, which predicate, affirmed or denied, of what. One module a language."""
