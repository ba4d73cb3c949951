"""`adjudge report`: what it says, that it can be made again, and what it refuses."""

import hashlib
import json
import re
import shlex
from html import unescape

import polars as pl
import pytest

from adjudge.data.table_files import write
from adjudge.report import analysis
from adjudge.report.figures import FIGURES
from adjudge.report.findings_summary import about, answer

pytestmark = pytest.mark.slow

ODD = [
    "<script>alert('x')</script>",
    "מערכת",
    "Système & fils_中文",
    'quo"te|pipe',
    r"100 % #1 {\TeX} $x^2$ ~ --",
    "**bold** [link](to)",
]
QUICK = ("--replicates", "60", "--runs", "3", "--workers", "1")


@pytest.fixture(scope="module")
def adjudge(adjudge, tmp_path_factory):
    """Runs a command line in a folder of its own."""
    folder = tmp_path_factory.mktemp("report")

    def run(*arguments: str):
        return adjudge(*arguments, folder=folder)

    run.folder = folder
    return run


@pytest.fixture(scope="module")
def campaign(adjudge, simulated):
    """Two language pairs that can be ranked, odd names in one, and one that cannot."""
    tables = [simulated("<en>-it", ODD, 90), simulated("en-de", ["A", "B"], 40)]
    nobody = simulated("xx-yy", ["A", "B"], 1).filter(pl.col("output") == "A")
    tables.append(nobody)
    starts = [0, 1000, 2000]
    table = pl.concat(
        [t.with_columns(pl.col("ranking") + at) for t, at in zip(tables, starts, strict=True)]
    )
    write(table, str(adjudge.folder / "judged.jsonl"))
    return adjudge.folder / "judged.jsonl"


@pytest.fixture(scope="module")
def page(adjudge, campaign):
    assert adjudge("report", "judged.jsonl", *QUICK, "-o", "report.html").code == 0
    return (adjudge.folder / "report.html").read_text()


def summary_of(page: str) -> dict:
    return json.loads(
        re.search(r'<script type="application/json" id="summary">(.*?)</script>', page)[1]
    )


def test_the_page_says_how_to_make_it_again(adjudge, campaign, page):
    command = unescape(re.search(r'<code id="command">(.*?)</code>', page)[1])
    program, *arguments = shlex.split(command)
    assert program == "adjudge"
    assert "--workers" not in arguments
    (adjudge.folder / "report.html").unlink()
    assert adjudge(*arguments, "--workers", "2").code == 0
    assert (adjudge.folder / "report.html").read_text() == page


def test_the_page_names_its_input(campaign, page):
    summary = summary_of(page)
    digest = hashlib.sha256(campaign.read_bytes()).hexdigest()
    assert summary["inputs"] == [{"name": "judged.jsonl", "sha256": digest}]
    assert digest in page
    assert summary["settings"]["replicates"] == 60
    assert summary["settings"]["seed"] == 1
    assert summary["settings"]["unit"] == "auto"
    assert "the heading of each ranking says for whom it holds" in page
    assert "autos" not in page
    assert f"{summary['signature']}</code>" in page.replace("&#34;", '"')


def test_every_part_is_there(page):
    assert page.index("Overview") < page.index('<article class="pair"')
    assert page.count('<article class="pair"') == 3
    first = page[page.index('<article class="pair"') :]
    heading = "expected-wins (ties ignored), for other judges and documents"
    parts = ["known", "facts", heading, "Figures", "Agreement", "Diagnosis"]
    places = [first.index(part) for part in parts]
    assert places == sorted(places)
    assert "mean over opponents of wins / (wins + losses)" in page
    drawn = len(re.findall(r'<svg [^>]*role="img" aria-label="[^"]{20,}"', page))
    assert drawn == page.count("<figure ") >= 2 * 6
    assert page.count('<details class="data') == drawn


def test_figures_that_cannot_be_drawn_say_why(page):
    shown = re.findall(r'<figure id="en-it-([\w-]+)"', page)
    omitted = summary_of(page)["pairs"][0]["omitted"]
    assert len(shown) + len(omitted) == len(FIGURES)
    titles = {one["title"]: one["reason"] for one in omitted}
    assert "no source text" in titles["Agreement by sentence length"]
    for title, reason in titles.items():
        assert f"<b>{title}</b>: {reason}." in unescape(page)


def test_a_pair_that_cannot_be_ranked_does_not_stop_the_others(page):
    pair = summary_of(page)["pairs"][2]
    assert pair["pair"] == "xx-yy"
    assert pair["answer"].startswith("There is no ranking. ")
    assert "a ranking needs two or more" in pair["answer"]


def test_names_are_text(page):
    assert page.count("<script") == 2
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;" in page
    assert ODD[0] in {row["system"] for row in summary_of(page)["pairs"][0]["tables"]["ranking"]}
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page


def test_the_summary_has_what_the_other_commands_print(adjudge, campaign, page):
    pair = summary_of(page)["pairs"][1]
    tables, said = pair["tables"], pair["notes"]
    for command, name, options in (
        ("rank", "ranking", ("--replicates", "60")),
        ("compare", "head-to-head", ()),
        ("methods", "methods", ("--runs", "3")),
        ("diagnose", "diagnosis", ()),
        ("agreement", "agreement", ("--replicates", "60")),
    ):
        given = ("judged.jsonl", "--pair", "en-de", "--format", "json", "-o", "rows.json")
        assert adjudge(command, *given, *options).code == 0
        text = (adjudge.folder / "rows.json").read_text()
        rows = json.loads(text, parse_float=twelve_digits)
        assert all(row.pop("signature").startswith(f"adjudge:{command}|") for row in rows)
        notes = {row.pop("notes") for row in rows}
        if name in said:  # the page has its figures' notes in their tables only
            assert notes == {" ".join(said[name]) or None}
        assert rows == tables[name], name


def twelve_digits(number: str) -> float:
    return float(f"{float(number):.12g}")


def test_markdown_can_be_read(adjudge, campaign):
    from markdown_it import MarkdownIt

    assert adjudge("report", "judged.jsonl", *QUICK, "-o", "report.md").code == 0
    text = (adjudge.folder / "report.md").read_text()
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert html.count("<table>") >= 10
    for name in ODD:
        assert f'<td style="text-align:left">{name}</td>' in unescape(html)
    assert "<script" not in html
    for file in re.findall(r'<img src="(.*?)" alt="(.{20,}?)"', html):
        assert (adjudge.folder / file[0]).read_text().startswith("<svg")


def test_markdown_goes_to_standard_output(adjudge, campaign):
    options = ("--pair", "en-de", "--format", "markdown")
    code, text, _ = adjudge("report", "judged.jsonl", *QUICK, *options)
    assert code == 0
    assert "## en-de" in text
    assert "![" not in text


@pytest.mark.slow
def test_latex_compiles(adjudge, campaign, compiles):
    chosen = ("--pair", "<en>-it", "--pair", "xx-yy")
    assert adjudge("report", "judged.jsonl", *QUICK, *chosen, "-o", "report.tex").code == 0
    source = (adjudge.folder / "report.tex").read_text()
    assert source.count(r"\toprule") >= 6
    assert r"$\ddagger$" in source
    compiles(adjudge.folder / "report.tex")
    assert r"\bynumber{中}{4E2D}" in source


def test_the_same_file_twice_is_read_by_the_same_command(adjudge, campaign):
    options = ("--title", "A 'b'", "--pair", "en-de", "--since", "2020-01-01", "-f", "html")
    for name in ("one.out", "two.out"):
        assert adjudge("report", "judged.jsonl", *QUICK, *options, "-o", name).code == 0
    one, two = ((adjudge.folder / name).read_text() for name in ("one.out", "two.out"))
    assert one.replace("one.out", "two.out") == two
    command = shlex.split(summary_of(one)["command"])
    assert command[command.index("--title") + 1] == "A 'b'"
    assert command[command.index("--since") + 1] == "2020-01-01T00:00:00"
    (adjudge.folder / "one.out").unlink()
    assert adjudge(*command[1:], "--workers", "1").code == 0
    assert (adjudge.folder / "one.out").read_text() == one
    assert "<title>A &#39;b&#39;</title>" in one
    assert "Overview" not in one


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "say what to write: --output with a name in .html, .tex, .md, or --format"),
        (("-o", "report.pdf"), "say what to write"),
        (("-o", "nowhere/report.html"), "nowhere/report.html: no folder nowhere; make it first"),
        (("--format", "html"), "a report in html needs a file: --output report.html"),
        (("-o", "-", "--format", "latex"), "a report in latex needs a file: --output report.tex"),
        (("-o", "bad.html", "--method", "guess"), "--method cannot be 'guess'; there are: "),
        (("-o", "bad.html", "--level", "2", "--pair", "en-de"), "between 0 and 1, not 2"),
        (("-o", "bad.html", "--pair", "xx-yy"), "xx-yy: 1 system besides the reference"),
    ],
)
def test_what_cannot_be_is_refused(adjudge, campaign, arguments, said):
    before = sorted(adjudge.folder.rglob("*"))
    code, _, complaint = adjudge("report", "judged.jsonl", *QUICK, *arguments)
    assert code == 2
    assert said in complaint
    assert complaint.count("\n") == 1
    assert sorted(adjudge.folder.rglob("*")) == before


def test_the_answer_says_what_is_known_and_what_is_not(simulated):
    def said(names, rankings, **settings):
        made = analysis.Settings(replicates=100, runs=3, **settings)
        table = simulated("p", names, rankings, quality_spread=2.0)
        return answer(analysis.analyse(table, made)[0])

    for_whom = r"\(95 %, for other judges and documents like these\)\."
    assert re.fullmatch(rf"[AB] is better than [AB] {for_whom}", str(said(["A", "B"], 400)))
    of_these = said(["A", "B"], 60, unit="ranking")
    assert re.fullmatch(r"[AB] is better than [AB] \(.* by these \d judges.*\)\.", str(of_these))
    few = said(["A", "B"], 4, unit="ranking")
    assert few.known.startswith("No single best of the 2 systems can be identified (95 %, ")
    assert re.fullmatch(
        r"[AB] and [AB] do not differ significantly: about \d+ more rankings would separate them, "
        r"with a chance of 80 %\. 4 times as many rankings would make intervals \d+ % narrower\.",
        few.unknown,
    )
    assert set(few.first) == {"A", "B"}
    assert "nobody knows how sure" in said(["A", "B"], 60, unit="none").unknown


def test_about_a_number():
    assert [about(n) for n in (0, 7, 23, 949, 951, 12345)] == [0, 7, 23, 950, 950, 12000]
