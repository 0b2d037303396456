"""What a reader gets from bytes: charset, media type, document, rendition, window. Pure: no I/O, no clock."""
