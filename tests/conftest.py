"""Shared by all tests: the real data and a real PostgreSQL server, where they are present, and
judgement tables of every kind for hypothesis."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st

if TYPE_CHECKING:
    import polars as pl


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data; tests that need it skip where it is absent."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}; set ADJUDGE_SHARED_DATA to its folder")
    return folder


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A server of our own, for these tests only: its address, with `{name}` for a database."""
    servers = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = str(servers[-1]) if servers else shutil.which("initdb")
    if initdb is None:
        pytest.skip("no PostgreSQL server; install it: apt-get install postgresql")
    pytest.importorskip("psycopg", reason="no psycopg; install it: pip install adjudge[postgres]")
    folder = Path(tempfile.mkdtemp(prefix="adjudge-postgresql-"))
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres")

    def run(*command: str) -> None:
        as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        log = folder / "commands.log"
        with log.open("ab") as output:
            subprocess.run([*as_user, *command], check=True, stdout=output, stderr=output, cwd="/")

    data = str(folder / "data")
    server = str(Path(initdb).parent / "pg_ctl")
    options = f"-c listen_addresses='' -k {folder} -c fsync=off -c max_connections=100"
    try:
        run(initdb, "-D", data, "-U", "adjudge", "-A", "trust", "-E", "UTF8", "--no-sync")
        run(server, "-D", data, "-w", "-o", options, "-l", str(folder / "server.log"), "start")
        yield f"postgres://adjudge@/{{name}}?host={folder}"
        run(server, "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def simulated() -> "Callable[..., pl.DataFrame]":
    """Makes judgements of one language pair, its systems called as asked."""
    import polars as pl

    from adjudge.judgements.outputs import join_systems, systems_of
    from adjudge.simulation.campaign import simulate
    from adjudge.simulation.design import Design, Judges, Tasks

    def simulated(
        pair: str, names: Sequence[str], rankings: int = 60, seed: int = 1, **design: float
    ) -> pl.DataFrame:
        tasks = Tasks(rankings=rankings, block=min(5, len(names)))
        made = simulate(
            Design(systems=len(names), documents=20, tasks=tasks, judges=Judges(count=6), **design),
            seed,
        )
        called = dict(zip(made.truth.systems, names, strict=False))
        outputs = {
            output: join_systems(called.get(system, system) for system in systems_of(output))
            for output in made.judgements["output"].unique().drop_nulls()
        }
        return made.judgements.with_columns(
            pair=pl.lit(pair).cast(pl.Categorical),
            output=pl.col("output").cast(pl.String).replace(outputs).cast(pl.Categorical),
        )

    return simulated


PLAIN = ("A", "B", "online-C", "d.1", "Übersetzer", "مترجم", "e f")
AWKWARD = (*PLAIN, "a,b", 'the "best"', "x+y", "-1", "null", " padded ", "'", "<&>", "\u2028")


def _rankings(names: tuple[str, ...], attributed: bool) -> st.SearchStrategy[dict]:
    maybe = st.one_of(st.none(), st.sampled_from(names))
    output = st.lists(st.sampled_from(names), min_size=0 if not attributed else 1, max_size=3)
    return st.fixed_dictionaries(
        {
            "pair": st.sampled_from(("eng-deu", "fra-eng")),
            "document": maybe.filter(lambda name: name != "-1"),
            "segment": maybe,
            "hit": maybe,
            "judge": maybe,
            "group": maybe,
            "seconds": st.one_of(st.none(), st.integers(0, 10**9).map(lambda n: n / 1000)),
            "time": st.one_of(
                st.none(),
                st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(
                    lambda moment: moment.replace(tzinfo=UTC)
                ),
            ),
            "shown": st.booleans(),
            "outputs": st.lists(
                st.tuples(output, st.one_of(st.none(), st.integers(1, 6)), maybe, st.text("ab ,")),
                max_size=5,
            ),
        }
    )


def _table(rankings: list[dict]) -> "pl.DataFrame":
    import polars as pl

    from adjudge.judgements.judgement_table import judgement_table
    from adjudge.judgements.outputs import join_systems, unattributed

    rows = []
    for number, ranking in enumerate(rankings, 1):
        context = {k: v for k, v in ranking.items() if k not in ("outputs", "shown")}
        context["ranking"] = number
        taken: set[str] = set()
        position = 0
        for systems, rank, label, text in ranking["outputs"]:
            own = set(systems) - taken
            taken |= own
            output = join_systems(own) if own else unattributed(text)
            if (systems and not own) or output in taken:
                continue
            taken.add(output)
            position += 1
            place = position if ranking["shown"] else None
            text_given = text if not own else None
            rows.append(
                {
                    **context,
                    "output": output,
                    "rank": rank,
                    "position": place,
                    "label": label,
                    "text": text_given,
                }
            )
        if not position:
            rows.append({**context, "output": None})
    return judgement_table(pl.DataFrame(rows, infer_schema_length=None))


@pytest.fixture(scope="session")
def tables() -> "st.SearchStrategy[pl.DataFrame]":
    """Any judgement table."""
    return st.lists(_rankings(AWKWARD, attributed=False), min_size=1, max_size=6).map(_table)


@pytest.fixture(scope="session")
def plain_tables() -> "st.SearchStrategy[pl.DataFrame]":
    """Tables of known systems with names that give no format trouble."""
    return st.lists(_rankings(PLAIN, attributed=True), min_size=1, max_size=6).map(_table)
