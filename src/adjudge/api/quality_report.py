"""What a model of quality is worth: a report on held-out data, and what using it would bring."""

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from adjudge.api.parallel_lines import Beside
from adjudge.api.quality_training import quality_model
from adjudge.api.result import Result
from adjudge.core.errors import BadParameter
from adjudge.core.signature import Signature

if TYPE_CHECKING:
    from adjudge.quality.models.train import Trained
    from adjudge.quality.reading import QualityData
    from adjudge.quality.studies.held_out import HeldOut
    from adjudge.quality.studies.selective_editing import SelectiveEditing
    from adjudge.quality.studies.system_selection import Picking
    from adjudge.stats.resampling import Unit
    from adjudge.text.resources.bundle import Resources


def quality_gain(
    model: str,
    *data: str,
    resources: str | None = None,
    pseudo_reference: Mapping[str, str] | None = None,
    source_tags: str | None = None,
    target_tags: str | None = None,
    split: str | None = None,
    pair: str | None = None,
    unit: "Unit" = "auto",
    replicates: int = 1000,
    seed: int = 1,
    confidence: float = 0.95,
) -> "Result[SelectiveEditing | Picking]":
    """What using a model would bring, on translations that it was not trained on.

    Of a number with a best end (HTER, effort): how much is saved where only the worst
    translations by prediction are post-edited, beside an oracle and chance. Of ranks: how good
    the translation is that the model picks of several, beside every single system and chance.

    Parameters
    ----------
    model : str
        The file of the model.
    *data : str
        Translations whose quality is known, in any layout of docs/quality.md.
    resources : str, optional
        The folder of resources that the model was trained with.
    pseudo_reference : mapping of str to str, optional
        For the name of another system, the file of its translations, a line for each row.
    source_tags, target_tags : str, optional
        Files with the parts of speech of every token, a line for each row.
    split, pair : str, optional
        Only this part of the data ("test"), only this language pair.
    unit : {"auto", "segment", "document", "none"}
        What is drawn; "auto" draws documents where at least ten are known.
    replicates, seed, confidence
        How often is drawn, from which seed, and the level of intervals.

    Returns
    -------
    Result
        One `SelectiveEditing` or `Picking`; `plot()` draws it.

    Raises
    ------
    InputError
        If a file cannot be read, or is no model of this version.
    BadParameter
        If the model was trained on these data, or with other resources.
    NotEnoughData
        If its predictions say neither what to edit nor what to pick.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> def file(name, first):
    ...     with open(os.path.join(folder, name), "w") as stream:
    ...         _ = stream.write("source\\ttarget\\thter\\n")
    ...         for n in range(first, first + 30):
    ...             _ = stream.write(f"{'a ' * n}cat .\\t{'ein ' * n}Katze .\\t{n / 90}\\n")
    ...     return os.path.join(folder, name)
    >>> trained = adjudge.train_quality(file("train.tsv", 1), learner="pls", feature="counts")
    >>> trained[0].save(os.path.join(folder, "model.adjudge"))
    >>> gain = adjudge.quality_gain(os.path.join(folder, "model.adjudge"), file("test.tsv", 20))
    >>> [round(saved.value, 2) for saved in gain.saved[:5:2]]
    [0.0, 0.14, 0.27]
    """
    from adjudge.quality.studies.selective_editing import selective_editing
    from adjudge.quality.studies.system_selection import picking

    asked = {"unit": unit, "replicates": replicates, "seed": seed, "confidence": confidence}
    lines = Beside(pseudo_reference, source_tags, target_tags)
    trained, read, known = _opened(model, data, resources, split, pair, lines)
    held = _held_out(trained, read, known, asked)
    found: SelectiveEditing | Picking
    found = picking(held) if trained.task == "selection" else selective_editing(held)
    told: dict[str, Any] = {"split": split, "pair": pair, "resources": trained.card.resources}
    told |= {"beside": lines.named} | asked
    signed = {name: value for name, value in told.items() if value is not None}
    digest = _input(model, read)
    return Result((found,), Signature("quality_gain", {}, signed, digest))


def quality_report(
    path: str,
    model: str,
    *data: str,
    training: str | Sequence[str] = (),
    baseline: str | None = None,
    resources: str | None = None,
    pseudo_reference: Mapping[str, str] | None = None,
    source_tags: str | None = None,
    target_tags: str | None = None,
    split: str | None = None,
    pair: str | None = None,
    unit: "Unit" = "auto",
    replicates: int = 1000,
    seed: int = 1,
    confidence: float = 0.95,
    title: str | None = None,
    to: str | None = None,
    workers: int = 1,
    engine: str | None = None,
) -> None:
    """Write a report on a model, on translations that it was not trained on.

    Scores beside a baseline, predicted against true numbers, how often intervals hold, what the
    model leans on, what more data would bring, what using it would bring, and its worst errors.

    Parameters
    ----------
    path : str
        Where it goes: .html, .tex or .md.
    model : str
        The file of the model.
    *data : str
        Translations whose quality is known.
    training : str or sequence of str
        The data that the model was trained on, for its learning curve; their split is known.
    baseline : str, optional
        A file of predictions by somebody else for the same data, to be held against.
    resources : str, optional
        The folder of resources that the model was trained with.
    pseudo_reference : mapping of str to str, optional
        For the name of another system, the file of its translations, a line for each row.
    source_tags, target_tags : str, optional
        Files with the parts of speech of every token, a line for each row.
    split, pair : str, optional
        Only this part of the data ("test"), only this language pair.
    unit : {"auto", "segment", "document", "none"}
        What is drawn; "auto" draws documents where at least ten are known.
    replicates, seed, confidence
        How often is drawn, from which seed, and the level of intervals.
    title : str, optional
        The heading of the page.
    to : {"html", "latex", "markdown"}, optional
        What is written, whatever the ending.
    workers, engine
        On how many processes; or on the Dask cluster at "dask://HOST:PORT".

    Raises
    ------
    InputError
        If a file cannot be read, or is no model of this version.
    BadParameter
        If the model was trained on these data or with other resources, or not on `training`.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> def file(name, first):
    ...     with open(os.path.join(folder, name), "w") as stream:
    ...         _ = stream.write("source\\ttarget\\thter\\n")
    ...         for n in range(first, first + 30):
    ...             _ = stream.write(f"{'a ' * n}cat .\\t{'ein ' * n}Katze .\\t{n / 90}\\n")
    ...     return os.path.join(folder, name)
    >>> trained = adjudge.train_quality(file("train.tsv", 1), learner="pls", feature="counts")
    >>> model, page = (os.path.join(folder, name) for name in ("model.adjudge", "page.html"))
    >>> trained[0].save(model)
    >>> adjudge.quality_report(page, model, file("test.tsv", 20), replicates=50)
    >>> os.path.getsize(page) > 10_000
    True
    """
    from adjudge.api.reports import write_sections
    from adjudge.core.parallel import Engine
    from adjudge.core.version import __version__
    from adjudge.quality.evaluation.submissions import read_submission
    from adjudge.quality.studies.study import study
    from adjudge.report.build import form_for
    from adjudge.report.quality_report import quality_sections, quality_steps, title_of
    from adjudge.report.sections import SectionedReport

    form = form_for(path, to)
    asked = {"unit": unit, "replicates": replicates, "seed": seed, "confidence": confidence}
    lines = Beside(pseudo_reference, source_tags, target_tags)
    trained, read, known = _opened(model, data, resources, split, pair, lines)
    learned = (training,) if isinstance(training, str) else tuple(training)
    others = [] if baseline is None else [read_submission(baseline)]
    held = _held_out(trained, read, known, asked)
    found = study(held, _training(trained, learned), known, others, seed, Engine(workers, engine))
    told: dict[str, Any] = {"split": split, "pair": pair, "resources": trained.card.resources}
    told |= {"beside": lines.named} | asked
    signed = {name: value for name, value in told.items() if value is not None}
    options = {
        "training": list(learned), "baseline": baseline, "resources": resources,
        "pseudo_reference": [f"{name}={path}" for name, path in (pseudo_reference or {}).items()],
        "source_tags": source_tags, "target_tags": target_tags, "split": split, "pair": pair,
        **_unusual(asked), "title": title, "output": path,
    }  # fmt: skip
    report = SectionedReport(
        title_of(trained) if title is None else title,
        __version__,
        _inputs((model, *data, *learned, *([baseline] if baseline else []))),
        _command(model, data, options),
        str(Signature("quality_report", {}, signed, _input(model, read))),
        quality_sections(found, "none" if path == "-" else form.images),
        quality_steps(found),
    )
    write_sections(report, form, path)


_USUAL = {"unit": "auto", "replicates": 1000, "seed": 1, "confidence": 0.95}


def _unusual(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value != _USUAL[name]}


def _opened(
    model: str,
    data: Sequence[str],
    resources: str | None,
    split: str | None,
    pair: str | None,
    lines: Beside,
) -> "tuple[Trained, QualityData, Resources | None]":
    from adjudge.quality.reading import read_quality
    from adjudge.text.resources.bundle import Resources

    trained = quality_model(model)[0]
    read = lines.added_to(read_quality(data, split=split, pair=pair))
    return trained, read, None if resources is None else Resources.load(resources)


def _held_out(
    trained: "Trained", read: "QualityData", known: "Resources | None", asked: Mapping[str, Any]
) -> "HeldOut":
    from adjudge.quality.studies.held_out import held_out
    from adjudge.stats.resampling import Resampling

    drawn = Resampling(asked["unit"], asked["replicates"], asked["seed"], asked["confidence"])
    return held_out(trained, read, known, drawn)


def _training(trained: "Trained", paths: Sequence[str]) -> "QualityData | None":
    """The data that the model learned from; others are refused."""
    from adjudge.quality.models.train import fingerprint
    from adjudge.quality.reading import read_quality

    if not paths:
        return None
    chosen = Signature.parse(trained.card.signature, frozenset()).parameters
    read = read_quality(paths, split=chosen.get("split"), pair=chosen.get("pair"))
    if fingerprint(trained.learned_task(read.table).table) != trained.card.learned_from:
        raise BadParameter("`training` are not the data that the model was trained on; give those")
    return read


def _input(model: str, read: "QualityData") -> str:
    """The hash of a model and data."""
    from adjudge.core.files.input_file import InputFile

    digests = f"{InputFile(model).sha256}\n{read.hash}"
    return f"sha256-{hashlib.sha256(digests.encode()).hexdigest()}"


def _inputs(paths: Sequence[str]) -> list[Any]:
    """The files; a folder, or the beginning that files share, by the hash of all of them."""
    from pathlib import Path

    from adjudge.quality.reading import files_hash
    from adjudge.report.contents import Input

    return [
        Input.of(path) if path == "-" or Path(path).is_file() else Input(path, files_hash(path))
        for path in paths
    ]


def _command(model: str, data: Sequence[str], options: Mapping[str, Any]) -> str:
    """The command that writes it again; none where data came through a pipe."""
    if "-" in data:
        return ""
    words = ["adjudge", "quality", "report", model, *data]
    for name, values in options.items():
        for value in values if isinstance(values, list) else [values]:
            if value is not None:
                words += [f"--{name}", str(value)]
    return shlex.join(words)
