"""The FrockBot tools: called from Python, or by lines."""
