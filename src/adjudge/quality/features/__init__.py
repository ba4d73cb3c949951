"""Features for quality estimation, one module per family.

`families/` has features of whole translations, `word_families/` those of single tokens. A module
registers by defining `FAMILY`; other packages register through entry points of the groups
`adjudge.features` and `adjudge.word_features` (`adjudge.core.registry`).
"""
