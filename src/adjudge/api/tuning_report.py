"""The report on tuning, as a page, LaTeX or Markdown."""

from typing import TYPE_CHECKING, Any

from adjudge.api.result import Result
from adjudge.core.errors import BadParameter
from adjudge.core.version import __version__

if TYPE_CHECKING:
    from adjudge.tuning.loop import Loop
    from adjudge.tuning.run_spread import TuningVariance
    from adjudge.tuning.tuning_result import Tuned


def tuning_report(
    path: str,
    *results: "Result[Tuned] | Result[Loop] | Result[TuningVariance]",
    title: str | None = None,
    to: str | None = None,
) -> None:
    """Write a report on tuning: scores, weights with their spread, envelopes, iterations.

    Parameters
    ----------
    path : str
        Where it goes: .html, .tex or .md.
    *results : Result
        What `Candidates.tune`, `Candidates.tune_variance` and `tune_decoder` gave, any of them
        together.
    title : str, optional
        The heading of the report.
    to : {"html", "latex", "markdown"}, optional
        The form, where the ending does not say it.

    Raises
    ------
    BadParameter
        If there is no result, or one of another kind.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> lines = [f"{n} ||| {t} ||| f= {k}" for n in range(4) for k, t in enumerate("ab")]
    >>> for name, text in {"list": "\\n".join(lines), "reference": "b\\n" * 4}.items():
    ...     with open(os.path.join(folder, name), "w") as file:
    ...         _ = file.write(text)
    >>> candidates = adjudge.read_candidates(
    ...     os.path.join(folder, "list"), reference=os.path.join(folder, "reference")
    ... )
    >>> adjudge.tuning_report(os.path.join(folder, "tuning.html"), candidates.tune("wer"))
    """
    from adjudge.api.reports import write_sections
    from adjudge.report.build import form_for
    from adjudge.report.contents import Input
    from adjudge.report.sections import SectionedReport
    from adjudge.report.tuning_report import TITLE, tuning_sections, tuning_steps

    form = form_for(path, to)
    kinds = ("Tuned", "Loop", "TuningVariance")
    if not results or any(type(result.parts[0]).__name__ not in kinds for result in results):
        raise BadParameter("a report on tuning is of results of tuning; give one or more")
    parts: Any = [result.parts for result in results]
    inputs = dict.fromkeys(result.signature.input for result in results)
    report = SectionedReport(
        TITLE if title is None else title,
        __version__,
        [Input("lists and all files beside them", str(each).partition("-")[2]) for each in inputs],
        "",
        " ".join(str(result.signature) for result in results),
        list(tuning_sections(parts, "none" if path == "-" else form.images)),
        tuning_steps(parts),
    )
    write_sections(report, form, path)
