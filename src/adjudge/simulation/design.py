"""Design of a simulation: systems and texts, tasks, judges.

The model. System s has the quality q_s. Segment g of document d with difficulty c_g shows it as

    output quality      x_gs  = c_g · (q_s + document effect_ds + segment effect_gs)
    perceived quality   u_jgs = x_gs + preference_js + taste_jgs + noise_j · ε

for judge j, with ε fresh at every look and every effect normal with mean 0. A hard segment
(c_g > 1) shows the systems further apart, an easy one makes them hard to tell apart; a
difficulty that all outputs shared alike could not change a ranking.

The judge then puts the outputs into grades as wide as the judge's tie threshold τ_j, the
grid lying at random in each ranking: outputs in one grade tie. So outputs further apart than
τ_j never tie, those at distance δ < τ_j tie with probability 1 − δ/τ_j, and ties are
transitive whatever else is in the block.

The defaults give about the sizes, ties, agreement, times and shared outputs of one language
pair of WMT15 (docs/simulation.md).
"""

from dataclasses import dataclass, field
from math import isfinite

from adjudge.core.errors import AdjudgeError

LARGEST = 200_000_000  # cells of an array of rankings, or of segments, by systems


def require(allowed: bool, remedy: str) -> None:
    """Refuse parameters that make no sense."""
    if not allowed:
        raise AdjudgeError(f"no such simulation: {remedy}")


def _require_shares(owner: object, *names: str) -> None:
    for name in names:
        value = getattr(owner, name)
        require(0 <= value <= 1, f"{name} is a share from 0 to 1, not {value}")


def _require_scales(owner: object, *names: str) -> None:
    for name in names:
        value = getattr(owner, name)
        require(0 <= value < 100, f"{name} is a standard deviation from 0 to 100, not {value}")


@dataclass(frozen=True)
class Judges:
    """Population of judges, from which `count` are drawn.

    A judge's noise and tie threshold are log-normal around the values here. Leniency moves
    the labels and never the order: where a ranking leaves ranks unused, a judge of leniency 1
    calls the best output 1 and one of leniency 0 calls the worst output k.
    """

    count: int = 30
    noise: float = 0.25  # SD of the fresh error at every look: lowers intra-judge agreement
    taste: float = 0.35  # SD of what one judge keeps thinking of one output: lowers inter
    preference: float = 0.0  # SD of a judge's bias towards each system: the judge effect
    threshold: float = 0.4  # τ: the width of a grade
    spread: float = 0.5  # SD of the logarithm of noise and threshold between judges
    least_leniency: float = 0.4  # leniency is uniform from here to 1
    workload: float = 1.0  # SD of the logarithm of how much a judge does
    careless: float = 0.0  # share of judges who click at random …
    carelessness: float = 1.0  # … in this share of their rankings
    skipped: float = 0.025  # share of rankings skipped
    missing: float = 0.005  # share of outputs left without a rank
    seconds: float = 54.0  # median time of a ranking

    def __post_init__(self) -> None:
        require(1 <= self.count <= 10_000, f"{self.count} judges; ask for 1 to 10,000")
        _require_scales(self, "noise", "taste", "preference", "threshold", "spread", "workload")
        _require_shares(self, "least_leniency", "careless", "carelessness", "skipped", "missing")
        require(self.skipped < 1 and self.missing < 1, "somebody has to answer something")
        require(0 < self.seconds < 1e6, f"a ranking takes some seconds, not {self.seconds}")

    @property
    def number_careless(self) -> int:
        """Number of careless judges."""
        return round(self.careless * self.count)


@dataclass(frozen=True)
class Tasks:
    """Tasks of the judges: blocks of outputs, in HITs of consecutive segments.

    `repeats` of the HITs come back later to the judge who did them (for intra-judge
    agreement); `pool` of them are given to `pool_judges` different judges (for inter).
    """

    rankings: int = 3000
    block: int = 5  # outputs in a ranking
    hit_length: int = 3  # consecutive segments of a HIT
    repeats: float = 0.1
    pool: float = 0.1
    pool_judges: int = 3

    def __post_init__(self) -> None:
        require(
            1 <= self.rankings <= 10_000_000,
            f"{self.rankings} rankings; ask for 1 to 10,000,000",
        )
        require(2 <= self.block <= 1000, f"a block of {self.block}; show 2 outputs or more")
        require(self.hit_length >= 1, f"a HIT of {self.hit_length} segments; give it 1 or more")
        require(self.pool_judges >= 1, "pooled HITs need at least one judge each")
        _require_shares(self, "repeats", "pool")
        require(self.repeats <= 0.5, "only what was judged can be repeated: at most 0.5 repeats")
        require(self.repeats + self.pool <= 1, "repeats and pool together are at most 1")

    @property
    def hits(self) -> int:
        """Number of HITs in the rankings, repeated ones counted again."""
        return -(-self.rankings // self.hit_length)


@dataclass(frozen=True)
class Design:
    """Complete design of a simulated campaign.

    The systems are related in twos (the first with the second, …): with probability
    `identical` both give one output for a segment, that of the first, which is then shown
    once and credited to both.
    """

    systems: int = 12
    documents: int = 100
    document_length: int = 12  # segments of a document, on average
    quality_spread: float = 0.4  # SD of the systems' qualities
    qualities: tuple[float, ...] | None = None  # given instead of drawn
    difficulty_spread: float = 0.3  # SD of the logarithm of the segments' difficulty
    segment_effect: float = 0.6  # SD of how well a system happens to do a segment
    document_effect: float = 0.1  # SD of how well a system suits a document
    identical: float = 0.2
    reference: bool = False  # is the human reference judged among the systems?
    tasks: Tasks = field(default_factory=Tasks)
    judges: Judges = field(default_factory=Judges)

    def __post_init__(self) -> None:
        require(2 <= self.systems <= 200, f"{self.systems} systems; compare 2 to 200")
        require(
            1 <= self.documents <= 1_000_000,
            f"{self.documents} documents; ask for 1 to 1,000,000",
        )
        require(
            self.tasks.hit_length <= self.document_length <= 10_000,
            f"a HIT of {self.tasks.hit_length} consecutive segments does not fit documents of "
            f"{self.document_length}; make the documents longer",
        )
        _require_scales(
            self, "quality_spread", "difficulty_spread", "segment_effect", "document_effect"
        )
        _require_shares(self, "identical")
        require(
            self.qualities is None or len(self.qualities) == self.systems,
            f"{len(self.qualities or ())} qualities for {self.systems} systems; give one each",
        )
        require(
            all(isfinite(quality) for quality in self.qualities or ()),
            "a quality is a number; give each system one",
        )
        rows = max(self.tasks.rankings, self.documents * self.document_length)
        require(
            rows * self.systems <= LARGEST,
            "it would not fit in memory; ask for fewer rankings, documents or systems",
        )
        outputs = self.systems + self.reference
        require(
            self.tasks.block <= outputs,
            f"a block of {self.tasks.block} from {outputs} systems; show fewer outputs",
        )
