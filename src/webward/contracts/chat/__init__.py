"""The tools ``fetch_url`` and ``web_search`` as functions that a language model calls, and the turns of such a chat."""
