"""Storage: the database, row locks, current answers, backups."""
