"""The tools for hosts that speak the Model Context Protocol."""
