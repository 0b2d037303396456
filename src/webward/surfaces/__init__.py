"""The ways in: each parses its input, calls the gateway and shapes the outcome."""
