"""Text from outside made safe to hand to a model, for callers who have text rather than a URL."""

from webward.content.sanitize import SanitizedText, sanitize_external_text

__all__ = ["SanitizedText", "sanitize_external_text"]
