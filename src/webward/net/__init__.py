"""The only code that opens sockets towards a URL that a caller, a page or a setting named."""
