"""What is stored, and how: the database, row locks, which answers stand, backups."""
