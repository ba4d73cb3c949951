"""Which outputs are shown together."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.campaigns.design import Design
from adjudge.campaigns.protocol_kit.protocol import Passage
from adjudge.campaigns.protocol_kit.sampling import (
    Candidate,
    Exposure,
    draw_balanced,
    draw_uniformly,
    pairs_shown,
)
from adjudge.campaigns.protocols.ranking import draw

SYSTEMS = range(10)
CANDIDATES = [Candidate(100 + system, (system,)) for system in SYSTEMS]


def blocks(number: int, exposure: Exposure, seed: int = 1) -> Exposure:
    rng = Random(seed)
    for _ in range(number):
        exposure.add(draw_balanced(CANDIDATES, 5, exposure, rng))
    return exposure


def test_every_system_and_every_pair_gets_its_share() -> None:
    shown = blocks(450, Exposure()).shown
    systems = [shown[s, s] for s in SYSTEMS]
    pairs = [shown[pair] for pair in combinations(SYSTEMS, 2)]
    assert sum(systems) == 450 * 5
    assert sum(pairs) == 450 * 10
    assert max(systems) - min(systems) <= 5
    assert max(pairs) - min(pairs) <= 10  # 100 each, were it perfect


def test_balance_makes_good_what_was_shown_unevenly() -> None:
    exposure = Exposure()
    exposure.shown[0, 1] = 60  # these two have met often, by whatever chance
    exposure.shown[0, 0] = exposure.shown[1, 1] = 60
    shown = blocks(450, exposure).shown
    assert shown[0, 1] < 110


def test_the_reference_appears_at_its_rate() -> None:
    shown = blocks(900, Exposure(weights={0: 0.25})).shown
    systems = [shown[s, s] for s in SYSTEMS[1:]]
    assert shown[0, 0] / (sum(systems) / 9) == pytest.approx(0.25, abs=0.03)


def test_what_is_needed_more_is_shown_more() -> None:
    needs = dict.fromkeys(combinations(SYSTEMS, 2), 1.0) | {(2, 3): 4.0}
    shown = blocks(900, Exposure(needs=needs)).shown
    others = [shown[pair] for pair in combinations(SYSTEMS, 2) if pair != (2, 3)]
    assert shown[2, 3] > 1.8 * sum(others) / len(others)
    assert min(others) > 0.7 * sum(others) / len(others)


def test_uniform_draws_are_uniform_in_the_weights() -> None:
    rng, exposure = Random(1), Exposure(weights={0: 0.5})
    drawn = [
        one.systems[0] for _ in range(4000) for one in draw_uniformly(CANDIDATES, 1, exposure, rng)
    ]
    share = drawn.count(0) / len(drawn)
    assert share == pytest.approx(0.5 / 9.5, abs=0.01)
    assert drawn.count(1) / len(drawn) == pytest.approx(1 / 9.5, abs=0.015)


def test_a_shared_output_is_credited_to_all() -> None:
    block = [Candidate(1, (1, 2)), Candidate(2, (3,))]
    assert pairs_shown(block) == {(1, 1): 1, (2, 2): 1, (3, 3): 1, (1, 3): 1, (2, 3): 1}


@given(
    sizes=st.lists(st.integers(1, 3), max_size=9),
    words=st.integers(1, 60),
    block=st.integers(2, 6),
    balance=st.sampled_from(["uniform", "balanced"]),
    seed=st.integers(0, 99),
)
def test_blocks_are_as_large_as_the_design_says(
    sizes: list[int], words: int, block: int, balance: str, seed: int
) -> None:
    candidates, system = [], 0
    for output, size in enumerate(sizes):
        candidates.append(Candidate(output, tuple(range(system, system + size))))
        system += size
    design = Design(block=block, long_words=21, long_block=3, balance=balance)  # type: ignore[arg-type]
    passage = Passage(7, words, tuple(candidates), ())
    drawn = draw([passage], design, Exposure(), Random(seed))
    if len(candidates) < 2:
        assert drawn == []
        return
    (shown,) = drawn
    wanted = min(block, 3) if words >= 21 else block
    assert len(shown.candidates) == min(wanted, len(candidates))
    assert len({one.output for one in shown.candidates}) == len(shown.candidates)
    assert drawn == draw([passage], design, Exposure(), Random(seed))
