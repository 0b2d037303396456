"""The chat tools on a gateway, and the loop of a model that calls them."""
