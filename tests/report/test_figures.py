"""Every figure: readable with 2, 12 and 60 systems of long names, small, the same every time."""

import re
from collections.abc import Iterator
from functools import partial
from math import cos, radians, sin
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.data.judgement_table import is_reference, judgement_table
from adjudge.data.outputs import join_systems, systems_of
from adjudge.data.table_files import read
from adjudge.diagnosis.evidence import NEEDS
from adjudge.ranking.feedback_arc_set.optimum import FeedbackArcSet, minimum_feedback_arc_set
from adjudge.ranking.head_to_head import mark
from adjudge.ranking.method import METHODS
from adjudge.ranking.method_comparison import MethodsCompared
from adjudge.ranking.tournament import Majority
from adjudge.report.analysis import Analysis, Settings, analyse
from adjudge.report.drawing.canvas import Canvas, Shape
from adjudge.report.drawing.matplotlib_output import sheet
from adjudge.report.drawing.rendering import READABLE, save, svg
from adjudge.report.drawing.system_labels import colours_of, labels_of
from adjudge.report.drawing.theme import COLOURED, LIGHT
from adjudge.report.figures import FIGURES, Figure
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.stats.ranks import best_ranks

pytestmark = pytest.mark.slow

SIZES = (2, 12, 60)
SETTINGS = Settings(replicates=100, runs=5)
FEW = Settings(replicates=10, runs=1)
PHONE = 390 - 60  # pixels that a page leaves a figure on a phone


def _long(output: str) -> str:
    """Forty characters that differ in the middle, with what TeX and XML trip over."""
    return join_systems(
        name if is_reference(name) else f"a-rather-long-name-{name[-2:]}-of-a-$system$-<&>"
        for name in systems_of(output)
    )


def campaign(systems: int) -> pl.DataFrame:
    """A simulated campaign with long names, source texts and a judge who clicks at random."""
    made = simulate(
        Design(
            systems=systems,
            documents=4,
            reference=systems > 2,
            tasks=Tasks(rankings=60 * systems, block=min(systems, 5), repeats=0.3, pool=0.6),
            judges=Judges(count=8, careless=0.15),
        ),
        seed=3,
    ).judgements
    outputs = made["output"].cast(pl.String).unique().drop_nulls().to_list()
    names = {output: _long(output) for output in outputs}
    words = 3 + pl.col("segment").cast(pl.String).hash(1) % 8
    return made.with_columns(
        pl.col("output").cast(pl.String).replace(names).cast(pl.Categorical()),
        pl.lit("word").repeat_by(words).list.join(" ").cast(pl.Categorical()).alias("source"),
    )


def _made_up(systems: tuple[str, ...]) -> MethodsCompared:
    """Orders by every method with ties, and a large part of cycles; a real one takes its time."""
    rng = np.random.default_rng(1)
    every = tuple(METHODS.values())
    scores = np.round(np.linspace(1, 0, len(systems)) + rng.normal(0, 0.1, (len(every), 60)), 2)
    backwards = [
        Majority(systems[i + int(rng.integers(1, 50 - i))], systems[i], 60 - i) for i in range(49)
    ]
    return MethodsCompared(
        pair="src-tgt",
        systems=systems,
        methods=every,
        scores=scores,
        ranks=best_ranks(scores),
        violated=rng.integers(0, 20_000, len(every)),
        spearman=np.corrcoef(scores),
        kendall=np.corrcoef(scores),
        cycles=(),
        least=FeedbackArcSet(systems, 9, 9, 1, tuple(backwards), (systems[:50],), 1.0),
        notes=(),
    )


@pytest.fixture(scope="module")
def analyses() -> dict[int, Analysis]:
    found = {systems: analyse(campaign(systems), SETTINGS)[0] for systems in SIZES}
    found[60].__dict__["methods"] = _made_up(found[60].ranking.systems)
    return found


@pytest.fixture(params=SIZES, ids=lambda size: f"{size} systems")
def analysis(request, analyses) -> Analysis:
    return analyses[request.param]


def _lacking(analysis: Analysis) -> set[str]:
    """What a figure may need that these judgements do not have."""
    known = set(analysis.evidence.known)
    if analysis.table["source"].count():
        known.add("source")
    return {"source", *NEEDS} - known


def _can_be_had(figure: Figure, analysis: Analysis) -> bool:
    """By what the figure says of itself."""
    enough = len(analysis.ranking.systems) >= figure.fewest_systems
    return enough and not figure.needs & _lacking(analysis)


def _possible(analysis: Analysis) -> list[str]:
    return sorted(name for name, figure in FIGURES.items() if _can_be_had(figure, analysis))


@pytest.fixture(params=FIGURES)
def figure(request) -> Figure:
    return FIGURES[request.param]


def _corners(text: Text, renderer) -> np.ndarray:
    """The corners of a text's box, turned as the text is."""
    angle = text.get_rotation()
    text.set_rotation(0)
    box = text.get_window_extent(renderer)
    text.set_rotation(angle)
    x, y = text.get_transform().transform(text.get_position())
    turn = np.array([[cos(radians(angle)), sin(radians(angle))],
                     [-sin(radians(angle)), cos(radians(angle))]])  # fmt: skip
    return (box.corners()[[0, 1, 3, 2]] - (x, y)) @ turn + (x, y)


def _near(boxes: list[np.ndarray]) -> Iterator[tuple[int, int]]:
    """Those whose upright hulls overlap: few enough to look at closely."""
    low, high = np.min(boxes, axis=1), np.max(boxes, axis=1)
    apart = ((low[:, None] >= high) | (low >= high[:, None])).any(axis=-1)
    yield from np.argwhere(np.triu(~apart, 1)).tolist()


def _overlap(one: np.ndarray, other: np.ndarray) -> bool:
    """Do two rectangles overlap? Not if a line along a side of either parts them."""
    for box in (one, other):
        for side in (box[1] - box[0], box[3] - box[0]):
            a, b = one @ side, other @ side
            if a.max() <= b.min() + 1e-6 or b.max() <= a.min() + 1e-6:
                return False
    return True


@pytest.mark.slow
def test_no_text_overlaps_another_or_falls_off(figure, analysis):
    if not _can_be_had(figure, analysis):
        return
    canvas = figure.draw(analysis, LIGHT)
    drawn = sheet(canvas)
    renderer = FigureCanvasAgg(drawn).get_renderer()
    texts = [artist for artist in drawn.artists if isinstance(artist, Text)]
    boxes = [(text.get_text(), _corners(text, renderer)) for text in texts]
    assert boxes
    for text, box in boxes:
        inside = (box >= 0).all() and (box <= (canvas.width, canvas.height)).all()
        assert inside, (text, box, (canvas.width, canvas.height))
    for i, j in _near([box for _, box in boxes]):
        assert not _overlap(boxes[i][1], boxes[j][1]), (boxes[i][0], boxes[j][0])


def test_overlaps_are_found():
    canvas = Canvas(200, 100, LIGHT)
    canvas.text(10, 50, "one text")
    canvas.text(30, 55, "another")
    canvas.text(100, 90, "turned", turned=60)
    drawn = sheet(canvas)
    renderer = FigureCanvasAgg(drawn).get_renderer()
    one, other, turned = (_corners(text, renderer) for text in drawn.artists)
    assert _overlap(one, other)
    assert not _overlap(one, turned)


def test_a_figure_that_cannot_be_had_says_why(figure, analysis):
    if not _can_be_had(figure, analysis):
        for part in (figure.table, figure.alt, partial(figure.draw, theme=LIGHT)):
            with pytest.raises(NotEnoughData, match=r"\w+ \w+"):
                part(analysis)


@pytest.mark.parametrize("lost", ["source", "seconds", "judge", "segment"])
def test_a_figure_needs_what_it_says_and_nothing_else(lost):
    table = campaign(12)
    analysis = analyse(table.with_columns(pl.lit(None, table.schema[lost]).alias(lost)), FEW)[0]
    analysis.__dict__["methods"] = None  # takes its time, and looks at ranks alone
    for figure in FIGURES.values():
        if lost in figure.needs:
            with pytest.raises(NotEnoughData, match=r"\w+ \w+"):
                figure.table(analysis)
        elif figure.needs:
            assert figure.table(analysis).rows, figure.name


def test_every_need_is_one_that_is_known(figure):
    assert figure.needs <= {"source", *NEEDS}


def test_every_figure_has_words_and_a_table(figure, analysis):
    if not _can_be_had(figure, analysis):
        return
    table = figure.table(analysis)
    assert table.rows
    assert all(any(cells) for cells in table.cells())
    assert re.search(r"\d", figure.alt(analysis))
    assert figure.title
    assert figure.about.endswith(".")


def test_svg_for_a_page(figure, analysis):
    """Well-formed, no ids to collide, only the theme's colours, small, readable on a phone."""
    if not _can_be_had(figure, analysis):
        return
    properties = {f"var({name})" for name, _ in LIGHT.colours()}
    most = 40_000 if len(analysis.ranking.systems) <= 12 else 60_000
    text = svg(figure, analysis)
    root = ElementTree.fromstring(text)
    assert len(text.encode()) < most
    assert not root.findall(".//*[@id]")
    used = {value for one in root.iter() for value in (one.get("fill"), one.get("stroke"))}
    assert used <= properties | {None, "none"}
    sizes = [float(one.get("font-size", 12)) for one in root.iter("text")]
    least = float(re.search(r"min-width:(\d+)px", root.get("style"))[1])
    assert least * min(sizes) / int(root.get("width")) >= READABLE - 0.1
    assert least <= PHONE or not figure.narrow
    assert root.get("aria-label") == figure.alt(analysis)


def test_the_same_judgements_give_the_same_bytes(analyses, tmp_path):
    again = analyse(campaign(2), SETTINGS)[0]
    for name in _possible(analyses[2]):
        figure = FIGURES.named(name)
        assert svg(figure, analyses[2]) == svg(figure, again)
    for ending in ("svg", "pdf", "png"):
        for number, one in enumerate((analyses[2], again)):
            save(FIGURES.named("scores"), one, str(tmp_path / f"{number}.{ending}"))
        assert (tmp_path / f"0.{ending}").read_bytes() == (tmp_path / f"1.{ending}").read_bytes()


@pytest.mark.parametrize(
    ("ending", "begins"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")]
)
def test_saved_as(analyses, tmp_path, ending, begins):
    path = tmp_path / f"figure.{ending}"
    save(FIGURES.named("methods"), analyses[12], str(path))
    content = path.read_bytes()
    assert content.startswith(begins)
    if ending == "svg":
        assert b"var(" not in content
        assert LIGHT.systems[0].encode() in content


def test_an_unknown_ending_is_refused_and_nothing_is_written(analyses, tmp_path):
    with pytest.raises(AdjudgeError, match=r"\.svg, \.pdf, \.png"):
        save(FIGURES.named("scores"), analyses[2], str(tmp_path / "figure.jpg"))
    assert not list(tmp_path.iterdir())


def test_unknown_figures_are_refused_by_name():
    with pytest.raises(AdjudgeError, match=r"there are: .*scores"):
        FIGURES.named("pie")


def test_systems_keep_their_colour(analyses):
    """In the order of the ranking, whatever the figure's own order; the reference is black."""
    analysis = analyses[12]
    colours = colours_of(analysis, LIGHT)
    placed = [colours[system] for system in analysis.ranking.systems]
    assert placed == [*LIGHT.systems, *[LIGHT.other] * (len(placed) - COLOURED)]
    assert [colours[s] for s in colours if is_reference(s)] == [LIGHT.ink]
    best = analysis.methods.systems[0]
    beside = {
        name: _dot_beside(FIGURES.named(name).draw(analysis, LIGHT), labels_of(analysis)[best])
        for name in _possible(analysis)
    }
    dotted = {name: colour for name, colour in beside.items() if colour is not None}
    assert dotted == dict.fromkeys(dotted, colours[best])
    assert len(dotted) >= 5


def _dot_beside(canvas: Canvas, label: str) -> str | None:
    """The colour of the dot at the left edge in the line of a label, if the figure has such."""
    line = next((words.y for words in canvas.words if words.text == label), None)
    dots = {
        mark.steps[0][1][1]: mark.edge
        for mark in canvas.marks
        if isinstance(mark, Shape) and mark.steps[0][1][0] == 5
    }
    return None if line is None or not dots else dots[min(dots, key=lambda y: abs(y - line))]


def test_head_to_head_writes_the_shares_with_their_marks(analyses):
    found = analyses[12].head_to_head
    canvas = FIGURES.named("head-to-head").draw(analyses[12], LIGHT)
    written = [words.text for words in canvas.words]
    for share, p in zip(found.share, found.p_adjusted, strict=True):
        assert f"{share:.2f}".removeprefix("0") + mark(p) in written
    assert "‡" in "".join(written)


def test_tournament_frames_the_parts_and_draws_what_goes_back_up(analyses):
    analysis = analyses[12]
    least = minimum_feedback_arc_set(analysis.counts)
    canvas = FIGURES.named("tournament").draw(analysis, LIGHT)
    arcs = [
        mark.steps
        for mark in canvas.marks
        if isinstance(mark, Shape) and "C" in [letter for letter, _ in mark.steps]
    ]
    assert len(arcs) == len(least.reversed)
    for (_, begin), (_, curve) in arcs:  # from the lower system up to the upper one
        assert begin[1] > curve[-1]
    notes = FIGURES.named("tournament").table(analysis).notes
    assert len(notes) == len(least.reversed)


def test_outputs_of_several_systems_and_letters_of_any_script_can_be_drawn():
    """Where systems share an output it is a candidate of its own, named after both."""
    blocks = [{"中文 Ελ": 1, join_systems(["שלום", "B"]): 2, "C\ufffe": 3}] * 12
    table = judgement_table(
        pl.DataFrame(
            {"pair": "a-b", "ranking": number, "output": output, "rank": rank}
            for number, block in enumerate(blocks)
            for output, rank in block.items()
        )
    )
    analysis = analyse(table, Settings(replicates=50, outputs="collapsed"))[0]
    root = ElementTree.fromstring(svg(FIGURES.named("scores"), analysis))
    texts = [one.text for one in root.iter("text")]
    assert {"中文 Ελ", "B, שלום", "C�"} <= set(texts)


def test_one_judge_is_compared_with_nobody():
    one_judge = campaign(12).with_columns(pl.lit("me").cast(pl.Categorical()).alias("judge"))
    with pytest.raises(NotEnoughData):
        FIGURES.named("judges").table(analyse(one_judge, SETTINGS)[0])


@pytest.mark.parametrize(("seconds", "step"), [(0.0, 1), (25.0, 1), (299.0, 10)])
def test_every_timed_item_is_in_a_bar(seconds, step):
    table = campaign(2)
    times = pl.when(pl.col("ranking") % 2 == 0).then(seconds).otherwise(seconds / 2)
    protocol = pl.when(pl.col("ranking") % 3 == 0).then(pl.lit("ranking")).cast(pl.Categorical())
    analysis = analyse(
        table.with_columns(
            times.alias("seconds"), protocol.alias("protocol"), time=pl.lit(None)
        ).cast({"time": table["time"].dtype}),
        SETTINGS,
    )[0]
    rows = FIGURES.named("time-per-item").table(analysis).rows
    assert {row["seconds_to"] - row["seconds_from"] for row in rows} == {step}
    answered = table.drop_nulls("output")["ranking"].n_unique()
    assert sum(row["items"] for row in rows) == answered
    assert {row["protocol"] for row in rows} == {"ranking", None}
    assert svg(FIGURES.named("time-per-item"), analysis).count("median") == 1 + 3


def test_a_pair_of_wmt15_has_the_figures_its_judgements_can_give(shared_data):
    table = read(str(shared_data / "wmt15" / "wmt15.xml.gz"))
    analysis = analyse(table.filter(pl.col("pair") == "fre-eng"), SETTINGS)[0]
    assert _lacking(analysis) >= {"source", "reference"}
    for name in _possible(analysis):
        assert len(svg(FIGURES.named(name), analysis)) < 40_000, name
    assert "7 systems" in FIGURES.named("scores").alt(analysis)
