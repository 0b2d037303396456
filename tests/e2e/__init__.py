"""The real command on a real network stack that has only loopback: its own name server, web server and certificates."""
