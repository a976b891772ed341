"""The soak harness: characters are talked to while everything around them fails, and held to their promises."""
