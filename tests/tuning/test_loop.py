"""The loop of a decoder and a tuner, with real decoders: processes that read weights."""

import sys
from pathlib import Path

import numpy as np
import pytest

from adjudge.parallel import Engine
from adjudge.statistics.resampling import Resampling
from adjudge.tuning.decoder import Decoder
from adjudge.tuning.limits import limits_of
from adjudge.tuning.loop_folder import LoopFolder
from adjudge.tuning.loop_run import Task, run_loop
from adjudge.tuning.objective import tunable
from adjudge.tuning.reading import read_references
from adjudge.tuning.search import Search
from adjudge.tuning.tuner import TUNERS

pytestmark = pytest.mark.slow

TOP = Path(__file__).with_name("top_of_database.py")
START = {"feature_0": 0.1, "feature_1": 0.2, "feature_2": -0.1}


def task_of(decoder: str, references: list[str], **more) -> Task:
    return Task(
        Decoder(decoder),
        read_references(references),
        [tunable("bleu(tokenize=none,smooth=none)")],
        None,
        TUNERS.named("mert"),
        Search(),
        lambda names: limits_of(names, [], [], []),
        Resampling("segment", 200, 1, 0.95),
        **more,
    )


def test_z_merts_example_ends_where_z_mert_ends(shared_data, tmp_path):
    folder = shared_data / "tuning" / "zmert-example"
    task = task_of(
        f"{sys.executable} {TOP} {folder / 'cand_database.txt'} 10 {{weights}} {{nbest}}",
        [str(path) for path in sorted(folder.glob("reference.*.txt"))],
    )
    loop = run_loop(task, START, LoopFolder(tmp_path), 10, Engine())
    assert loop.iterations[0].score == pytest.approx(44.292270891454566, abs=1e-9)
    assert loop.best.score == pytest.approx(51.14880406806395, abs=1e-12)
    assert loop.ended == "converged"
    assert [row.promised is None for row in loop.iterations] == [True] + [False] * 3
    # Every pool holds those before it, and what is new is what it grew by.
    pools = [row.pool for row in loop.iterations]
    assert np.diff([0, *pools]).tolist() == [row.new for row in loop.iterations]
    assert loop.reached[0].score == loop.best.score
