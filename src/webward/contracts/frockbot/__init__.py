"""The tools of the FrockBot package ``web``: what they take, what they give, and what they refuse under which code.

Wire names are FrockBot's. A tool gives ``{"content", "isError"}``, where the content is itself JSON text.
"""
