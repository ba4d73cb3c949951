"""Folder of all resources learned from one parallel text (WMT13 §6.4).

Language models and n-gram counts of both sides and lexical tables in both directions. The folder is
a cache: `resources.json` records its inputs, and is written last. Resources of the same text and
settings are read instead of being learned again.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.core.files.output import open_output
from adjudge.core.parallel import progress
from adjudge.text.resources import lexical_table, ngram_counts
from adjudge.text.resources.corpus import Corpus, encode
from adjudge.text.resources.language_model import kneser_ney
from adjudge.text.resources.language_model.model import LanguageModel
from adjudge.text.resources.lexical_table import LexicalTable
from adjudge.text.resources.ngram_counts import NgramCounts

CARD = "resources.json"
FORMAT = 1  # counts up when the files change
_PARTS: dict[str, Any] = {
    "source_model": LanguageModel,
    "target_model": LanguageModel,
    "source_counts": NgramCounts,
    "target_counts": NgramCounts,
    "forward": LexicalTable,
    "backward": LexicalTable,
}


@dataclass(frozen=True)
class Recipe:
    """Inputs and settings of the resources."""

    source: str  # SHA-256 of the files
    target: str
    tokenize: str  # how lines became tokens
    lowercase: bool
    order: int = 3  # of the language models
    iterations: int = 5  # of IBM Model 1
    # SHA-256 of language models that were given, not trained.
    source_model: str | None = None
    target_model: str | None = None

    @property
    def hash(self) -> str:
        """Hash of text and settings."""
        written = json.dumps(asdict(self) | {"format": FORMAT}, sort_keys=True)
        return hashlib.sha256(written.encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class Resources:
    """Resources used by features."""

    recipe: Recipe
    sentences: int
    source_model: LanguageModel
    target_model: LanguageModel
    source_counts: NgramCounts
    target_counts: NgramCounts
    forward: LexicalTable  # p(target | source)
    backward: LexicalTable  # p(source | target)

    def save(self, folder: str) -> None:
        """Write a folder; the card of earlier resources is removed before anything changes."""
        place = Path(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
            (place / CARD).unlink(missing_ok=True)
        except OSError as error:
            raise AdjudgeError(
                f"{folder}: cannot be made ({error.strerror}); choose another"
            ) from None
        for name in _PARTS:
            getattr(self, name).save(str(place / f"{name}.npz"))
        card = {"format": FORMAT, "sentences": self.sentences, **asdict(self.recipe)}
        with open_output(str(place / CARD)) as stream:
            stream.write(json.dumps(card, indent=1).encode())

    @classmethod
    def load(cls, folder: str) -> "Resources":
        """Read what `save` wrote."""
        recipe, sentences = _card(folder)
        parts = {
            name: kind.load(str(Path(folder) / f"{name}.npz")) for name, kind in _PARTS.items()
        }
        return cls(recipe, sentences, **parts)


def train(
    source: Sequence[Sequence[str]],
    target: Sequence[Sequence[str]],
    recipe: Recipe,
    source_model: LanguageModel | None = None,
    target_model: LanguageModel | None = None,
) -> Resources:
    """Learn all resources from tokenised parallel lines.

    Given language models are used as they are.
    """
    if len(source) != len(target):
        raise BadParameter(
            f"`source` has {len(source):,} lines, `target` has {len(target):,}; "
            "they must be parallel"
        )
    coded: tuple[Corpus, Corpus] = (encode(source), encode(target))
    steps: dict[str, Callable[[], Any]] = {
        "source_model": lambda: source_model or kneser_ney.train(coded[0], recipe.order),
        "target_model": lambda: target_model or kneser_ney.train(coded[1], recipe.order),
        "source_counts": lambda: ngram_counts.count(coded[0]),
        "target_counts": lambda: ngram_counts.count(coded[1]),
        "forward": lambda: lexical_table.train(coded[0], coded[1], recipe.iterations),
        "backward": lambda: lexical_table.train(coded[1], coded[0], recipe.iterations),
    }
    named = [(name.replace("_", " "), name) for name in steps]
    parts: dict[str, Any] = {name: steps[name]() for name in progress(named)}
    return Resources(recipe, len(source), **parts)


def cached(folder: str, recipe: Recipe) -> Resources | None:
    """Read the resources in a folder if they were made by this very recipe."""
    if not (Path(folder) / CARD).is_file():
        return None
    try:
        found, _ = _card(folder)
        return Resources.load(folder) if found == recipe else None
    except InputError:
        return None  # damaged, or of another version: they are made anew


def _card(folder: str) -> tuple[Recipe, int]:
    """Read the recipe of a folder, and the number of lines."""
    path = Path(folder) / CARD
    remedy = "make them with `adjudge quality resources`"
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        version, sentences = card.pop("format"), int(card.pop("sentences"))
        recipe = Recipe(**card)
    except FileNotFoundError:
        raise InputError(f"holds no resources; {remedy}", file=folder) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"is not a card of resources; {remedy} again", file=str(path)) from None
    if version != FORMAT:
        raise InputError(
            f"resources of another version ({version}, not {FORMAT}); {remedy} again", file=folder
        )
    return recipe, sentences
