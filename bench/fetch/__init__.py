"""The fetch path against its floor and its peers, in a network namespace of its own; README.md beside it says how."""
