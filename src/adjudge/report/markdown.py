"""Reports in Markdown, with tables in the syntax of GitHub."""

from collections.abc import Iterator

from adjudge.core.tables.render import markdown, markdown_text
from adjudge.core.tables.table import Table
from adjudge.diagnosis.tables import number_shown
from adjudge.report.contents import Chapter, Report, figure_file
from adjudge.report.method import method_section


def write(report: Report, folder: str | None) -> str:
    """Write the text; its figures are files in `folder`, or left out without one."""
    return "\n\n".join(part.strip("\n") for part in _parts(report, folder)) + "\n"


def _parts(report: Report, folder: str | None) -> Iterator[str]:
    yield f"# {markdown_text(report.title)}"
    if len(report.chapters) > 1:
        yield markdown(report.overview)
    for chapter, anchor in zip(report.chapters, report.anchors(), strict=True):
        yield from _chapter(chapter, anchor, folder)
    yield "## Method"
    yield "\n".join(
        f"- **{term}**: {markdown_text(text)}"
        for term, text in method_section(report.settings, report.metrics)
    )
    for file in report.inputs:
        hashed = f"SHA-256 `{file.sha256}`" if file.sha256 else "read from a pipe"
        yield f"Input: {markdown_text(file.name)}, {hashed}."
    if report.signature:
        yield f"Signature: `{report.signature}`"
    yield f"Made with Adjudge {report.version}:"
    yield f"```\n{report.command}\n```"


def _chapter(chapter: Chapter, anchor: str, folder: str | None) -> Iterator[str]:
    yield f"## {markdown_text(chapter.pair)}"
    yield markdown_text(str(chapter.answer))
    yield from (markdown(t) for name, t in chapter.tables.items() if name != "diagnosis")
    for illustration in chapter.illustrations:
        if folder is not None:
            file = f"{folder}/{figure_file(anchor, illustration.name, 'svg')}"
            yield f"### {markdown_text(illustration.title)}"
            yield f"![{markdown_text(illustration.alt)}](<{file}>)"
            yield markdown_text(illustration.about)
        if illustration.printed:
            yield markdown(illustration.table)
    if "diagnosis" in chapter.tables:
        yield "### Diagnosis"
        yield _diagnosis(chapter.tables["diagnosis"])
    if chapter.omissions:
        yield "### Not shown"
        yield "\n".join(f"- {markdown_text(f'{o.title}: {o.reason}.')}" for o in chapter.omissions)


def _diagnosis(findings: Table) -> str:
    lines = [
        f"1. **{row['finding']}** ({row['severity']}) {number_shown(row)}: "
        f"{markdown_text(row['meaning'])} {markdown_text(row['remedy'])}"
        for row in findings.rows
        if row["severity"] in ("warning", "note")
    ]
    return "\n".join(lines) or "No finding could change the order."
