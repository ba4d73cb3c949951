"""Learners: one module each, scikit-learn's where it has them.

`regressors/` predict a number (Tasks 1.1 and 1.3), `rankers/` which of two candidates is better
(Task 1.2), `taggers/` the label of a word (Task 2). A module takes part by defining `LEARNER`;
other packages take part through entry points of the groups `adjudge.learners`, `adjudge.rankers`
and `adjudge.taggers` (`adjudge.core.registry`).
"""
