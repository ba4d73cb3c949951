"""Word alignments of outputs with the source, read from files or learned from the texts.

Files are in the format of Pharaoh, GIZA++'s tools and fast_align: `0-0 1-2`, one line per sentence.
"""

from collections.abc import Mapping, Sequence

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.input_file import InputFile
from adjudge.segments.sentences import Sentences, check_parallel
from adjudge.text.resources.alignment.eflomal import align_with_eflomal
from adjudge.text.resources.alignment.model import align

Alignment = Mapping[int, Sequence[int]]  # source word → target words

ALIGNERS = {"diagonal": align, "eflomal": align_with_eflomal}


def read_alignments(
    files: Mapping[str, str], sources: Sentences, outputs: Mapping[str, Sentences]
) -> dict[str, list[Alignment]]:
    """Read the alignments of every system from files."""
    for name in outputs:
        if name not in files:
            raise AdjudgeError(
                f"the outputs of {name} have no alignment; give `alignment` for every system, or "
                "for none and they are aligned here"
            )
    for name in files:
        if name not in outputs:
            raise AdjudgeError(f"`alignment` has {name}, of which there are no outputs")
    return {name: read_pharaoh(files[name], sources, own) for name, own in outputs.items()}


def learn_alignments(
    sources: Sentences,
    reference: Sentences,
    outputs: Mapping[str, Sentences],
    corpus: tuple[Sentences, Sentences] | None = None,
    aligner: str = "diagonal",
) -> dict[str, list[Alignment]]:
    """Learn the alignments of every system from all outputs, the reference and a corpus."""
    left = [sentence for _ in range(len(outputs) + 1) for sentence in sources]
    right = [sentence for own in outputs.values() for sentence in own] + list(reference)
    if corpus is not None:
        left += corpus[0]
        right += corpus[1]
    links = ALIGNERS[aligner](left, right)
    return {
        name: list(links[place * len(sources) : (place + 1) * len(sources)])
        for place, name in enumerate(outputs)
    }


def read_pharaoh(path: str, sources: Sentences, outputs: Sentences) -> list[Alignment]:
    """Read the alignments of a file."""
    file = InputFile(path)
    lines = file.text.removesuffix("\n").split("\n")
    check_parallel(path, len(lines), "the source", len(sources))
    alignments: list[Alignment] = []
    for number, line in enumerate(lines, 1):
        links: dict[int, list[int]] = {}
        for pair in line.split():
            left, dash, right = pair.partition("-")
            if not dash or not left.isdecimal() or not right.isdecimal():
                raise file.bad_line(
                    number, f"{pair!r} is not a link like 3-4; give Pharaoh's format"
                )
            word, target = int(left), int(right)
            if word >= len(sources[number - 1]) or target >= len(outputs[number - 1]):
                raise file.bad_line(
                    number,
                    f"the link {pair} is out of range: the source has {len(sources[number - 1])} "
                    f"words, the output {len(outputs[number - 1])}; align these texts again",
                )
            links.setdefault(word, []).append(target)
        alignments.append(links)
    return alignments
