"""What a prediction of quality is made from: one module a family of features.

`families/` has features of whole translations, `word_families/` those of single tokens. A module
takes part by defining `FAMILY`; other packages take part through entry points of the groups
`adjudge.features` and `adjudge.word_features` (`adjudge.core.registry`).
"""
