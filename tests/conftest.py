"""Shared by all tests: the command line, real data, a PostgreSQL server, tables for hypothesis.

Tests that need more than this checkout and a little time are marked, most of them by the
fixtures they use, so that `make quick` can leave them out.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    import polars as pl

    from adjudge.metrics.metric import Metric

# No test depends on how fast a machine is.
settings.register_profile("adjudge", deadline=None)
settings.load_profile("adjudge")


PROJECT = Path(__file__).parents[1]
# The mark of a test that uses this fixture.
_MARKS = {
    "browser": "browser",
    "postgresql": "postgres",
    "postgresql_store": "postgres",
    "shared_data": "shared_data",
    "build_wheel": "slow",
    "cluster": "slow",
    "adjudge_command": "slow",
    "adjudge_process": "slow",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they use."""
    for item in items:
        fixtures: list[str] = getattr(item, "fixturenames", [])
        values = item.callspec.params.values() if hasattr(item, "callspec") else ()
        given = [value for value in values if isinstance(value, str)]
        engine = ["postgresql"] if "postgresql" in given else []  # of a test on either engine
        for name in {*fixtures, *engine} & _MARKS.keys():
            item.add_marker(_MARKS[name])


class Answer(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


@pytest.fixture(scope="session")
def adjudge() -> Command:
    """Runs a command line in this process, as starting Python anew takes seconds.

    `adjudge("rank", file, stdin=b"…", folder=path)`.
    """
    from adjudge.cli import main

    def run(*arguments: object, stdin: bytes = b"", folder: Path | None = None) -> Answer:
        out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["adjudge", *map(str, arguments)])
            patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            if folder is not None:
                patch.chdir(folder)
            with pytest.raises(SystemExit) as ended:
                main()
        said = [stream.buffer.getvalue().decode() for stream in (out, err)]
        return Answer(int(ended.value.code or 0), *said)

    return run


@pytest.fixture(scope="session")
def adjudge_command() -> list[str]:
    """What starts the command line as a process, for tests of a server or of a clean start."""
    return [sys.executable, "-m", "adjudge"]


@pytest.fixture(scope="session")
def adjudge_process(adjudge_command: list[str]) -> Command:
    """Runs a command line in a process of its own, with the settings of no other test.

    `adjudge_process("campaign", "status", folder=path, DATABASE_URL="…")`.
    """
    ours = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")

    def run(
        *arguments: object, stdin: bytes = b"", folder: Path | None = None, **environment: str
    ) -> Answer:
        told = {name: value for name, value in os.environ.items() if name not in ours}
        done = subprocess.run(
            [*adjudge_command, *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=folder,
            env=told | environment,
            timeout=300,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(scope="session")
def shared_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of real data; tests that need it skip where it is absent.

    It shows only the files of docs/test-data.md, so that no test uses one a stranger cannot get.
    """
    beside = PROJECT.parent / "shared" / "data"
    folder = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}; set ADJUDGE_SHARED_DATA to its folder")
    shown = tmp_path_factory.mktemp("shared-data")
    table = (PROJECT / "docs" / "test-data.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\| `(\S+)` \| `[0-9a-f]{64}` \|$", table, re.MULTILINE):
        if (folder / name).exists():
            (shown / name).parent.mkdir(parents=True, exist_ok=True)
            (shown / name).symlink_to((folder / name).resolve())
    return shown


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


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Dask cluster here, with two processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as local:
        yield local.scheduler_address.replace("tcp://", "dask://")


@pytest.fixture(scope="session")
def build_wheel() -> Callable[[Path, Path], Path]:
    """`build_wheel(project, folder)`: makes the wheel of a project in a folder."""

    def build(project: Path, folder: Path) -> Path:
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
        done = subprocess.run(
            [*command, "--directory", str(folder)], cwd=project, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        (wheel,) = folder.glob("*.whl")
        return wheel

    return build


@pytest.fixture(scope="session")
def simulated() -> "Callable[..., pl.DataFrame]":
    """Makes judgements of one language pair, its systems called as asked."""
    import polars as pl

    from adjudge.data.outputs import join_systems, systems_of
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

    from adjudge.data.judgement_table import judgement_table
    from adjudge.data.outputs import join_systems, unattributed

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


@pytest.fixture(scope="session")
def complete() -> "pl.DataFrame":
    """A campaign with everything any finding needs: a trusted group, texts, the reference."""
    import polars as pl

    from adjudge.simulation.campaign import simulate
    from adjudge.simulation.design import Design, Judges, Tasks

    design = Design(
        systems=6,
        documents=2,
        reference=True,
        tasks=Tasks(rankings=1000, repeats=0.2, pool=0.6),
        judges=Judges(count=12, workload=0.2),
    )
    table = simulate(design, 1).judgements
    trusted = pl.col("judge").cast(pl.String).str.slice(-2).cast(pl.Int32, strict=False) % 2 == 0
    # In some blocks the first two outputs say the same.
    alike = pl.when(pl.col("position") <= 2).then(pl.lit("alike")).otherwise(pl.col("output"))
    same = pl.when(pl.col("ranking") % 15 == 0).then(alike).otherwise(pl.col("output"))
    return table.with_columns(
        group=pl.when(trusted)
        .then(pl.lit("researcher"))
        .otherwise(pl.lit("crowd"))
        .cast(table.schema["group"]),
        text=same.cast(pl.String).cast(table.schema["text"]),
    )


@pytest.fixture(scope="session")
def meteor_jar() -> Path:
    """METEOR's jar, its paraphrases in `data/` beside it: a package for captions carries both."""
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        pytest.skip("no METEOR; it comes with pip install pycocoevalcap")
    return Path(next(iter(package.submodule_search_locations))) / "meteor" / "meteor-1.5.jar"


# Of BEER, of our own making, for where the published one is not.
_BEER = "setting\tvariant\t2014\nsetting\tcut\tyes\nall.f\t6\t0\t1\nchar3.r\t3\t0\t1\n"


@pytest.fixture(scope="session")
def ready(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> "Callable[[str], Metric]":
    """`ready(name)`: the metric with its usual parameters, and files where it needs some."""
    from adjudge.metrics.metric import METRICS, metric_named

    model = tmp_path_factory.mktemp("beer") / "model.tsv"
    model.write_text(_BEER)

    def ready(name: str) -> "Metric":
        if name == "meteor":
            return metric_named(f"meteor(resources={request.getfixturevalue('meteor_jar')})")
        return metric_named(f"beer(model={model})") if name == "beer" else METRICS[name]

    return ready
