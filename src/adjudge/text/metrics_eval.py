"""The folder layout of mt-metrics-eval.

`sources/PAIR.txt`, `references/PAIR.NAME.txt`, `documents/PAIR.docs` (domain, tab, document),
`system-outputs/PAIR/SYSTEM.txt`, where the references stand among the systems too.
"""

from pathlib import Path

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.text.documents import read_documents
from adjudge.text.plain import read_plain
from adjudge.text.testset import TestSet, assemble


def pairs_of(folder: str) -> list[str]:
    """The language pairs of a folder."""
    return sorted(path.stem for path in (Path(folder) / "sources").glob("*.txt"))


def read_folder(folder: str, pair: str | None = None) -> TestSet:
    """The test set of one language pair, its references in the order of their names."""
    root = Path(folder)
    pairs = pairs_of(folder)
    if not pairs:
        raise InputError("has no sources/*.txt; is it mt-metrics-eval's layout?", file=folder)
    if (pair is None and len(pairs) > 1) or pair not in (None, *pairs):
        raise InputError(f"holds {', '.join(pairs)}; choose one with `pair`", file=folder)
    pair = pair or pairs[0]
    references = {
        path.name.removeprefix(f"{pair}.").removesuffix(".txt"): path
        for path in sorted((root / "references").glob(f"{pair}.*.txt"))
    }
    systems = {
        path.stem: read_plain(InputFile(str(path)))
        for path in sorted((root / "system-outputs" / pair).glob("*.txt"))
        if path.stem not in references
    }
    columns = [read_plain(InputFile(str(path))) for path in references.values()]
    documents = root / "documents" / f"{pair}.docs"
    source_language, _, target_language = pair.partition("-")
    return assemble(
        read_plain(InputFile(str(root / "sources" / f"{pair}.txt"))),
        columns[0] if columns else None,
        systems,
        read_documents(InputFile(str(documents))) if documents.is_file() else None,
        (source_language, target_language),
        columns[1:],
    )
