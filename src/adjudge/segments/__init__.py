"""Short segments, from texts to judges and back (Macháček 2014): a reusable database of ranked
segments.
"""
