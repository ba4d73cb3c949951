"""Shared by all tests: the real data and a real PostgreSQL server, where they are present."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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
