"""What tables are set with: one table, six ways to print it.

Terminal, JSON, CSV, Markdown, LaTeX and HTML. `report/tables/` makes the tables of results.
"""
