"""The mixed model of `adjudge scores` beside R's lme4, on WMT24's error span annotation.

    python -m benchmarks mixed_model

Needs `wmt17-26/wmt24-esa` of the real data (`ADJUDGE_SHARED_DATA`) and R with lme4 (Debian:
r-cran-lme4), which is used here only. The two fit the same model to the same cells: the scores of a
system on a document by one person, averaged, weighted by their number. Accounts are mapped to
people; what counts as a judgement is as in the official analysis.
"""

import csv
import gzip
import json
import os
import subprocess
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl

from adjudge.scoring.adjusted_scores import CellSums
from adjudge.stats.mixed_model import ScoreCells, fit_mixed_model
from adjudge.stats.simultaneous import told_apart

SHARED = Path(os.environ.get("ADJUDGE_SHARED_DATA", "../shared/data"))
DATA = SHARED / "wmt17-26" / "wmt24-esa"
PAIRS = {"en-cs": "ces", "en-ja": "jpn", "en-hi": "hin", "en-zh": "zho"}
NAMES = (
    "user", "system", "segment", "type", "source", "target", "score", "document", "is_document",
    "spans", "start", "end",
)  # fmt: skip
LME4 = """
suppressMessages(library(lme4))
d <- read.csv(commandArgs(TRUE)[1])
for (name in c("item", "judge", "text")) d[[name]] <- factor(d[[name]])
m <- lmer(mean ~ 0 + item + (1|judge) + (1|judge:item) + (1|text) + (1|text:item), d,
          weights = number,
          control = lmerControl(check.nobs.vs.nlev = "ignore", check.nobs.vs.nRE = "ignore"))
v <- as.data.frame(VarCorr(m))
s <- setNames(v$sdcor, v$grp)
cat(s[c("judge", "judge:item", "text", "text:item", "Residual")], fixef(m))
"""


def judgements(target: str) -> pl.DataFrame:
    """The scores of one language pair that the official analysis counts, with the person."""
    with gzip.open(DATA / "wave2.csv.gz", "rt") as file:
        table = pl.DataFrame(list(csv.reader(file)), schema=NAMES, orient="row")
    people = json.loads((DATA / "annotator_mapping.json").read_text())
    of = {account: person for person, accounts in people.items() for account in accounts}
    counted = table.filter(
        pl.col("type") == "TGT",
        pl.col("target") == target,
        ~pl.col("system").str.contains("tutorial"),
        ~pl.col("document").str.contains("#incomplete|#dup|canary"),
    )
    key = ["user", "system", "document", "segment"]
    latest = counted.sort(pl.col("end").cast(pl.Float64)).unique(key, keep="last")
    return latest.with_columns(pl.col("score").cast(pl.Float64), person=pl.col("user").replace(of))


def cells(table: pl.DataFrame) -> ScoreCells:
    """Means by person, document and system."""
    codes = [
        table[name].rank("dense").to_numpy().astype(np.int64) - 1
        for name in ("person", "document", "system")
    ]
    *units, system = codes
    numbers = [int(code.max()) + 1 for code in codes]
    sums = CellSums("judge+document", numbers[:2], numbers[2])
    sums.add(system, units, table["score"].to_numpy())
    return sums.cells()


def by_lme4(given: ScoreCells) -> np.ndarray:
    """Standard deviations of the components, then the scores of the systems."""
    columns = {name: getattr(given, name) for name in ("mean", "number", "item", "judge", "text")}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cells.csv")
        pl.DataFrame(columns).write_csv(path)
        script = Path(folder, "fit.R")
        script.write_text(LME4)
        done = subprocess.run(["Rscript", script, path], capture_output=True, text=True, check=True)
    return np.array(done.stdout.split(), float)


def main() -> None:
    """Print a row for every language pair."""
    for pair, target in PAIRS.items():
        given = cells(judgements(target))
        begin = process_time()
        fit = fit_mixed_model(given)
        seconds = process_time() - begin
        degrees = 1 / np.mean(1 / fit.degrees[np.triu_indices(given.items, 1)])
        separated = told_apart(fit.estimate, fit.covariance, float(degrees), 0.95).sum()
        ours = np.sqrt(list(fit.variances.values()))
        theirs = by_lme4(given)
        shown = ", ".join(f"{sd:.1f}" for sd in ours)
        apart = np.abs(np.append(ours, fit.estimate) - theirs).max()
        print(
            f"{pair}: {given.number.sum():,.0f} scores, {given.items} systems, "
            f"{separated} of {given.items * (given.items - 1) // 2} pairs separated, SD {shown}, "
            f"{degrees:.0f} degrees of freedom, {seconds:.2f} s; "
            f"largest difference from lme4 {apart:.1e}"
        )


if __name__ == "__main__":
    main()
