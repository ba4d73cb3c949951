"""Short segments, from texts to judges and back (Macháček 2014): a database that is used again."""
