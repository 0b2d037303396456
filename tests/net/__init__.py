"""The network ring, against real sockets on loopback."""
