"""A small Discord bot that reads pages: an example of `webward.chat`."""
