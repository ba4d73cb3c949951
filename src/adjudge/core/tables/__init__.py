"""Table rendering: one table, six output formats.

Terminal, JSON, CSV, Markdown, LaTeX and HTML. The tables of results live with their subjects.
"""
