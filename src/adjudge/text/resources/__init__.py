"""What is learned from plain text: word alignment, lexical tables, language models, n-gram counts.

Quality estimation (WMT13 §6.5) calls these resources; SegRanks (Macháček 2014 §2.2) needs the
alignment.
"""
