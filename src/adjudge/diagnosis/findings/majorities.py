"""Majorities against the order, circles of them, and pairs with too little to say.

- `cycles`: systems that beat each other in a circle, so that no order agrees with every majority
  (Lopez 2012 §5.1, by `ranking.tournament`). The value is the number of systems in cycles.
- `contradicted`: pairs whose direct comparisons favour the system that the order puts lower
  (Bojar 2011 §2.5, Lopez 2012 §5.2). The value is the number of such pairs; those the sign
  test tells apart are more than noise.
- `too-few`: pairs of systems with so few decided comparisons that even one and the same winner in
  all of them would not be significant, 2 · 2⁻ⁿ > 5 %, that is n < 6. For the other pairs not told
  apart the details say how many decided comparisons their margin would take,
  (1.96 / (2p − 1))², p being the winner's share.
"""

import numpy as np

from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import Answer, DetailRow, Finding, Severity
from adjudge.diagnosis.order_change import TOLD_APART, told_apart
from adjudge.diagnosis.wording import counted
from adjudge.ranking.tournament import tournament

FEWEST_DECIDED = int(np.ceil(np.log2(2 / TOLD_APART)))
_NAMED = 3  # pairs named in a sentence


def _cycles(evidence: Evidence) -> Answer:
    counts = evidence.among_systems
    cycles = tournament(counts).cycles()
    firm = told_apart(counts)
    inside = sum(len(cycle.systems) for cycle in cycles)
    if not cycles:
        return Answer(
            Severity.none, "The majorities run in no circle: some order agrees with all", value=0
        )
    index = {name: i for i, name in enumerate(counts.systems)}
    details: list[DetailRow] = []
    firmest: tuple[bool, tuple[str, ...]] = (False, cycles[0].example)
    for cycle in cycles:
        members = [index[name] for name in cycle.example]
        edges = list(zip(members, members[1:] + members[:1], strict=True))
        if not firmest[0] and all(firm[a, b] for a, b in edges):
            firmest = (True, cycle.example)
        details += [
            {
                "cycle": " > ".join((*cycle.example, cycle.example[0])),
                "systems_in_cycles": len(cycle.systems),
                "better": counts.systems[a],
                "worse": counts.systems[b],
                "wins": int(counts.wins[a, b]),
                "losses": int(counts.wins[b, a]),
                "told_apart": bool(firm[a, b]),
            }
            for a, b in edges
        ]
    all_firm, example = firmest
    shown = " > ".join(evidence.short[index[name]] for name in (*example, example[0]))
    return Answer(
        Severity.warning if all_firm else Severity.note,
        f"{inside} of {len(counts.systems)} systems beat each other in circles, such as {shown}"
        + ("; every step of it is significant" if all_firm else "; noise may explain it"),
        "Report clusters rather than a strict order, and the order that contradicts least "
        '(`method="mfas"`) beside it.',
        inside,
        details=details,
    )


def _contradicted(evidence: Evidence) -> Answer:
    counts = evidence.among_systems
    against = tournament(counts).contradicted(evidence.scores)
    index = {name: i for i, name in enumerate(counts.systems)}
    firm = told_apart(counts)
    details = [
        {
            "better": m.better,
            "worse": m.worse,
            "wins": int(counts.wins[index[m.better], index[m.worse]]),
            "losses": int(counts.wins[index[m.worse], index[m.better]]),
            "told_apart": bool(firm[index[m.better], index[m.worse]]),
        }
        for m in against
    ]
    significant = [row for row in details if row["told_apart"]]
    if not against:
        return Answer(Severity.none, "Every majority agrees with the order", value=0)
    worst = (significant or details)[0]
    better, worse = (evidence.short[index[str(worst[side])]] for side in ("better", "worse"))
    n = len(counts.systems)
    return Answer(
        Severity.warning if significant else Severity.note,
        f"{len(against)} of {n * (n - 1) // 2} majorities go against the order by "
        f"{evidence.method.name}, {len(significant)} of them significantly; {better} beats "
        f"{worse} {worst['wins']} : {worst['losses']} yet ranks below it",
        "Show the head-to-head table (adjudge compare) beside the order, and claim no difference "
        "within these pairs.",
        len(against),
        details=details,
    )


def _too_few(evidence: Evidence) -> Answer:
    counts = evidence.among_systems
    i, j = np.triu_indices(len(counts.systems), 1)
    wins, losses = counts.wins[i, j], counts.wins[j, i]
    decided = wins + losses
    few = decided < FEWEST_DECIDED
    firm = told_apart(counts)
    open_ = ~(firm[i, j] | firm[j, i])
    lead = np.abs(wins - losses) / np.maximum(decided, 1)
    needed = np.where(lead > 0, np.ceil((1.96 / np.maximum(lead, 1e-9)) ** 2), np.inf)
    needed = np.maximum(needed, FEWEST_DECIDED)
    names = [f"{evidence.short[a]} and {evidence.short[b]}" for a, b in zip(i, j, strict=True)]
    thin = [names[k] for k in np.flatnonzero(few)]
    details = [
        {
            "system": counts.systems[i[k]],
            "other": counts.systems[j[k]],
            "wins": int(wins[k]),
            "losses": int(losses[k]),
            "decided": int(decided[k]),
            "needed": int(needed[k]) if np.isfinite(needed[k]) else None,
            "too_few": bool(few[k]),
        }
        for k in np.lexsort((needed, decided, ~few))
        if open_[k]
    ]
    undecided = f"{int(open_.sum())} of {len(i)} pairs are not told apart"
    if not thin:
        return Answer(
            Severity.none,
            f"Every pair of systems has enough comparisons to say something; {undecided}",
            value=0,
            details=details,
        )
    listed = ", ".join(thin[:_NAMED]) + (f" and {len(thin) - _NAMED} more" if thin[_NAMED:] else "")
    return Answer(
        Severity.note,
        f"{counted(len(thin), 'pair')} of {len(i)} with fewer than {FEWEST_DECIDED} decided "
        f"comparisons can show nothing: {listed}; {undecided}",
        "Collect more comparisons of these pairs, or claim nothing about them.",
        len(thin),
        details=details,
    )


FINDING = (
    Finding(
        "cycles",
        "Do majorities run in circles?",
        "systems in cycles",
        "count",
        "Lopez 2012 §5.1",
        _cycles,
    ),
    Finding(
        "contradicted",
        "Do direct comparisons contradict the order?",
        "pairs whose majority goes against the order",
        "count",
        "Bojar 2011 §2.5, Lopez 2012 §5.2",
        _contradicted,
    ),
    Finding(
        "too-few",
        "Which comparisons are too few to say anything?",
        "pairs with too few comparisons",
        "count",
        "Bojar 2011 §4.1, Lopez 2012 §6",
        _too_few,
    ),
)
