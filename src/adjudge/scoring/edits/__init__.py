"""How much of a system's output people understand: blind edits and their reviews.

WMT13 §4 and Bojar 2011 §4.1. Somebody edits an output without seeing source or reference;
somebody else, who sees both, says whether that is an acceptable translation.
"""
