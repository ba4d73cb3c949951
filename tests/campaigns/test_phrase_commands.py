"""Campaigns of phrases by commands, from the six-column file to the analysis."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from adjudge.data.table_files import read

LINES = [
    "1\tthe old mill\tdie alte Mühle\tthe old\tdie alte\t0 1",
    "1\tthe old mill\tdie alte Mühle\tthe old\tdie älteste\t0 1",
    "2\ttwo dogs\tzwei Hunde\ttwo dogs\tzwei Hunde\t0 1",
    "2\ttwo dogs\tzwei Hunde\ttwo dogs\t2 Hunde\t0 1",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "six.tsv").write_text("\n".join(LINES) + "\n")
    (tmp_path / "alpha.txt").write_text("die alte Mühle\nzwei Hunde\n")
    (tmp_path / "beta.txt").write_text("die älteste Mühle\n2 Hunde\n")
    return tmp_path


@pytest.fixture
def run(adjudge_process):
    """Runs a command in a folder, in a process of its own."""

    def run(folder: Path, *words: str):
        return adjudge_process(*words, folder=folder)

    return run


CREATE = ("campaign", "create", "phrases", "--segments", "six.tsv", "--pair", "en-de")
OUTPUTS = ("--system", "alpha=alpha.txt", "--system", "beta=beta.txt")


def test_from_the_file_to_a_ranking_by_commands(
    folder: Path,
    switch: Callable[[str], None],
    answer: Callable[..., None],
    run,
) -> None:
    from adjudge.campaigns.models import Campaign
    from adjudge.campaigns.people.invitation import invite
    from adjudge.campaigns.work.assignment import next_item
    from adjudge.campaigns.work.screen import screen_of

    created = run(folder, *CREATE, *OUTPUTS, "--set", "run=1", "--set", "repeats=0")
    assert created.code == 0, created.err
    said = "2 systems, 2 segments in 1 document, 2 phrases of them to judge"
    assert said in created.out
    assert "Now invite judges: " in created.out
    switch(str(folder / "adjudge.sqlite3"))
    campaign = Campaign.objects.get()
    assert campaign.protocols == ("segments",)
    for name in ("Ann", "Bob"):
        judge = invite(campaign, name).judge
        for _ in range(2):
            item = next_item(judge)
            texts = screen_of(item).texts
            answer(judge, item, [[3 if text.startswith("2") else 1 for text in texts]])
    for path, rankings in (("out.json", 4), ("annotations.tsv", 4), ("out.parquet", 4)):
        done = run(folder, "campaign", "export", "phrases", "-o", path)
        assert done.code == 0, done.err
        assert f"{rankings} rankings" in done.err
    agreement = run(folder, "agreement", "out.parquet", "--format", "json")
    assert json.loads(agreement.out)[0]["agree"] == 2
    for path in ("annotations.tsv", "out.parquet"):
        ranked = run(folder, "rank", path, "--method", "win-ratio", "--format", "json")
        assert ranked.code == 0, ranked.err
        rows = json.loads(ranked.out)
        assert [(row["system"], row["score"]) for row in rows] == [("alpha", 1.0), ("beta", 0.0)]


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (("--protocol", "ranking"), "give at least two"),
        (("--source", "alpha.txt"), "or --segments"),
        (("--reference", "alpha.txt"), "leave --reference out"),
        (("--system", "ref=alpha.txt"), "would be taken for the reference"),
    ],
)
def test_what_does_not_fit_is_refused(
    folder: Path, told: tuple[str, ...], message: str, run
) -> None:
    done = run(folder, *CREATE, *told)
    assert (done.code, message in done.err) == (2, True), done.err
    assert run(folder, "campaign", "status", "phrases").code == 2


def test_a_protocol_of_phrases_needs_some(folder: Path, run) -> None:
    words = ("campaign", "create", "x", "--source", "alpha.txt", *OUTPUTS)
    done = run(folder, *words, "--protocol", "constituent")
    assert done.code == 2
    assert "give one with --reference, or phrases that have one with --segments" in done.err


def test_a_bad_file_is_refused_at_its_line_and_nothing_stored(folder: Path, run) -> None:
    (folder / "six.tsv").write_text("\n".join([*LINES, LINES[0].replace("0 1", "0 7")]) + "\n")
    done = run(folder, *CREATE)
    assert done.code == 2
    assert "six.tsv: line 5: the source segment 'the old' is not what its indices" in done.err
    assert not (folder / "adjudge.sqlite3").exists()


def test_the_whole_real_file_becomes_a_campaign(
    shared_data: Path,
    tmp_path: Path,
    switch: Callable[[str], None],
    next_of: Callable[..., tuple[Any, Any, Any]],
    answer: Callable[..., None],
    run,
) -> None:
    from adjudge.campaigns.models import Campaign, Output
    from adjudge.campaigns.models import Part as StoredPart

    tables = {
        name: pl.read_csv(
            shared_data / "segranks" / f"{name}.tsv.gz",
            separator="\t",
            quote_char=None,
            infer_schema=False,
        )
        for name in ("segments", "sentences")
    }
    six = tables["segments"].join(tables["sentences"], on="sentence", maintain_order="left")
    columns = ("sentence", "source", "reference", "source_segment", "candidate_segment")
    six.select(*columns, "source_word_indices").write_csv(
        tmp_path / "six.tsv", separator="\t", include_header=False, quote_style="never"
    )
    created = run(tmp_path, *CREATE)
    assert created.code == 0, created.err
    assert "0 systems, 2,990 segments in 1 document, 8,482 phrases" in created.out
    switch(str(tmp_path / "adjudge.sqlite3"))
    assert (StoredPart.objects.count(), Output.objects.count()) == (8482, 50011)
    judge, item, screen = next_of(Campaign.objects.get())
    size = len(screen.candidates)
    answer(
        judge,
        item,
        [[1] * sum(one.part == at for one in screen.candidates) for at in range(len(screen.parts))],
    )
    exported = run(tmp_path, "campaign", "export", "phrases", "-o", "all.jsonl")
    assert exported.code == 0, exported.err
    assert len(read(str(tmp_path / "all.jsonl"))) == size
