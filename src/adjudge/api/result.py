"""What a question gives: a frozen result that can be printed, saved, drawn and made again."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from adjudge.core.errors import BadParameter, one_of
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    import polars as pl

    from adjudge.core.tables.render import TableFormat
    from adjudge.core.tables.table import Table
    from adjudge.report.analysis import Analysis
    from adjudge.report.figure import Figure

T = TypeVar("T")
_WIDTH = 200


@dataclass(frozen=True, eq=False, repr=False)
class Result(Sequence[T], Generic[T]):
    """The answer to one question, a part for each language pair (or scale).

    It prints as a table in a terminal and as HTML in a notebook, with a last line, the
    `signature`, from which it can be made again (`adjudge.again`). A result with a single part
    has that part's attributes as its own: `ranking.systems`, `ranking.scores`.

    Attributes
    ----------
    parts : tuple
        The results of the language pairs, frozen objects of the package that made them.
    signature : Signature
        What was asked, of which judgements, by which version; ``str()`` gives the line.
    """

    parts: tuple[T, ...]
    signature: Signature
    how: Mapping[str, Any] = field(default_factory=dict, repr=False)  # see `tables_for`
    analyses: tuple["Analysis", ...] = field(default=(), repr=False)  # to draw from
    remark: str = ""  # a note below the last table: what all of them have in common
    unanswered: tuple[str, ...] = ()  # why language pairs have no part

    @overload
    def __getitem__(self, which: int) -> T: ...
    @overload
    def __getitem__(self, which: "str | slice") -> "Result[T]": ...
    def __getitem__(self, which: int | str | slice) -> "T | Result[T]":
        if isinstance(which, int):
            return self.parts[which]
        if isinstance(which, slice):
            return replace(self, parts=self.parts[which])
        pairs = {str(getattr(part, "pair", "")): None for part in self.parts}
        one_of(which, pairs, "pair")
        kept = tuple(part for part in self.parts if getattr(part, "pair", None) == which)
        analyses = tuple(analysis for analysis in self.analyses if analysis.pair == which)
        return replace(self, parts=kept, analyses=analyses)

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[T]:
        return iter(self.parts)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if len(self.parts) == 1:
            return getattr(self.parts[0], name)
        raise AttributeError(
            f"{name!r}: this result has {len(self.parts)} parts; take one, as in result[0].{name}"
        )

    @cached_property
    def tables(self) -> "list[Table]":
        """The tables of the result, with its signature."""
        from adjudge.core.tables.results import tables_for

        tables = tables_for(self.parts, str(self.signature), **self.how)
        if self.remark and tables:
            tables[-1] = replace(tables[-1], notes=[*tables[-1].notes, self.remark])
        return tables

    def to_frame(self) -> "pl.DataFrame":
        """The rows of docs/json.md as a Polars frame.

        Returns
        -------
        polars.DataFrame
            One row a system (pair of systems, finding, …) and the column `signature`.

        Examples
        --------
        >>> import adjudge
        >>> ranking = adjudge.simulate(systems=3, rankings=200, seed=1).rank(replicates=100)
        >>> ranking.to_frame().columns[:4]
        ['pair', 'system', 'rank', 'score']
        """
        import polars as pl

        from adjudge.core.tables.table import plain_row

        rows = [plain_row(row) for table in self.tables for row in table.machine_rows()]
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_pandas(self) -> Any:
        """`to_frame` as a frame of pandas, which must be installed beside Adjudge.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        MissingExtra
            If pandas or pyarrow is not installed.

        Examples
        --------
        >>> import adjudge
        >>> ranking = adjudge.simulate(systems=3, rankings=200, seed=1).rank(replicates=100)
        >>> ranking.to_pandas()["rank"].tolist()
        [1, 2, 3]
        """
        from adjudge.data.from_columns import to_pandas

        return to_pandas(self.to_frame())

    def render(self, to: "TableFormat" = "table", width: int | None = _WIDTH) -> str:
        """The result as text.

        Parameters
        ----------
        to : {"table", "json", "csv", "markdown", "latex", "html"}
            How it is written. JSON and CSV hold every number in full.
        width : int, optional
            The columns of the terminal, for "table".

        Returns
        -------
        str

        Raises
        ------
        BadParameter
            If there is no such format.

        Examples
        --------
        >>> import adjudge
        >>> ranking = adjudge.simulate(systems=3, rankings=200, seed=1).rank(replicates=100)
        >>> ranking.render("csv").splitlines()[0][:24]
        'pair,system,rank,score,l'
        """
        from adjudge.core.tables.render import render

        return render(self.tables, to, width)

    def write(self, path: str, to: "TableFormat | None" = None) -> None:
        """Write the result to a file, whole or not at all.

        Parameters
        ----------
        path : str
            Its ending says how it is written (.json, .csv, .md, .tex, .html, .txt).
        to : str, optional
            How it is written, whatever the ending.

        Raises
        ------
        BadParameter
            If the ending names no format.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> ranking = adjudge.simulate(systems=3, rankings=100, seed=1).rank()
        >>> ranking.write(os.path.join(tempfile.mkdtemp(), "ranking.tex"))
        """
        from adjudge.core.files.output import open_output

        chosen = to or _ENDINGS.get("." + path.rpartition(".")[2].lower())
        if chosen is None:
            raise BadParameter(
                f"{path}: its ending names no format; end it in one of "
                f"{', '.join(_ENDINGS)}, or give `to`"
            )
        text = self.render(chosen)
        with open_output(path) as stream:
            stream.write(text.encode())

    def plot(self, name: str | None = None) -> "Plot":
        """One figure of the report, of the same language pair and settings.

        Parameters
        ----------
        name : str, optional
            The figure (docs/figures.md); by default the scores. Results that are no analysis of
            judgements have one figure of their own, without a name.

        Returns
        -------
        Plot
            Shows itself in a notebook; `save(path)` writes SVG, PDF or PNG.

        Raises
        ------
        BadParameter
            If there is no such figure, or the result has several language pairs.
        NotEnoughData
            If the judgements cannot give it.

        Examples
        --------
        >>> import adjudge
        >>> adjudge.simulate(systems=3, rankings=100, seed=1).rank().plot()
        Plot(name='scores')
        """
        from adjudge.report.figures import FIGURES

        if not self.analyses and name is None:
            from adjudge.report.result_figures import figure_for

            return Plot(figure_for(self.parts), self.parts)
        figure = FIGURES.named(name or "scores")
        if len(self.analyses) != 1:
            pairs = ", ".join(analysis.pair for analysis in self.analyses) or "none"
            raise BadParameter(
                f"a figure is of one language pair, as in result[`pair`]; here: {pairs}"
            )
        return Plot(figure, self.analyses[0])

    def __repr__(self) -> str:
        tty = sys.stdout.isatty()
        return self.render("table", None if tty else _WIDTH).rstrip("\n")

    def _repr_html_(self) -> str:
        return self.render("html")


_ENDINGS: "Mapping[str, TableFormat]" = {
    ".txt": "table",
    ".json": "json",
    ".csv": "csv",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}


@dataclass(frozen=True, eq=False, repr=False)
class Plot:
    """A figure that shows itself in a notebook and can be saved."""

    figure: "Figure[Any]" = field(repr=False)
    subject: Any = field(repr=False)  # what it is drawn from

    @property
    def name(self) -> str:
        """Which figure it is (docs/figures.md)."""
        return self.figure.name

    def __repr__(self) -> str:
        return f"Plot(name={self.name!r})"

    def save(self, path: str) -> None:
        """Write it as the path's ending says: .svg, .pdf or .png.

        Parameters
        ----------
        path : str
            Where the file goes.

        Raises
        ------
        AdjudgeError
            If the ending is none of these.
        NotEnoughData
            If the judgements cannot give the figure.

        Examples
        --------
        >>> import adjudge, os, tempfile
        >>> judgements = adjudge.simulate(systems=3, rankings=100, seed=1)
        >>> judgements.plot("scores").save(os.path.join(tempfile.mkdtemp(), "scores.svg"))
        """
        from adjudge.report.drawing.rendering import save

        save(self.figure, self.subject, path)

    def _repr_svg_(self) -> str:
        from adjudge.report.drawing.rendering import image

        return image(self.figure, self.subject, ".svg").decode()
