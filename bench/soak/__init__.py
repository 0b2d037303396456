"""One gateway among good and hostile servers for minutes: memory, descriptors and tasks must stay where they are."""
