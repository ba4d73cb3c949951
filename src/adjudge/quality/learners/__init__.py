"""Learners, one module each, based on scikit-learn where possible.

`regressors/` predict a number (Tasks 1.1 and 1.3), `rankers/` the better of two candidates (Task
1.2), `taggers/` the label of a word (Task 2). A module registers by defining `LEARNER`; other
packages register through entry points of the groups `adjudge.learners`, `adjudge.rankers` and
`adjudge.taggers` (`adjudge.core.registry`).
"""
