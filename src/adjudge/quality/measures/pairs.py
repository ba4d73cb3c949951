"""Kendall's τ between predicted and human rankings (WMT13 §6.6).

Only pairs that people rank differently count. C of them have the predicted order, D the other one,
T are tied by the prediction:

    τ, ties penalised = (C − D − T) / (C + D + T),    τ, ties ignored = (C − D) / (C + D)

The first is fair between submissions; the second can be raised by tying uncertain pairs, so that it
must be reported with its number of pairs, C + D. The two are bound together:

    τ penalised = τ ignored · (C + D) / (C + D + T) − T / (C + D + T)
"""

import numpy as np

from adjudge.stats.resampling import Floats


def pair_counts(decided: Floats) -> Floats:
    """Indicators C, D and T of every pair (…, pairs, 3).

    `decided` is positive if a submission has the human order, negative if it has the opposite one.
    """
    return np.stack([decided > 0, decided < 0, decided == 0], axis=-1).astype(np.float64)


def tau_penalised(counts: Floats) -> Floats:
    """Kendall's τ with ties penalised, from counts (…, 3)."""
    concordant, discordant, ties = np.moveaxis(counts, -1, 0)
    return _ratio(concordant - discordant - ties, concordant + discordant + ties)


def tau_ignored(counts: Floats) -> Floats:
    """Kendall's τ with ties ignored; NaN if all pairs are tied."""
    concordant, discordant, _ = np.moveaxis(counts, -1, 0)
    return _ratio(concordant - discordant, concordant + discordant)


def penalised_from_ignored(ignored: float, non_ties: int, decisions: int) -> float:
    """Derive τ with ties penalised from τ with ties ignored and the number of untied pairs."""
    return ignored * non_ties / decisions - (decisions - non_ties) / decisions


def _ratio(above: Floats, below: Floats) -> Floats:
    nothing = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=nothing, where=below > 0))
