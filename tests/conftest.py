"""Profiles of hypothesis: the suite's own, and the deep one of `make fuzz`."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("suite", deadline=None)
settings.register_profile("fuzz", deadline=None, max_examples=20_000)
settings.load_profile("suite")
