#!/usr/bin/env python3
"""docs/ten-years-of-wmt.md and its figure: what the judgements of five campaigns say.

    tools/ten_years.py [FOLDER]

FOLDER is the real data (docs/test-data.md): without it the one that ADJUDGE_SHARED_DATA names,
else ../shared/data. Takes ten seconds. A test makes some of the rows again.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl

from adjudge.agreement.pairwise import agreement
from adjudge.data.comparisons import Comparisons, by_pair, compare
from adjudge.data.table_files import read
from adjudge.data.win_counts import count
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.method import METHODS
from adjudge.ranking.participants import without_reference
from adjudge.ranking.ranking_result import Ranking, rank
from adjudge.ranking.tournament import tournament
from adjudge.report.drawing.rendering import image
from adjudge.simulation.planning import LARGEST, Goal, plan
from adjudge.stats.resampling import Resampling
from ten_years_figure import FIGURE, alt

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "ten-years-of-wmt.md"
PICTURE = PROJECT / "docs" / "images" / "ten-years-of-wmt.svg"
METHOD = METHODS.named("expected-wins")
NO_BREAK, JOINED = "\u00a0", "\u2060"

CODES = {
    "Czech": "cs",
    "English": "en",
    "French": "fr",
    "German": "de",
    "Spanish": "es",
    "Urdu": "ur",
    "Haitian Creole (Raw)": "ht raw",
    "Haitian Creole (Clean)": "ht clean",
    "ces": "cs",
    "deu": "de",
    "en": "en",
    "eng": "en",
    "fin": "fi",
    "fr": "fr",
    "fre": "fr",
    "rus": "ru",
}


@dataclass(frozen=True)
class Campaign:
    """One table of the page."""

    name: str
    files: tuple[str, ...]
    order: str  # what was published
    domain: str = ""  # of several in a file
    protocol: str | None = None


CAMPAIGNS = (
    *(
        Campaign(f"WMT07, {domain}", ("wmt07-11/wmt07.csv.gz",), "order", domain, "ranking")
        for domain in ("Europarl", "News Commentary")
    ),
    Campaign("WMT10", ("wmt07-11/wmt10.RNK.csv.gz",), "order"),
    Campaign("WMT11, single systems", ("wmt07-11/wmt11.indivsystems.csv.gz",), "order"),
    Campaign("WMT11, system combinations", ("wmt07-11/wmt11.combosystems.csv.gz",), "order"),
    Campaign(
        "WMT11, other tasks",
        tuple(
            f"wmt07-11/wmt11.{name}.csv.gz"
            for name in ("tunablemetrics", "HC-indivsystems", "HC-combosystems")
        ),
        "order",
    ),
    Campaign("WMT13", ("wmt13/fr-en.csv.gz",), "method of the day"),
    Campaign("WMT15", ("wmt15/wmt15.xml.gz",), "official"),
)


@dataclass(frozen=True)
class Task:
    """One row: a language pair of a campaign."""

    campaign: str
    name: str
    order: str
    systems: int
    rankings: int
    published: int  # places or clusters
    holds: int  # clusters for other judges and documents
    first: int  # systems in the first of them
    holds_for: str
    in_cycles: int  # systems
    pairs: int
    told_apart: int
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None
    more: int | None  # rankings, to separate half of the neighbours; None: beyond all reason

    @property
    def cells(self) -> tuple[str, ...]:
        """As the table of the page shows it."""
        kappa = "–"
        if self.kappa is not None:
            kappa = f"{self.kappa:.2f}"
        if self.kappa_low is not None:
            kappa += f" ({self.kappa_low:.2f}–{self.kappa_high:.2f})"
        more = f"over {LARGEST:.0f} times as many" if self.more is None else _rounded(self.more)
        return (
            self.name,
            f"{self.systems}",
            f"{self.rankings:,}",
            f"{self.published}",
            f"**{self.holds}**",
            f"{self.first}",
            f"{self.in_cycles}" if self.in_cycles else "–",
            f"{self.told_apart}/{self.pairs}",
            kappa,
            more,
        )

    @property
    def line(self) -> str:
        """The row in Markdown."""
        return f"| {' | '.join(map(_unbroken, self.cells))} |"


def _unbroken(text: str) -> str:
    """A cell that stays on one line."""
    return text.replace(" ", NO_BREAK).replace("–", f"{JOINED}–{JOINED}").replace("-", "−")


def _rounded(number: int) -> str:
    """Two digits are more than a forecast knows."""
    step = 10 ** max(len(str(number)) - 2, 0)
    return f"{round(number / step) * step:,}"


def tasks(campaign: Campaign, folder: Path) -> Iterator[Task]:
    """The rows of one table, the most systems first."""
    rows = []
    for file in campaign.files:
        table = read(str(folder / file))
        if campaign.protocol:
            table = table.filter(pl.col("protocol") == campaign.protocol)
        kind = re.search(r"HC-(indiv|combo)", file)
        suffix = {"indiv": ", single", "combo": ", comb."}[kind[1]] if kind else ""
        for pair, part in by_pair(table):
            if not pair.endswith(campaign.domain):
                continue
            rows.append(_task(campaign, short(pair) + suffix, pair, part, folder))
    yield from sorted(rows, key=lambda row: (-row.systems, row.name))


def short(pair: str) -> str:
    """en–cs for English-Czech, whatever the domain."""
    languages = re.sub(r" (Europarl|News Commentary)$", "", pair)
    source, _, target = languages.rpartition("-")
    return f"{CODES[source]}–{CODES[target]}"


def _task(campaign: Campaign, name: str, pair: str, part: pl.DataFrame, folder: Path) -> Task:
    everything = compare(part)
    comparisons = without_reference(everything)
    ranking = rank(everything, METHOD, Resampling("auto"))
    tests = head_to_head(comparisons)
    cycles = tournament(count(comparisons)).cycles()
    between = [
        agreed for agreed in agreement(part) if agreed.kind == "inter" and not agreed.with_reference
    ]
    (agreed,) = between
    needed = sorted(
        (
            separation.more_rankings
            for separation in plan(everything, Goal(simulations=20)).separations
        ),
        key=lambda number: inf if number is None else number,
    )
    return Task(
        campaign=campaign.name,
        name=name,
        order=campaign.order,
        systems=len(ranking.systems),
        rankings=part["ranking"].n_unique(),
        published=_published(campaign, pair, everything, ranking, folder),
        holds=int(ranking.cluster.max()),
        first=int((ranking.cluster == 1).sum()),
        holds_for=ranking.holds_for,
        in_cycles=sum(len(cycle.systems) for cycle in cycles),
        pairs=len(tests.p),
        told_apart=int((tests.p_adjusted <= 0.05).sum()),
        kappa=agreed.tally.kappa,
        kappa_low=agreed.low,
        kappa_high=agreed.high,
        more=needed[(len(needed) - 1) // 2],
    )


def _published(
    campaign: Campaign, pair: str, comparisons: Comparisons, ranking: Ranking, folder: Path
) -> int:
    """Places of the published order; clusters where there were any."""
    if campaign.order == "official":
        official = (folder / "wmt15" / "official-ranking" / f"{pair}.txt").read_text("utf-8")
        return 1 + sum(line.startswith("+") for line in official.splitlines())
    if campaign.order == "method of the day":  # WMT13 §3.3 and §3.4
        drawn = Resampling("comparison", 1000, 1)
        return int(rank(comparisons, METHOD, drawn, ranges="wmt13").cluster.max())
    return len(ranking.systems)


HEAD = (
    "task",
    "systems",
    "rankings",
    "published",
    "hold",
    "first",
    "in cycles",
    "pairs apart",
    "κ between judges",
    "more needed",
)

INTRO = """\
# Ten years of WMT, looked at again

From 2007 to 2015 the Workshop on Machine Translation ranked systems by asking people which of a few
translations is better. Its papers give an order, later groups of systems. How far these would stand
with other judges and other texts they do not say. The raw judgements of five campaigns are public,
so they can be asked: **{tasks} tasks, {systems} entries, {rankings:,} rankings.**

- **{published} places or clusters were published. {holds} groups hold for other judges and
  documents**, {average:.1f} a task. In {one} tasks there is one group only: nowhere can a line be
  drawn with every system above it better than every system below.
- **In {clear} of {tasks} tasks the first group is a single system**, a winner who would win again,
  at 95 %.
- **In {cyclic} tasks majorities go in circles**: A beats B, B beats C, and C beats A. {circular} of
  the {systems} entries stand in a circle.
- **{told:,} of {pairs:,} pairs of systems differ** ({share:.0f} %), false discoveries controlled at
  5 %. Two systems can differ where no line can be drawn through all of them, so pairs say more than
  groups.
- **Judges agree little, in every year**: κ between judges is {kappa:.2f} in the median task, from
  {lowest:.2f} to {highest:.2f}; by campaign {by_campaign}.
- **The median task would need {times} times its judgements** to separate half of the neighbours
  in its ranking.

![{alt}](images/ten-years-of-wmt.svg)

## How to read it

A line is a task, as long as it has systems. The orange dot is what was published: for WMT07, WMT10
and WMT11 an order, so one place a system; for WMT13 the clusters of its method (expected wins, a
thousand samples of the comparisons), made again; for WMT15 the official clusters. The blue dot is
how many groups hold. Where the two are in one place, blue covers orange.

The columns of the tables:

- **published**, **hold**: the two dots. A group holds if all its systems are better than all below,
  at 95 %, for other judges and documents than these (segments, where documents are not named). That
  is `adjudge rank` without any option: the variance comes from judges and documents, and the rank
  ranges of all systems hold at once ([how](statistics.md)).
- **first**: how many systems are in the first of these groups.
- **in cycles**: systems that cannot be put in order without contradicting a majority (Lopez 2012).
- **pairs apart**, of all: tested for other judges and documents, false discoveries controlled at
  5 % within the task. That is `adjudge compare`.
- **κ between judges**: that is `adjudge agreement`. The same two outputs in any order, different
  judges only, chance from the ties, the reference left out; 95 % intervals for
  other judges and segments, where four judges or more did about as much.
- **more needed**: how many further rankings separate half of the neighbours with a chance of 80 %,
  to two digits. That is `adjudge plan`.

The human reference is left out everywhere.

"""

OUTRO = """
## Make it again

<!-- not run: it needs the real data, and minutes -->
```sh
tools/ten_years.py
```

writes this page and its figure from [the real data](test-data.md); no number here is typed. It
takes ten seconds. Of WMT13 only the rankings of French–English are public. WMT10 are the rankings
by experts, WMT07 those of sentences. For one task the commands are

<!-- not run: it needs the real data -->
```sh
adjudge rank wmt10.RNK.csv.gz --pair English-Czech
adjudge compare wmt10.RNK.csv.gz --pair English-Czech --without-reference
adjudge agreement wmt10.RNK.csv.gz --pair English-Czech
adjudge plan wmt10.RNK.csv.gz --pair English-Czech
```

Whether the papers' own figures come out of these files is [on another page](reproductions.md).
"""


def page_of(rows: Sequence[Task]) -> str:
    """The whole page."""
    parts = [INTRO.format(**_numbers(rows))]
    for campaign in dict.fromkeys(row.campaign for row in rows):
        own = [row for row in rows if row.campaign == campaign]
        parts.append(f"## {campaign}\n\n")
        parts.append(f"| {' | '.join(HEAD)} |\n|---{'|--:' * (len(HEAD) - 1)}|\n")
        parts += [f"{row.line}\n" for row in own]
        others = dict.fromkeys(row.holds_for.partition(" like these")[0] for row in own)
        parts.append(f"\nWhat holds does so {' or '.join(others)}.\n\n")
    page = "".join(parts).rstrip("\n") + "\n" + OUTRO
    return re.sub(r"(?<=\d) (?=%)", NO_BREAK, page)


def _numbers(rows: Sequence[Task]) -> dict[str, Any]:
    """What the sentences of the page say."""
    kappas = [row.kappa for row in rows if row.kappa is not None]
    told, pairs = sum(row.told_apart for row in rows), sum(row.pairs for row in rows)
    more = [inf if row.more is None else row.more for row in rows]
    times = median((row.rankings + n) / row.rankings for row, n in zip(rows, more, strict=True))
    return {
        "tasks": len(rows),
        "systems": sum(row.systems for row in rows),
        "rankings": sum(row.rankings for row in rows),
        "published": sum(row.published for row in rows),
        "holds": sum(row.holds for row in rows),
        "average": sum(row.holds for row in rows) / len(rows),
        "one": sum(row.holds == 1 for row in rows),
        "clear": sum(row.first == 1 for row in rows),
        "cyclic": sum(row.in_cycles > 0 for row in rows),
        "circular": sum(row.in_cycles for row in rows),
        "told": told,
        "pairs": pairs,
        "share": 100 * told / pairs,
        "kappa": median(kappas),
        "lowest": min(kappas),
        "highest": max(kappas),
        "times": f"{times:.0f}" if isfinite(times) else f"over {LARGEST:.0f}",
        "by_campaign": ", ".join(_by_year(rows)),
        "alt": alt(rows),
    }


def _by_year(rows: Sequence[Task]) -> Iterator[str]:
    """The median κ of every campaign."""
    for year in dict.fromkeys(row.campaign.partition(",")[0] for row in rows):
        own = [row.kappa for row in rows if row.campaign.startswith(year) and row.kappa is not None]
        yield f"{median(own):.2f} in {year}"


def main() -> int:
    beside = PROJECT.parent / "shared" / "data"
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ADJUDGE_SHARED_DATA", beside)
    rows = []
    for campaign in CAMPAIGNS:
        for row in tasks(campaign, Path(named)):
            print(campaign.name, row.line, flush=True)
            rows.append(row)
    PICTURE.write_bytes(image(FIGURE, rows, ".svg"))  # type: ignore[arg-type]
    PAGE.write_text(page_of(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
