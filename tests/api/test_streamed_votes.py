"""Large files of votes: counted as they are read, and read whole only if need be."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import adjudge
from adjudge.agreement import vote_agreement
from adjudge.agreement.parts import BY
from adjudge.api import votes as door
from adjudge.api.votes import Votes
from adjudge.core.errors import AdjudgeError, InputError, NotEnoughData
from adjudge.core.files import memory
from adjudge.core.files.subprocess_call import Ended
from adjudge.data.votes import census, files, sample
from adjudge.ranking import method_comparison
from adjudge.stats.resampling import Unit

pytestmark = pytest.mark.slow


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file that is large enough to be streamed."""
    monkeypatch.setattr(door, "LEAST_STREAMED", 1)
    random = np.random.default_rng(2)
    left = random.integers(0, 4, 600)
    frame = pl.DataFrame(
        {
            "model_a": [f"m{i}" for i in left],
            "model_b": [f"m{i}" for i in (left + random.integers(1, 4, 600)) % 4],
            "winner": random.choice(["model_a", "model_b", "tie"], 600),
            "judge": [f"j{i}" for i in random.integers(0, 8, 600)],
        }
    )
    frame.write_parquet(tmp_path / "votes.parquet")
    return str(tmp_path / "votes.parquet")


@pytest.fixture
def whole(path: str, monkeypatch: pytest.MonkeyPatch) -> adjudge.Judgements:
    with monkeypatch.context() as small:
        small.setattr(door, "LEAST_STREAMED", 1 << 30)
        return adjudge.read(path)


def test_answers_are_those_of_the_votes_read_whole(
    path: str, whole: adjudge.Judgements, monkeypatch: pytest.MonkeyPatch
) -> None:
    streamed = adjudge.read(path)
    monkeypatch.setattr(Votes, "_read", lambda _: pytest.fail("the votes were read whole"))
    assert isinstance(streamed, Votes)
    assert not isinstance(whole, Votes)
    for ask in (
        lambda votes: votes.rank(),
        lambda votes: votes.rank("bradley-terry", unit="judge", replicates=50),
        lambda votes: votes.select(without_system="m1").compare(),
        lambda votes: votes.select(judge=["j1", "j2"]).rank(unit="ranking", replicates=50),
    ):
        assert ask(streamed).render() == ask(whole).render()
        assert str(ask(streamed).signature) == str(ask(whole).signature)
    assert len(streamed) == 1200


@pytest.mark.parametrize("unit", ["document", "judge+document", "hit"])
def test_units_that_votes_do_not_name_are_refused_before_they_are_read(
    path: str, whole: adjudge.Judgements, monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    name = unit.rpartition("+")[2]
    words = f'no {name} is known; choose another `unit` than "{name}"'
    with pytest.raises(NotEnoughData, match=f"^arena: {words}"):
        whole.rank(unit=unit)
    read = "adjudge.data.votes.files.counted_apart"
    monkeypatch.setattr(read, lambda *_: pytest.fail("the votes were counted"))
    with pytest.raises(NotEnoughData, match=rf"votes\.parquet: {words}"):
        adjudge.read(path).rank(unit=unit)


def test_other_questions_read_the_votes(path: str, whole: adjudge.Judgements) -> None:
    streamed = adjudge.read(path)
    assert streamed.systems == whole.systems
    assert streamed.info().render() == whole.info().render()
    assert streamed.rank().plot().name == "scores"
    assert streamed.methods(runs=2).render() == whole.methods(runs=2).render()
    assert streamed.select(judge="j1").select(without_system="m0").systems == ("m1", "m2", "m3")


def test_votes_that_memory_cannot_hold(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 100_000)
    streamed = adjudge.read(path)
    assert len(streamed.rank().systems) == 4
    with pytest.raises(
        AdjudgeError, match=r"600 votes at once need about 0\.0 GB of memory, and 0\.0 are free"
    ):
        streamed.agreement("judge")
    compared = streamed.methods(runs=2)
    assert any("judge-aware is left out: needs the votes" in note for note in compared.notes)


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of votes on questions, too large to be held."""
    monkeypatch.setattr(door, "LEAST_STREAMED", 1)
    monkeypatch.setattr(door, "MOST_HELD", 1000)
    monkeypatch.setattr(sample, "MOST_SAMPLED", 1000)
    monkeypatch.setattr(sample, "FEW_SEGMENTS", 50)
    random = np.random.default_rng(2)
    number = 3000
    left = random.integers(0, 4, number)
    right = (left + random.integers(1, 4, number)) % 4
    first = random.normal(0.4 * (right - left)) > 0
    frame = pl.DataFrame(
        {
            "question_id": [f"q{i}" for i in random.integers(0, 200, number)],
            "model_a": [f"m{i}" for i in left],
            "model_b": [f"m{i}" for i in right],
            "winner": np.where(first, "model_a", "model_b"),
            "judge": [f"j{i}" for i in random.integers(0, 8, number)],
        }
    )
    frame.write_parquet(tmp_path / "large.parquet")
    return str(tmp_path / "large.parquet")


def test_a_ranking_goes_through_the_votes_once(large: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Votes, "_read", lambda _: pytest.fail("the votes were read whole"))
    for again in ("census.census_of", "batches.read_batches"):
        name = f"adjudge.data.votes.{again}"
        monkeypatch.setattr(name, lambda *_: pytest.fail("the votes were read again"))
    votes = adjudge.read(large)
    assert votes.rank().render()
    assert votes.compare().render()


def test_very_many_votes_are_never_held(large: str, monkeypatch: pytest.MonkeyPatch) -> None:
    streamed = adjudge.read(large)
    whole = adjudge.Judgements(streamed.table, streamed.source)
    streamed = adjudge.read(large)
    monkeypatch.setattr(Votes, "_read", lambda _: pytest.fail("the votes were read whole"))
    assert isinstance(streamed, Votes)
    for ask in (
        lambda votes: votes.rank(),
        lambda votes: votes.compare(),
        lambda votes: votes.info(),
        lambda votes: votes.agreement(),
        lambda votes: votes.agreement(convention="wmt15"),
        *(lambda votes, by=by: votes.agreement(by) for by in BY),
        lambda votes: votes.agreement("order", unit="judge"),
        lambda votes: votes.agreement("judge"),
        lambda votes: votes.plan(simulations=10),
        lambda votes: votes.select(without_system="m1").agreement(),
    ):
        assert ask(streamed).render() == ask(whole).render()
        assert str(ask(streamed).signature) == str(ask(whole).signature)
    assert (streamed.pairs, streamed.systems) == (whole.pairs, whole.systems)
    assert streamed.plot("head-to-head").name == "head-to-head"


@pytest.mark.parametrize(
    ("by", "unit"),
    [
        ("coefficient", "auto"),
        ("judge", "auto"),
        ("judges", "auto"),
        ("controls", "auto"),
        ("pair", "judge"),
        ("pair", "segment"),
    ],
)
def test_agreement_that_sums_do_not_tell_is_from_a_sample_and_says_so(
    large: str, monkeypatch: pytest.MonkeyPatch, by: str, unit: Unit
) -> None:
    monkeypatch.setattr(vote_agreement, "MOST_JUDGES", 7)
    monkeypatch.setattr(files, "apart", lambda _, function, *args, **more: function(*args, **more))
    monkeypatch.setattr(Votes, "_read", lambda _: pytest.fail("the votes were read whole"))
    streamed = adjudge.read(large)
    agreed = streamed.agreement(by, unit=unit, replicates=20)
    said = r"From the votes on one segment in \d \(\d+ of 3,000 votes\)\."
    assert re.search(said, agreed.render())
    assert all(re.search(said, notes) for notes in agreed.to_frame()["notes"])
    assert adjudge.again(str(agreed.signature), large).render() == agreed.render()
    assert isinstance(streamed, Votes)
    some = adjudge.Judgements(streamed._on_segments.tables["arena"])
    of_sample = some.agreement(by, unit=unit, replicates=20).to_frame()
    assert agreed.to_frame().drop("notes", "signature").equals(of_sample.drop("notes", "signature"))


def test_what_counts_do_not_tell_is_from_a_sample_and_says_so(
    large: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    streamed = adjudge.read(large)
    said = r"From the votes on one segment in \d \(\d+ of 3,000 votes\)\."
    assert re.search(said, streamed.diagnose().render())
    compared = streamed.methods(runs=2)
    noted = {note.split(":")[0] for note in compared.notes if re.search(said, note)}
    assert noted == {"judge-aware", "trueskill"}
    assert "judge-aware" in {method.name for method in compared.methods}
    monkeypatch.setattr(method_comparison, "MOST_ENTRIES", 4 * 4 * 4)
    fewer = [note for note in streamed.methods(runs=2).notes if "by one judge in 2." in note]
    assert [note.split(":")[0] for note in fewer] == ["judge-aware"]
    held = adjudge.Judgements(streamed.table).methods(runs=2)
    both = (
        (name, ranks)
        for result in (compared, held)
        for name, ranks in zip([m.name for m in result.methods], result.ranks, strict=True)
        if name == "davidson"
    )
    (_, ranks), (_, expected) = both
    assert ranks.tolist() == expected.tolist()


@pytest.mark.parametrize("method", ["judge-aware", "trueskill"])
def test_a_ranking_that_is_fitted_to_votes_is_from_those_of_some_judges(
    large: str, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(sample, "FEW_JUDGES", 8)
    monkeypatch.setattr(sample, "MOST_SAMPLED", 2000)
    monkeypatch.setattr(Votes, "_read", lambda _: pytest.fail("the votes were read whole"))
    streamed = adjudge.read(large)
    ranking = streamed.rank(method, replicates=20)
    said = r"From the votes by one judge in \d \([\d,]+ of 3,000 votes\)\."
    assert re.search(said, ranking.render())
    assert all(re.search(said, notes) for notes in ranking.to_frame()["notes"])
    assert adjudge.again(str(ranking.signature), large).render() == ranking.render()
    assert isinstance(streamed, Votes)
    some = adjudge.Judgements(streamed._by_judges.tables["arena"])
    assert 1 < len(some.judges) < 8
    assert some.rank(method, replicates=20).scores.tolist() == ranking.scores.tolist()


def test_few_votes_chosen_of_very_many_are_all_taken(large: str) -> None:
    whole = adjudge.Judgements(adjudge.read(large).table).select(judge=["j1", "j2"])
    few = adjudge.read(large).select(judge=["j1", "j2"])
    for method in ("judge-aware", "trueskill"):
        ranking = few.rank(method, replicates=20)
        assert (
            ranking.to_frame()
            .drop("signature")
            .equals(whole.rank(method, replicates=20).to_frame().drop("signature"))
        )
    assert "judge-aware" in {method.name for method in few.methods(runs=2).methods}


def test_a_system_that_is_not_in_the_sample_is_named(large: str) -> None:
    frame = pl.read_parquet(large)
    rare = frame[:1].with_columns(model_a=pl.lit("rare"), question_id=pl.lit("q-rare"))
    pl.concat([frame, rare]).write_parquet(large)
    with pytest.raises(NotEnoughData, match="not in the sample of votes that it is run on: rare"):
        adjudge.read(large).rank("judge-aware", replicates=20)


@pytest.mark.slow
def test_the_report_on_a_sample_says_so(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    streamed = adjudge.read(large)
    monkeypatch.setattr(Votes, "_read", lambda _: pytest.fail("the votes were read whole"))
    monkeypatch.setattr(files, "apart", lambda _, function, *args, **more: function(*args, **more))
    monkeypatch.setattr(census, "MOST_DISTINCT", 100)
    page = tmp_path / "report.html"
    streamed.report(str(page), runs=2, replicates=50)
    text = page.read_text()
    assert text.count("From the votes on one segment in") >= 3  # findings, exposure, methods
    assert re.search(r"<dt>segments</dt>\s*<dd>about \d", text)
    assert "3,000" in text


def test_a_bad_file_is_refused_with_its_line(path: str) -> None:
    frame = pl.read_parquet(path)
    pl.concat([frame, frame[:1].with_columns(winner=pl.lit("nobody"))]).write_parquet(path)
    with pytest.raises(InputError, match="601: unknown winner 'nobody'"):
        adjudge.read(path).rank()


def test_a_file_that_ends_who_reads_it_is_refused(path: str) -> None:
    """Its first page claims far more values than it holds: Polars 2.1 asks for them all."""
    frame = pl.read_parquet(path)[:4]
    frame.write_parquet(path, compression="uncompressed", statistics=False)
    content = Path(path).read_bytes()
    claim = content.index(b",\x15\x08") + 2
    Path(path).write_bytes(content[:claim] + b"\x7f" + content[claim + 1 :])
    votes = adjudge.read(path)
    with pytest.raises(InputError, match=r"votes\.parquet: is damaged or cut short"):
        votes.rank()


def test_who_counts_runs_out_of_memory(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        raise Ended

    monkeypatch.setattr("adjudge.data.votes.files.apart", ended)
    with pytest.raises(AdjudgeError, match="memory ran out while votes were counted; free some"):
        adjudge.read(path).rank()


def test_nothing_left(path: str) -> None:
    with pytest.raises(AdjudgeError, match="no judge 'j9'"):
        adjudge.read(path).select(judge="j9").rank()
    with pytest.raises(NotEnoughData, match="1 system besides"):
        adjudge.read(path).select(system="m1").rank()
