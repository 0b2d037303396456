"""Search providers, against their doubles on loopback."""
