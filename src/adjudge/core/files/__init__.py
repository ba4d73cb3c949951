"""File input and output: compression, delimited text, JSON lines, Parquet."""
