"""Measures of predictions (WMT13 §6.6), for all bootstrap replicates in one call.

Every function takes the weight of each observation (replicates × observations), and returns a value
for each replicate and submission. Unit weights give the estimate itself.
"""
