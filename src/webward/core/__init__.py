"""Pure decisions about a request: what a URL is, what may leave, where a redirect leads, what the bytes decode to."""
