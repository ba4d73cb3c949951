#!/usr/bin/env python3
"""Makes docs/examples: the files that commands on the pages read.

Judges, systems and judgements are simulated; the texts are those of the demonstration, which were
written for this project. The same program makes the same files.
"""

import gzip
import io
import runpy
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stdout
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import polars as pl

from adjudge.data.outputs import join_systems

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
SYSTEMS = {"A": "large-nmt", "B": "fluent-nmt", "C": "baseline-smt"}
SENTENCES = 3  # with phrases to judge
TEXTS = ("source", "reference", "text")
BEGAN = datetime(2026, 3, 2, 9, 0)


def texts() -> None:
    """Source, reference, three systems, documents, practice items, phrases."""
    data = ROOT / "src" / "adjudge" / "web" / "demo" / "data"
    for name in ("source.txt", "reference.txt", "documents.tsv"):
        (EXAMPLES / name).write_bytes((data / name).read_bytes())
    (EXAMPLES / "practice.json").write_bytes((data / "tutorial.json").read_bytes())
    outputs = {}
    for name, system in SYSTEMS.items():
        text = (data / "systems" / f"{system}.txt").read_text(encoding="utf-8")
        (EXAMPLES / f"{name}.txt").write_text(text, encoding="utf-8")
        outputs[name] = text.splitlines()
    sources = (data / "source.txt").read_text(encoding="utf-8").splitlines()
    references = (data / "reference.txt").read_text(encoding="utf-8").splitlines()
    rows = []
    for line in range(SENTENCES):
        words = sources[line].split()
        candidates = dict.fromkeys(" ".join(text[line].split()[:3]) for text in outputs.values())
        for candidate in candidates:
            phrase = (str(line + 1), sources[line], references[line], " ".join(words[:3]))
            rows.append("\t".join((*phrase, candidate, "0 1 2")))
    (EXAMPLES / "phrases.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")


PARSED = {
    "source.txt": "The old captain has mended the red boat .\nA storm closed the harbour .\n",
    "reference.txt": "Der alte Kapitän hat das rote Boot repariert .\n"
    "Ein Sturm sperrte den Hafen .\n",
    "trees.txt": "(S (NP (DT The) (JJ old) (NN captain)) (VP (VBZ has) (VP (VBN mended) "
    "(NP (DT the) (JJ red) (NN boat)))) (. .))\n"
    "(S (NP (DT A) (NN storm)) (VP (VBD closed) (NP (DT the) (NN harbour))) (. .))\n",
    "A.txt": "Der alte Kapitän hat das rote Boot repariert .\nEin Sturm schloss den Hafen .\n",
    "A.links": "0-0 1-1 2-2 3-3 4-7 5-4 6-5 7-6 8-8\n0-0 1-1 2-2 3-3 4-4 5-5\n",
    "B.txt": "Der alte Kapitän flickte rotes Boot .\nEin Sturm hat den Hafen geschlossen .\n",
    "B.links": "0-0 1-1 2-2 4-3 6-4 7-5 8-6\n0-0 1-1 2-2 2-5 3-3 4-4 5-6\n",
}


def parsed() -> None:
    """Two parsed sentences, two systems, alignments."""
    (EXAMPLES / "parsed").mkdir(exist_ok=True)
    for name, text in PARSED.items():
        (EXAMPLES / "parsed" / name).write_text(text, encoding="utf-8")


def segments() -> None:
    """A database of ranked segments: five words of each sentence, ranked by likeness to the
    reference with some noise."""
    import adjudge

    data = ROOT / "src" / "adjudge" / "web" / "demo" / "data"
    lines = {
        path.stem: path.read_text(encoding="utf-8").splitlines()
        for path in (*sorted((data / "systems").glob("*.txt")), data / "reference.txt")
    }
    sources = (data / "source.txt").read_text(encoding="utf-8").splitlines()
    references = lines.pop("reference")
    random = Random(1)
    rows = []
    for number, (source, reference) in enumerate(zip(sources, references, strict=True), 1):
        length = min(5, len(source.split()))
        wanted = Counter(_beginning(reference, source, length).split())
        texts = {name: _beginning(text[number - 1], source, length) for name, text in lines.items()}
        likeness = {
            text: (wanted & Counter(text.split())).total() + random.gauss(0, 0.7)
            for text in sorted(set(texts.values()))
        }
        order = sorted(likeness.values(), reverse=True)
        for text, worth in likeness.items():
            rows.append(
                {
                    "pair": "en-de",
                    "protocol": "segments",
                    "segment": f"{number}:{','.join(map(str, range(length)))}",
                    "ranking": number,
                    "judge": f"judge_{number % 3 + 1}",
                    "output": join_systems(name for name in texts if texts[name] == text),
                    "rank": 1 + order.index(worth),
                    "source": source,
                    "reference": reference,
                    "text": text,
                }
            )
    adjudge.from_rankings(pl.DataFrame(rows)).write(str(EXAMPLES / "segments.jsonl"))


def _beginning(text: str, source: str, words: int) -> str:
    """As much of a translation's beginning as `words` are of the source's."""
    own = text.split()
    return " ".join(own[: max(1, round(len(own) * words / len(source.split())))])


def candidates() -> None:
    """The outputs of all systems as candidates of every sentence, with features."""
    data = ROOT / "src" / "adjudge" / "web" / "demo" / "data"
    script = runpy.run_path(str(ROOT / "examples" / "system-combination" / "candidates.py"))
    paths = [data / "source.txt", *sorted((data / "systems").glob("*.txt"))]
    with open(EXAMPLES / "candidates.jsonl", "w", encoding="utf-8") as file, redirect_stdout(file):
        script["main"]([str(path) for path in paths])


def rankings() -> None:
    """Two language pairs as Appraise XML, one as WMT's CSV with two groups of judges."""
    import adjudge

    pairs = []
    for number, pair in enumerate(("ces-eng", "fre-eng"), 1):
        campaign = adjudge.simulate(
            systems=5, judges=8, rankings=240, documents=20, repeats=0.2, pool=0.2, seed=number
        )
        table = campaign.table.with_columns(pl.lit(pair).cast(pl.Categorical).alias("pair"))
        pairs.append(table.with_columns(pl.col("ranking") + number * 10_000))
    both = adjudge.Judgements(pl.concat(pairs))
    _compressed("judgements.xml.gz", both)
    group = pl.when(pl.col("judge").cast(pl.String).str.contains("00[12345]$"))
    named = pl.concat_str(
        group.then(pl.lit("researcher_")).otherwise(pl.lit("turker_")), pl.col("judge")
    )
    campaign = adjudge.simulate(
        systems=4, judges=12, rankings=360, documents=4, pool=0.6, identical=0, seed=3
    )
    grouped = campaign.table.with_columns(
        pl.lit("fre-eng").cast(pl.Categorical).alias("pair"),
        named.cast(pl.Categorical).alias("judge"),
        pl.lit(None, dtype=campaign.table.schema["group"]).alias("group"),
    )
    adjudge.Judgements(grouped).write(str(EXAMPLES / "judgements.csv"))


def _compressed(name: str, judgements: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name.removesuffix(".gz")
        judgements.write(str(path))
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
            stream.write(path.read_bytes())
    (EXAMPLES / name).write_bytes(packed.getvalue())


def labels() -> None:
    """Two judges on whether a translation is acceptable."""
    said = [
        "GOOD",
        "GOOD",
        "ALMOST",
        "BAD",
        "GOOD",
        "ALMOST",
        "GOOD",
        "BAD",
        "BAD",
        "GOOD",
        "ALMOST",
        "GOOD",
    ]
    other = [
        "GOOD",
        "ALMOST",
        "ALMOST",
        "BAD",
        "GOOD",
        "GOOD",
        "GOOD",
        "BAD",
        "ALMOST",
        "GOOD",
        "BAD",
        "GOOD",
    ]
    lines = ["item,judge,label"]
    for item, (first, second) in enumerate(zip(said, other, strict=True), 1):
        lines += [f"{item},ann,{first}", f"{item},bob,{second}"]
    (EXAMPLES / "labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def campaigns() -> None:
    """What campaigns under other protocols give: pairs, scores, marked errors, edits."""
    from adjudge.campaigns.store.opening import open_store

    with tempfile.TemporaryDirectory() as folder:
        open_store(str(Path(folder) / "examples.sqlite3"), create=True)
        _campaigns()


def _campaigns() -> None:
    import adjudge
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.people.simulated import simulate_judges
    from adjudge.campaigns.results.tables import edits_of, judgements_of, scores_of
    from adjudge.campaigns.setup.creation import create_campaign
    from adjudge.web.demo.corpus import corpus, quality

    asked = {
        "pairwise": (["pairwise"], judgements_of, adjudge.Judgements, 120),
        "scores": (["adequacy-fluency:6", "direct-assessment:6"], scores_of, adjudge.Scores, 120),
        "errors": (["error-spans"], scores_of, adjudge.Scores, 120),
        "edits": (["blind-edit:6", "review:6"], edits_of, adjudge.Edits, 240),
    }
    for name, (protocols, table_of, kind, answers) in asked.items():
        campaign = create_campaign(name, corpus(), design_named("recommended"), protocols=protocols)
        simulate_judges(campaign, quality, answers=answers, judges=6)
        table = table_of(campaign).with_columns(pl.lit("en-de").cast(pl.Categorical).alias("pair"))
        if name in ("pairwise", "scores"):  # smaller: nothing there looks at the texts
            table = table.with_columns(pl.lit(None).alias(column) for column in TEXTS)
        data = kind(_timed(table))
        data.write(str(EXAMPLES / f"{name}.jsonl"))
        if name == "errors":
            for folder in ("documents", "human-scores"):
                (EXAMPLES / folder).mkdir(exist_ok=True)
            lines = "".join(f"demo\t{document}\n" for document in corpus().documents)
            (EXAMPLES / "documents" / "en-de.docs").write_text(lines, encoding="utf-8")
            data.write(str(EXAMPLES / "human-scores" / "en-de.mqm.seg.score"))


def _timed(table: pl.DataFrame) -> pl.DataFrame:
    """The same times whenever it is made: a minute an item from a fixed morning on."""
    zone = table.schema["time"]
    number = pl.col("ranking" if "ranking" in table.columns else "item")
    time = pl.lit(BEGAN) + pl.duration(minutes=number.rank("dense"))
    return table.with_columns(time.dt.replace_time_zone("UTC").cast(zone).alias("time"))


def main() -> int:
    """Make all files anew."""
    EXAMPLES.mkdir(exist_ok=True)
    texts()
    labels()
    parsed()
    segments()
    candidates()
    rankings()
    campaigns()
    return 0


if __name__ == "__main__":
    sys.exit(main())
