"""What is true of a simulated campaign, and so what a method should recover from it.

Truth is of the population of documents, segments and judges, not of those drawn: it is what a
campaign without end would give, careless judges included. `expectation` computes it.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgement_table import is_reference
from adjudge.data.win_counts import WinCounts
from adjudge.simulation.design import Design
from adjudge.simulation.simulated_judges import DrawnJudges

Floats = NDArray[np.float64]

MANY = 10**9  # rankings, as good as endless


@dataclass(frozen=True, eq=False)
class Truth:
    """The systems' true qualities, their expected wins, and the judges as they were drawn.

    `wins[i, j]` and `ties[i, j]` are expected counts for one ranking, an output that several
    systems share counted for each (`expanded`).
    """

    design: Design
    seed: int
    systems: tuple[str, ...]
    qualities: Floats
    wins: Floats
    ties: Floats
    judges: DrawnJudges

    @property
    def win_probability(self) -> Floats:
        """P(i is ranked better than j | no tie); one half on the diagonal."""
        decided = self.wins + self.wins.T
        return np.divide(self.wins, decided, out=np.full_like(decided, 0.5), where=decided > 0)

    @property
    def expected_wins(self) -> Floats:
        """Per system, its mean probability to beat another system (WMT13 §3.3).

        The reference, where it is judged, is no opponent; its own entry is its mean
        probability to beat a system.
        """
        systems = np.array([not is_reference(system) for system in self.systems])
        opponents = systems & ~np.eye(len(systems), dtype=bool)
        return np.asarray((self.win_probability * opponents).sum(1) / opponents.sum(1))

    def counts(self) -> WinCounts:
        """The counts of a campaign so large that chance plays no part.

        What a count method makes of them is what it estimates from fewer judgements.
        """
        return WinCounts(
            self.systems,
            np.rint(MANY * self.wins).astype(np.int64),
            np.rint(MANY * self.ties).astype(np.int64),
        )

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        systems = zip(self.systems, self.qualities, self.expected_wins, strict=True)
        drawn = self.judges
        return {
            "simulated": True,
            "seed": self.seed,
            "design": asdict(self.design),
            "systems": [
                {"system": name, "quality": float(quality), "expected_wins": float(wins)}
                for name, quality, wins in systems
            ],
            "win_probability": self.win_probability.tolist(),
            "judges": [
                {
                    "judge": name,
                    "noise": float(drawn.noise[i]),
                    "threshold": float(drawn.threshold[i]),
                    "leniency": float(drawn.leniency[i]),
                    "careless": bool(drawn.careless[i]),
                    "preference": drawn.preference[i].tolist(),
                }
                for i, name in enumerate(drawn.names)
            ],
        }
