"""`adjudge segments`: the database of ranked segments, and what it says of unseen systems."""

import sys
from typing import TYPE_CHECKING, Annotated, Literal

from adjudge.cli.metrics import named_files
from adjudge.cli.options import Format, Output, on_judgements, show
from adjudge.cli.parser import option
from adjudge.cli.plot import drawable
from adjudge.core.options import Seed

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements


MatchingChoice = Literal["closest", "exact", "predicted"]


AveragedChoice = Literal["systems", "segments"]


ByChoice = Literal["system", "distance"]


AlignerChoice = Literal["diagonal", "eflomal"]


Replicates = Annotated[int, option(min=1, help="How many replicates of sentences.")]
Confidence = Annotated[float, option(help="Confidence level of intervals.")]
Averaged = Annotated[AveragedChoice, option(help="Mean rank of several nearest: over what?")]


@on_judgements
def database(
    judgements: "Judgements",
    write: Annotated[
        str | None, option(help="Write the database here, in the format of its ending.")
    ] = None,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """What campaigns, SegRanks exports and databases hold together; --write makes one file."""
    result = judgements.segments().info()
    if write is not None:
        lost = judgements.segments().write(write)
        if lost:
            print(
                f"adjudge: {write}: its format has no place for {', '.join(lost)}", file=sys.stderr
            )
    show([result], to, output)


@on_judgements
def rank(
    judgements: "Judgements",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Systems by the ratio of wins of their segments, sentences resampled (Table 3.1)."""
    check_confidence(confidence)
    result = judgements.segments().rank(replicates=replicates, seed=seed, level=confidence)
    show([result], to, output)


@on_judgements
def beside(
    judgements: "Judgements",
    sentences: Annotated[
        list[str],
        option(
            "--sentences",
            metavar="FILE",
            help="Judgements of whole sentences (repeatable) [those of the same files].",
        ),
    ] = [],  # noqa: B006
    examples: Annotated[
        int, option(min=0, help="Show so many sentences on which they disagree instead.")
    ] = 0,
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Segments beside whole sentences: rankings, τ, disagreement (Tables 3.1, 3.2)."""
    check_confidence(confidence)
    result = judgements.segments().beside(
        sentences or None, examples=examples, replicates=replicates, seed=seed, level=confidence
    )
    show([result], to, output)


@on_judgements
def coverage(
    judgements: "Judgements",
    trees: Annotated[
        str | None,
        option(help="Parse trees of all sentences, to tell predicates (Penn, CoNLL-U)."),
    ] = None,
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """How many words and predicates the judged segments cover."""
    check_confidence(confidence)
    result = judgements.segments().coverage(
        trees, replicates=replicates, seed=seed, level=confidence
    )
    show([result], to, output)


@on_judgements
def leave_one_out(
    judgements: "Judgements",
    matching: Annotated[
        MatchingChoice, option(help="How an unseen candidate gets a rank.")
    ] = "closest",
    averaged: Averaged = "systems",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Take each system for unseen and score it by what the others made (Tables 3.3, 3.4)."""
    check_confidence(confidence)
    result = judgements.segments().leave_one_out(
        matching=matching,
        averaged=averaged,
        replicates=replicates,
        seed=seed,
        level=confidence,
    )
    show([result], to, output)


@on_judgements
def closest(
    judgements: "Judgements",
    by: Annotated[ByChoice, option(help="What the table tells apart.")] = "system",
    averaged: Averaged = "systems",
    examples: Annotated[int, option(min=0, help="Show so many single candidates instead.")] = 0,
    seed: Seed = 1,
    figure: Annotated[
        str | None,
        option(
            "--figure",
            help="Draw it, too: .svg, .pdf or .png.",
            check=drawable,
        ),
    ] = None,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Has the nearest candidate the rank of the one it stands for? (Tables 3.5, 3.6)"""
    result = judgements.segments().closest(averaged=averaged, by=by, examples=examples, seed=seed)
    if figure is not None:
        result.plot().save(figure)
    show([result], to, output)


@on_judgements
def bleu(
    judgements: "Judgements",
    text: Annotated[
        list[str],
        option("--text", metavar="NAME=FILE", help="Outputs of a system (repeatable)."),
    ],
    reference_text: Annotated[
        str, option("--reference-text", help="The reference, a line a sentence.")
    ],
    lowercase: Annotated[bool, option("--lowercase", help="Let case not matter.")] = False,
    replicates: Annotated[int, option(min=1, help="How many replicates.")] = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """SegRanksBLEU: the best-ranked segments as further references (Table 3.7)."""
    check_confidence(confidence)
    result = judgements.segments().bleu(
        named_files(text, "--text"),
        reference_text,
        lowercase=lowercase,
        replicates=replicates,
        seed=seed,
        level=confidence,
    )
    show([result], to, output)


def extract(
    source: Annotated[str, option(help="The source, a sentence a line.")],
    reference: Annotated[str, option(help="The reference.")],
    system: Annotated[
        list[str],
        option("--system", metavar="NAME=FILE", help="Outputs of a system (repeatable)."),
    ],
    write: Annotated[
        str | None, option(help="Write segments.tsv, for `campaign create --segments`.")
    ] = None,
    trees: Annotated[
        str | None,
        option(
            help="Parse trees of the source: Penn brackets, or CoNLL-U. Words then stand between "
            "blanks. [default: spaCy makes them]"
        ),
    ] = None,
    alignment: Annotated[
        list[str],
        option(
            "--alignment",
            metavar="NAME=FILE",
            help="Its alignment, as in Pharaoh (repeatable). [default: learnt from the texts]",
        ),
    ] = [],  # noqa: B006  (it is only read)
    parser: Annotated[
        str | None,
        option(help="A pipeline of spaCy, by name or folder. [default: the one installed]"),
    ] = None,
    tokenize: Annotated[
        str | None,
        option(help="What splits all texts into words, such as none or intl."),
    ] = None,
    corpus: Annotated[
        tuple[str, str] | None,
        option(metavar="SOURCE TARGET", help="Parallel texts to learn the alignment from."),
    ] = None,
    aligner: Annotated[
        AlignerChoice, option(help="What learns it; eflomal must be installed.")
    ] = "diagonal",
    constituents: Annotated[
        bool, option("--constituents", help="Constituents as WMT07 chose them.")
    ] = False,
    shortest: Annotated[
        int | None, option(help="Fewest words of a segment. [default: 3; constituents 4]")
    ] = None,
    longest: Annotated[
        int | None, option(help="Most words of a segment. [default: 6; constituents 15]")
    ] = None,
    predicates: Annotated[
        bool, option("--predicates", help="Add segments for verbs that no other covers.")
    ] = False,
    contiguous: Annotated[
        bool, option("--contiguous", help="Do not close gaps between aligned words.")
    ] = False,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Short segments of a source and what systems made of them (Algorithm 1)."""
    from adjudge.api.segment_extraction import extract_segments

    result = extract_segments(
        source,
        reference,
        named_files(system, "--system"),
        trees=trees,
        alignment=named_files(alignment, "--alignment"),
        parser=parser,
        tokenize=tokenize,
        corpus=corpus,
        aligner=aligner,
        constituents=constituents,
        shortest=shortest,
        longest=longest,
        predicates=predicates,
        contiguous=contiguous,
    )
    if write is not None:
        result.write_segments(write)
    show([result], to, output)


def check_confidence(confidence: float) -> None:
    from adjudge.core.errors import within

    within(confidence, "confidence", 0, 1, open_ends=True)  # the door calls it level
