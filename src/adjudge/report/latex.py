"""Reports in LaTeX: tables with booktabs and WMT13's marks, figures as PDF files.

The document compiles with pdflatex; papers can copy parts of it. A character without a font in
pdflatex is printed by its number.
"""

import re
from collections.abc import Iterator

from adjudge.core.tables.render import latex, tabular
from adjudge.core.tables.table import Table
from adjudge.diagnosis.tables import number_shown
from adjudge.report.contents import Chapter, Illustration, Report, figure_file
from adjudge.report.method import method_section

_PREAMBLE = r"""% Made with Adjudge VERSION
\documentclass{article}
\usepackage[a4paper,margin=25mm]{geometry}
\usepackage{booktabs,graphicx}
\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{}
% No larger than the page, and no larger than it is.
\newsavebox{\toofit}
\newcommand{\fit}[1]{\sbox{\toofit}{#1}%
  \ifdim\wd\toofit>\textwidth\sbox{\toofit}{\resizebox{\textwidth}{!}{\usebox{\toofit}}}\fi
  \ifdim\dimexpr\ht\toofit+\dp\toofit\relax>0.8\textheight
    \sbox{\toofit}{\resizebox{!}{0.8\textheight}{\usebox{\toofit}}}\fi
  \usebox{\toofit}}
\newcommand{\figurefile}[1]{\fit{\includegraphics{#1}}}
\newcommand{\notes}[1]{\par\medskip\begin{minipage}{\textwidth}\footnotesize #1\end{minipage}}
\sloppy
"""

_LETTERS = r"""\newcommand{\bynumber}[2]{\expandafter\ifx\csname u8:\detokenize{#1}\endcsname\relax
  \DeclareUnicodeCharacter{#2}{[U+#2]}\fi}
LETTERS
"""


def write(report: Report, folder: str | None) -> str:
    """Write the document; its figures are files in `folder`."""
    return document("\n".join(_body(report, folder)), report.version)


def document(body: str, version: str) -> str:
    """Complete document that declares every character of its body."""
    letters = sorted({letter for letter in body if ord(letter) > 0x7F})
    declared = "\n".join(rf"\bynumber{{{letter}}}{{{ord(letter):04X}}}" for letter in letters)
    preamble = _PREAMBLE.replace("VERSION", version)
    if letters:
        preamble += _LETTERS.replace("LETTERS", declared)
    return f"{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def _body(report: Report, folder: str | None) -> Iterator[str]:
    yield rf"\title{{{latex(report.title)}}}\author{{}}\date{{}}\maketitle"
    if len(report.chapters) > 1:
        yield floating(report.overview, "overview")
        yield r"\tableofcontents\clearpage"
    for chapter, anchor in zip(report.chapters, report.anchors(), strict=True):
        yield from _chapter(chapter, anchor, folder)
    yield from _method(report)


def _chapter(chapter: Chapter, anchor: str, folder: str | None) -> Iterator[str]:
    yield rf"\section{{{latex(chapter.pair)}}}"
    yield latex(str(chapter.answer)) + "\n"
    for name, table in chapter.tables.items():
        if name != "diagnosis":
            yield floating(table, f"{anchor}-{name}")
    for illustration in chapter.illustrations:
        if folder is not None:
            file = figure_file(anchor, illustration.name, "pdf")
            yield figure(illustration, f"{anchor}-{illustration.name}", f"{folder}/{file}")
        if illustration.printed:
            yield floating(illustration.table, f"{anchor}-{illustration.name}-table")
    findings = chapter.tables["diagnosis"].rows if "diagnosis" in chapter.tables else ()
    troubles = [row for row in findings if row["severity"] in ("warning", "note")]
    if troubles:
        yield r"\subsection*{Diagnosis}\begin{description}"
        for row in troubles:
            said = " ".join((number_shown(row), row["meaning"], row["remedy"])).strip()
            yield rf"\item[{latex(row['finding'])} ({row['severity']})] {latex(said)}"
        yield r"\end{description}"
    if chapter.omissions:
        yield r"\subsection*{Not shown}\begin{description}"
        yield from (rf"\item[{latex(o.title)}] {latex(o.reason)}." for o in chapter.omissions)
        yield r"\end{description}"
    yield r"\clearpage"


def floating(table: Table, label: str) -> str:
    """Floating table with caption and notes."""
    notes = " ".join(map(latex, table.notes))
    return (
        rf"\begin{{table}}[!htbp]\centering\caption{{{latex(table.title)}}}\label{{tab:{label}}}"
        "\n\\fit{"
        + tabular(table)
        + "}"
        + (rf"\notes{{{notes}}}" if notes else "")
        + "\n\\end{table}\n"
    )


def figure(illustration: Illustration, label: str, file: str) -> str:
    """Floating figure with caption."""
    caption = latex(f"{illustration.title}. {illustration.about}")
    return (
        rf"\begin{{figure}}[!htbp]\centering\figurefile{{{file}}}"
        rf"\caption{{{caption}}}\label{{fig:{label}}}"
        r"\end{figure}"
    )


def _method(report: Report) -> Iterator[str]:
    yield r"\section{Method}\begin{description}"
    for term, text in method_section(report.settings, report.metrics):
        yield rf"\item[{latex(term)}] {latex(text)}"
    for file in report.inputs:
        yield rf"\item[Input] {latex(file.name)}, {_hash(file.sha256)}"
    if report.signature:
        yield rf"\item[Signature] {breakable(report.signature)}"
    yield rf"\item[Command] \texttt{{{latex(report.command)}}}"
    yield r"\end{description}"


def breakable(text: str) -> str:
    """Verbatim text that may be broken between its fields."""
    return r"\texttt{" + r"\allowbreak ".join(map(latex, re.split(r"(?<=\|)", text))) + "}"


def _hash(sha256: str | None) -> str:
    """Hash that may be broken between lines."""
    if sha256 is None:
        return "read from a pipe"
    parts = (sha256[start : start + 8] for start in range(0, len(sha256), 8))
    return r"SHA-256 \texttt{" + r"\allowbreak ".join(parts) + "}"
