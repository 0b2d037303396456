"""Search providers: each says how it is asked and where its results are; `client` does what all have in common."""

from webward.providers.registry import Providers

__all__ = ["Providers"]
