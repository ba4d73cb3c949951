"""Minimum feedback arc set: the order with the fewest violated comparisons, with a proof of
optimality.
"""
