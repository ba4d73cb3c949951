"""The Python door: read judgements, ask, get results that say how they were made.

`adjudge/__init__.py` shows what is here to people; the command line, the web application and
the demonstration ask through the same classes.
"""
