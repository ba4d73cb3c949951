"""A decoder for the page on tuning: of the candidates of a sentence the two best by its weights."""

import json
import sys
from itertools import groupby
from pathlib import Path

given = (line.split("=") for line in Path(sys.argv[1]).read_text().splitlines())
weights = {name: float(weight) for name, weight in given}
rows = map(json.loads, Path("candidates.jsonl").read_text("utf-8").splitlines())


def score(row):
    return sum(weights[name] * value for name, value in row["features"].items())


for _, candidates in groupby(rows, key=lambda row: row["segment"]):
    for row in sorted(candidates, key=score, reverse=True)[:2]:
        print(json.dumps(row))
