"""Verbal interpretation of agreement coefficients: two well-known scales, one of them strict.

Landis and Koch (1977), as WMT07 §6 and WMT13 §3.2 quote them, name every fifth of the scale;
Krippendorff (1980, 2004) draws no conclusion below 0.667 and a firm one only from 0.8
(Bojar 2011 §2.2.1). Neither is more than a rule of thumb.
"""

import math

_LANDIS_KOCH = (
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
)
TENTATIVE, RELIABLE = 0.667, 0.8


def landis_koch(value: float | None) -> str | None:
    """Landis and Koch's label of a coefficient; 0.2 is still slight, below 0 is poor."""
    if value is None or math.isnan(value):
        return None
    if value < 0:
        return "poor"
    words = (word for limit, word in _LANDIS_KOCH if value <= limit)
    return next(words, "almost perfect")


def krippendorff(value: float | None) -> str | None:
    """Krippendorff's verdict on conclusions from such labels: reliable, tentative, or none."""
    if value is None or math.isnan(value):
        return None
    if value >= RELIABLE:
        return "reliable"
    return "tentative" if value >= TENTATIVE else "no conclusion"
