"""Construction of a report: chapters in parallel, then the writing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.output import open_output
from adjudge.core.parallel import Engine
from adjudge.core.version import __version__
from adjudge.metrics.system_scores import MetricScores
from adjudge.report import latex, markdown, page
from adjudge.report.analysis import Analysis
from adjudge.report.contents import Chapter, Images, Input, Report, figure_files, make_chapter

TITLE = "Human evaluation of machine translation"


@dataclass(frozen=True)
class Form:
    """Output form of a report."""

    name: str
    ending: str
    images: Images
    write: Callable[[Report, str | None], str]  # figures are files in the folder named, if any


FORMS = {
    form.name: form
    for form in (
        Form("html", ".html", "page", page.write),
        Form("latex", ".tex", "pdf", latex.write),
        Form("markdown", ".md", "svg", markdown.write),
    )
}


def form_for(output: str | None, name: str | None) -> Form:
    """Return the named form, or the one of the output's suffix."""
    place = Path(output or "-").parent
    if not place.is_dir():
        raise AdjudgeError(f"{output}: no folder {place}; make it first")
    if name is None:
        by_ending = {form.ending: form for form in FORMS.values()}
        ending = Path(output or "").suffix.lower()
        if ending not in by_ending:
            endings = ", ".join(by_ending)
            raise AdjudgeError(f"say what to write: `output` with a name in {endings}, or `format`")
        return by_ending[ending]
    if output in (None, "-") and name != "markdown":
        raise AdjudgeError(
            f'a report in {name} needs a file: `output="report{FORMS[name].ending}"`'
        )
    return FORMS[name]


def make_report(
    analyses: Sequence[Analysis],
    inputs: Sequence[Input],
    command: str,
    images: Images,
    title: str = TITLE,
    engine: Engine | None = None,
    signature: str = "",
    metrics: Mapping[str, Sequence[MetricScores]] | None = None,
) -> Report:
    """Build the report on all language pairs; the result does not depend on the number of workers.

    `command` and `signature` reproduce it on the command line and in Python. `metrics` has the
    scored systems by language pair.
    """
    # The largest first, so that no worker is left alone with it in the end.
    order = sorted(range(len(analyses)), key=lambda i: -analyses[i].size)
    scored = metrics or {}
    pieces = [(analyses[i], images, scored.get(analyses[i].pair, ())) for i in order]
    chapters_made = _engine(engine, len(pieces)).map(
        make_chapter, pieces, "Language pairs", len(pieces)
    )
    chapters: Mapping[int, Chapter] = dict(zip(order, chapters_made, strict=True))
    in_order = [chapters[i] for i in range(len(analyses))]
    if not any("ranking" in chapter.tables for chapter in in_order):
        raise AdjudgeError(f"{in_order[0].pair}: {in_order[0].omissions[0].reason}")
    shown = next(iter(scored.values()), ())
    settings = analyses[0].settings
    return Report(title, __version__, settings, tuple(inputs), command, in_order, signature, shown)


def _engine(asked: Engine | None, pieces: int) -> Engine:
    """Engine for the chapters; a single chapter does not justify another process."""
    engine = asked or Engine()
    return Engine() if pieces == 1 and engine.address is None else engine


def write_report(report: Report, form: Form, output: str) -> None:
    """Write the report atomically, with figures in a folder beside it if they are separate
    files.
    """
    files = {} if form.images == "page" else figure_files(report, form.images)
    write_with_figures(lambda folder: form.write(report, folder), files, output)


def write_with_figures(
    write: Callable[[str | None], str], files: Mapping[str, bytes], output: str
) -> None:
    """Write a text and its figures; `write` receives the folder of the figures."""
    folder = Path(output).with_suffix("").name + "-figures" if files and output != "-" else None
    text = write(folder)
    with open_output(output) as stream:
        if folder is not None:
            beside = Path(output).parent / folder
            beside.mkdir(exist_ok=True)
            for name, image in files.items():
                with open_output(str(beside / name)) as file:
                    file.write(image)
        stream.write(text.encode())
