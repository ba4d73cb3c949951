"""A format: a heading, then one comparison a line: segment, judge, the better and the worse."""

import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table

HEADING = "theirs"


def read(file: InputFile) -> pl.DataFrame:
    """Two rows a line."""
    rows = []
    for number, line in enumerate(file.text.splitlines()[1:], 2):
        parts = line.split("\t")
        if len(parts) != 4:
            raise InputError("not four columns; correct the line", file=file.name, line=number)
        about = {
            "pair": HEADING,
            "ranking": number - 1,
            "segment": parts[0] or None,
            "judge": parts[1] or None,
        }
        rows += [
            {**about, "output": system, "rank": rank, "line": number}
            for rank, system in enumerate(parts[2:], 1)
        ]
    return judgement_table(pl.DataFrame(rows), file.name)


def write(table: pl.DataFrame, file: OutputFile) -> None:
    """One line for every ranking of two outputs."""
    lines = [HEADING]
    for _, ranking in table.sort("ranking", "rank").group_by("ranking", maintain_order=True):
        if ranking["rank"].to_list() != [1, 2]:
            raise AdjudgeError("their format holds pairs without ties only; choose another")
        segment, judge = (ranking[name][0] or "" for name in ("segment", "judge"))
        lines.append("\t".join([segment, judge, *ranking["output"].cast(pl.String)]))
    file.stream.write("".join(f"{line}\n" for line in lines).encode())


FORMAT = Format(
    name="their-format",
    description="Comparisons as they keep them",
    kind="judgements",
    suffix=".theirs",
    recognise=lambda file: file.head.startswith(f"{HEADING}\n".encode()),
    read=read,
    example={"table.theirs": f"{HEADING}\n1\tann\tA\tB\n2\tbob\tB\tA\n".encode()},
    write=write,
    carries=frozenset({"segment", "judge", "output", "rank"}),
)
