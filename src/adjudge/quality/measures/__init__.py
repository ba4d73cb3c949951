"""How good predictions are (WMT13 §6.6), for all replicates of a bootstrap in one call.

Every function takes weights (replicates × observations), how often each observation counts, and
gives a value for each replicate and submission. Weights of one everywhere give the value itself.
"""
