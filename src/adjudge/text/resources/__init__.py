"""Resources learned from plain text: word alignment, lexical tables, language models, n-gram
counts.

They are inputs of quality estimation (WMT13 §6.5); SegRanks (Macháček 2014 §2.2) needs the
alignment.
"""
