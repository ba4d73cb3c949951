"""Bytes and files: compression, delimited text, JSON lines, Parquet, careful reading, writing."""
