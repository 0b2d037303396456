"""The order of steps, through the real stack, against servers on loopback."""
