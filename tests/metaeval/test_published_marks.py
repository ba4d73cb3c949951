"""Bold and out-of-sequence marks of Tables 4.2 to 4.7 of Macháček 2014, and how we write them."""

import numpy as np
import polars as pl

import adjudge as door
from adjudge.metaeval.tables.averages import best_places, out_of_sequence


def columns(gold):
    """Every column of the six tables: metrics from top to bottom, and which have all directions."""
    table = gold("thesis/published_tables").sort("table", "row")
    wholes = {}
    for (number,), part in table.group_by("table"):
        lacking = part.filter(pl.col("value").is_in(["n/a"]) | pl.col("value").is_null())["row"]
        wholes[number] = set(part["row"]) - set(lacking)
    wholes[4.7] = wholes[4.5]  # the same metrics, of which only averages are printed
    for key, part in table.group_by("table", "direction", "statistic", maintain_order=True):
        values = [None if v in ("n/a", None) else float(v) for v in part["value"]]
        complete = [row in wholes[key[0]] for row in part["row"]]
        yield key, values, complete, part


def test_what_is_bold(gold) -> None:
    """The best of a direction; of averages the best metric that has all directions."""
    seen = 0
    for (_, direction, _), values, complete, part in columns(gold):
        if "average" in direction:
            values = [v if whole else None for v, whole in zip(values, complete, strict=True)]
        bold = np.flatnonzero(part["bold_best"].to_numpy()).tolist()
        assert best_places(values) == bold
        seen += len(bold)
    assert seen >= 34


def test_what_is_out_of_sequence(gold) -> None:
    """Metrics that lack a direction are a sequence of their own."""
    seen = 0
    for (table, direction, statistic), values, complete, part in columns(gold):
        main = "pearson" if table < 4.4 else "tau_WMT14"
        if "average" not in direction or statistic == main:
            continue
        split = sum(complete)
        assert complete == sorted(complete, reverse=True)
        ours = out_of_sequence(values[:split]) + out_of_sequence(values[split:])
        assert ours == part["out_of_sequence_mark"].cast(pl.Boolean).to_list()
        seen += sum(ours)
    assert seen == 27


def test_the_table_of_several_pairs_has_both(tmp_path) -> None:
    """The first metric is the better by r, the second by ρ."""
    people = door.from_scores(
        list("ABCDABCD"),
        list("11111111"),
        [9, 8, 7, 1, 9, 8, 7, 1],
        pair=["cs-en"] * 4 + ["de-en"] * 4,
    )
    rows = {"good": [9.0, 8.5, 8.6, 1.0], "ordered": [9.0, 2.5, 2.0, 1.0]}
    paths = []
    for pair in ("cs-en", "de-en"):
        for metric, scores in rows.items():
            path = tmp_path / pair / f"{metric}.sys.score"
            path.parent.mkdir(exist_ok=True)
            lines = [f"{s}\t{v}\n" for s, v in zip("ABCD", scores, strict=True)]
            path.write_text("".join(lines))
            paths.append(str(path))
    metrics = door.read_metric_scores(*paths)
    found = people.metaeval(metrics, unit="none", statistic=["pearson", "spearman"])
    latex = found.render("latex")
    assert r"$\wr$ 1.000" in latex
    assert latex.count(r"\textbf{") == 4  # of two pairs and two averages
    text = found.render("table").split("cs-en:")[0]
    assert "≀ 1.000" in text
    assert "≀: out of sequence, higher than that of the metric above." in text
    assert "**" in found.render("markdown")
    assert "font-weight:bold" in found.render("html")
