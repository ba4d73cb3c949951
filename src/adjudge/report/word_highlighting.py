"""Sentences with words highlighted by probability, in colour and with additional marks."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.core.tables.render import latex as latex_text
from adjudge.core.tables.render import markdown_text
from adjudge.quality.studies.errors import LabelledSentence, LabelledWord
from adjudge.report.drawing.theme import STEPS

CHANGED = "✗"  # after a word that people changed
LEGEND = (
    "The stronger the colour of a word, the likelier it is changed. Underlined: the model would "
    f"change it, with the chance in percent. {CHANGED}: people changed it."
)

BOLD_LEGEND = (
    f"Bold: the model would change it, with the chance in percent. {CHANGED}: people changed it."
)


@dataclass(frozen=True)
class MarkedWord:
    """Word with its colour step and its prediction."""

    text: str
    step: int  # from 0
    percent: int
    named: bool  # would the model change it?
    changed: bool  # did people?


@dataclass(frozen=True)
class MarkedSentence:
    """Sentence of highlighted words, with its source."""

    about: str
    source: str
    words: Sequence[MarkedWord]


def marked(sentence: LabelledSentence, kept: str) -> MarkedSentence:
    """Highlight a sentence for the report; `kept` is the label of unchanged words."""
    return MarkedSentence(
        f"segment {sentence.segment}",
        sentence.source,
        [_word(word, kept) for word in sentence.words],
    )


def _word(word: LabelledWord, kept: str) -> MarkedWord:
    return MarkedWord(
        word.text,
        min(int(word.chance * STEPS), STEPS - 1),
        round(100 * word.chance),
        word.predicted != kept,
        word.true != kept,
    )


def as_markdown(sentence: MarkedSentence) -> str:
    """Format in Markdown: words predicted to change are bold, with their probability."""
    words = [
        (f"**{markdown_text(w.text)}** ({w.percent} %)" if w.named else markdown_text(w.text))
        + (f" {CHANGED}" if w.changed else "")
        for w in sentence.words
    ]
    return f"- {markdown_text(f'{sentence.about}: {sentence.source}')}  \n  {' '.join(words)}"


def as_latex(sentence: MarkedSentence) -> str:
    """Format in LaTeX."""
    words = [
        (rf"\textbf{{{latex_text(w.text)}}} ({w.percent}\,\%)" if w.named else latex_text(w.text))
        + (r"\,$\times$" if w.changed else "")
        for w in sentence.words
    ]
    about = latex_text(f"{sentence.about}: {sentence.source}")
    return rf"\item {about}\\ {' '.join(words)}"
