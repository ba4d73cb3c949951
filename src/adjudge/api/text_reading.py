"""Ways to texts for metrics: from files, from a test set, from lists of lines."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudge.api.texts import Texts
from adjudge.core.errors import BadParameter
from adjudge.core.files.input_file import InputFile
from adjudge.data.source import TextSource

if TYPE_CHECKING:
    from adjudge.metrics.metric_inputs import Material


def read_texts(
    system: Mapping[str, str] | None = None,
    reference: str | Sequence[str] = (),
    *,
    documents: str | None = None,
    testset: str | None = None,
    pair: str | None = None,
    workers: int = 1,
) -> Texts:
    """Read outputs of systems and references, for metrics.

    Parameters
    ----------
    system : mapping of str to str
        A file for the name of every system: plain text, a segment a line, or WMT XML.
    reference : str or sequence of str
        The file of the reference, or of several.
    documents : str, optional
        A file that names the document of every segment (docs/campaigns.md).
    testset : str, optional
        Instead of all that: a WMT XML file, or a folder in mt-metrics-eval's layout.
    pair : str, optional
        Which language pair of the folder; with files, what to call theirs.
    workers : int
        Processes for metrics that are slow, such as METEOR; results are the same on any number.

    Returns
    -------
    Texts

    Raises
    ------
    InputError
        If a file cannot be read, or has not as many lines as the reference.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> for name, text in {"ref": "the cat sat", "A": "a cat sat"}.items():
    ...     with open(os.path.join(folder, name), "w") as file:
    ...         _ = file.write(text)
    >>> adjudge.read_texts({"A": os.path.join(folder, "A")}, os.path.join(folder, "ref"))
    1 segments, 1 systems, 1 references
    """
    from adjudge.metrics import metric_inputs as reading

    references = [reference] if isinstance(reference, str) else list(reference)
    if testset is not None:
        if system or references or documents:
            raise BadParameter("`testset` has references and systems; give it alone")
        whole = _known_by_content(reading.read_testset(testset, pair))
        source = TextSource(((testset, whole.hash),), {"testset": testset})
        return replace(whole, source=source, workers=workers)
    systems = dict(system or {})
    given = reading.read_files(references, systems, documents)
    paths = [*references, *systems.values(), *([] if documents is None else [documents])]
    hashed = tuple((path, InputFile(path).sha256) for path in paths)
    digest = hashlib.sha256("\n".join(sha256 for _, sha256 in hashed).encode())
    told = {
        "reference": references,
        "system": [f"{name}={path}" for name, path in systems.items()],
        "documents": documents,
    }
    files = {
        "system": list(systems),
        "references": len(references),
        **({} if documents is None else {"documents": True}),
        **({"pair": pair} if pair else {}),
    }
    source = TextSource(hashed, told)
    return Texts(replace(given, pair=pair or ""), digest.hexdigest(), files, source, workers)


def from_texts(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    documents: Sequence[str] | None = None,
    pair: str = "",
) -> Texts:
    """Outputs of systems and references in memory, for metrics.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        The lines of every system.
    references : sequence of sequences of str
        The lines of every reference.
    documents : sequence of str, optional
        The document of every line.
    pair : str
        The language pair, such as "en-de".

    Returns
    -------
    Texts

    Raises
    ------
    InputError
        If a text has not as many lines as the first reference.

    Examples
    --------
    >>> import adjudge
    >>> adjudge.from_texts({"A": ["a cat sat"]}, [["the cat sat"]]).systems
    ('A',)
    """
    from adjudge.metrics.metric_inputs import checked
    from adjudge.text.testset import Column

    if isinstance(references, str) or any(isinstance(lines, str) for lines in references):
        raise BadParameter("`references` holds one list of lines for every reference")
    columns = [
        Column(f"reference {number}", tuple(map(str, lines)))
        for number, lines in enumerate(references, 1)
    ]
    named = {name: Column(name, tuple(map(str, lines))) for name, lines in systems.items()}
    given = checked(columns, named, None if documents is None else tuple(documents))
    return _known_by_content(replace(given, pair=pair))


def _known_by_content(given: "Material") -> Texts:
    digest = hashlib.sha256()
    for lines in (*given.references, *given.systems.values(), given.documents or ()):
        digest.update("\n".join(lines).encode("utf-8", "surrogatepass") + b"\0")
    digest.update("\0".join(given.systems).encode())
    return Texts(given, digest.hexdigest())
