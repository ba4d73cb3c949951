"""Tables of resources learned from parallel text."""

from collections.abc import Sequence

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.text.resources.bundle import Resources

_PARTS = {
    "source_model": "language model of the source",
    "target_model": "language model of the target",
    "source_counts": "n-gram counts of the source",
    "target_counts": "n-gram counts of the target",
}


@shows(Resources)
def resources_tables(
    results: Sequence[Resources], folder: str = "", reused: bool = False
) -> list[Table]:
    """One row per part."""
    tables = []
    for result in results:
        recipe = result.recipe
        sizes = {
            "source_model": result.source_model.ngrams(),
            "target_model": result.target_model.ngrams(),
            "source_counts": tuple(map(len, result.source_counts.count)),
            "target_counts": tuple(map(len, result.target_counts.count)),
        }
        rows: list[Row] = [
            {
                "part": part,
                "what": _PARTS[part],
                "entries": sum(size),
                "by_length": " + ".join(f"{number:,}" for number in size),
            }
            for part, size in sizes.items()
        ]
        rows += [
            {"part": name, "what": what, "entries": len(table.word), "by_length": None}
            for name, what, table in (
                ("forward", "lexical table, p(target | source)", result.forward),
                ("backward", "lexical table, p(source | target)", result.backward),
            )
        ]
        same = {"sentences": result.sentences, "folder": folder, "reused": reused}
        how = "lower-cased" if recipe.lowercase else "case kept"
        tables.append(
            Table(
                rows,
                [
                    Column("what", "part"),
                    Column("entries", "entries"),
                    Column("by_length", "n-grams of one word, two words, …"),
                ],
                title=f"Resources from {result.sentences:,} pairs of lines, in {folder}",
                notes=[
                    f"Tokens by {recipe.tokenize}, {how}."
                    + (" They were there already, and were read." if reused else "")
                ],
                data=[{**row, **same} for row in rows],
            )
        )
    return tables
