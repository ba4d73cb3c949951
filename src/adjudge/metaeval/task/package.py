"""Participants' package of a metrics task (Macháček 2014, appendix A).

    sources/PAIR.txt, references/PAIR.NAME.txt, documents/PAIR.docs
    system-outputs/PAIR/system-01.txt …      the outputs under names that say nothing
    baselines/METRIC.seg.score, .sys.score   a submission as it should look
    expected.tsv                             which systems, how many segments
    check_submission.py                      says what is wrong with one; needs Python alone
    submissions/                             where submissions go
    README.md

Texts are in mt-metrics-eval's layout. Who is who stands in a file of its own, beside the package.
Names are dealt out by chance, from a source that nobody can guess unless a seed is given.
"""

import random
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.core.files.output import open_output
from adjudge.metaeval.task import check_submission
from adjudge.metrics.metric import Metric
from adjudge.metrics.metric_inputs import from_testset
from adjudge.metrics.segment_scores import write_scores
from adjudge.metrics.sufficient_statistics import measure
from adjudge.text.testset import TestSet

EXPECTED = "expected.tsv"
CHECKER = "check_submission.py"
KEY_COLUMNS = ("pair", "blind", "system")


@dataclass(frozen=True)
class Package:
    """Package that was created."""

    folder: str
    key: str  # the file that says who is who
    testset: str
    names: Mapping[str, Mapping[str, str]]  # by pair: the blind name of every system
    baselines: tuple[str, ...]


def make_package(
    testsets: Mapping[str, TestSet],
    folder: str,
    baselines: Sequence[Metric],
    testset: str = "testset",
    seed: int | None = None,
) -> Package:
    """Write the package into a new folder, and the key beside it as FOLDER.key.tsv."""
    target, key = Path(folder), f"{folder.rstrip('/')}.key.tsv"
    _refuse(testsets, target, baselines, testset)
    names = {pair: _blind(whole, seed) for pair, whole in testsets.items()}
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        _write(partial, testsets, names, baselines, testset)
        lines = [
            f"{pair}\t{blind}\t{system}" for pair in names for system, blind in names[pair].items()
        ]
        with open_output(key, private=True) as stream:
            stream.write(("\n".join(["\t".join(KEY_COLUMNS), *lines]) + "\n").encode())
        partial.rename(target)
    except OSError as error:
        raise AdjudgeError(
            f"{folder}: cannot be made ({error.strerror}); choose another place"
        ) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Package(str(target), key, testset, names, tuple(each.short for each in baselines))


def _refuse(
    testsets: Mapping[str, TestSet], target: Path, baselines: Sequence[Metric], testset: str
) -> None:
    if target.exists():
        raise AdjudgeError(f"{target}: is there already; choose a new folder")
    if not target.parent.is_dir():
        raise AdjudgeError(f"{target}: no folder {target.parent}; make it first")
    if not testset or not testset.isprintable() or testset != testset.strip():
        raise BadParameter(f"`name` cannot be {testset!r}; give the test set a name in one line")
    for metric in baselines:
        if not metric.higher_is_better:
            raise BadParameter(
                f"`metric` cannot be {metric.short!r}: lower is better by it, and a submission has "
                "higher ones better"
            )
    for pair, whole in testsets.items():
        if not whole.systems:
            raise InputError(f"{pair} has no outputs of systems; add some")
        if baselines and whole.reference is None:
            raise InputError(f"{pair} has no reference for a baseline; choose no `metric`")


def _blind(whole: TestSet, seed: int | None) -> dict[str, str]:
    """Assign a random blind name to every system."""
    systems = sorted(whole.systems)
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    chance.shuffle(systems)
    digits = max(2, len(str(len(systems))))
    return {system: f"system-{place:0{digits}}" for place, system in enumerate(systems, 1)}


def _write(
    folder: Path,
    testsets: Mapping[str, TestSet],
    names: Mapping[str, Mapping[str, str]],
    baselines: Sequence[Metric],
    testset: str,
) -> None:
    expected = ["pair\ttestset\tsystem\tsegments"]
    for pair, whole in testsets.items():
        _put(folder / "sources" / f"{pair}.txt", whole.source)
        references = [*([] if whole.reference is None else [whole.reference])]
        for place, lines in enumerate([*references, *whole.more_references]):
            _put(folder / "references" / f"{pair}.ref{chr(ord('A') + place)}.txt", lines)
        _put(folder / "documents" / f"{pair}.docs", [f"text\t{name}" for name in whole.documents])
        for system, lines in whole.systems.items():
            _put(folder / "system-outputs" / pair / f"{names[pair][system]}.txt", lines)
        expected += [
            f"{pair}\t{testset}\t{blind}\t{len(whole.source)}"
            for blind in sorted(names[pair].values())
        ]
    _put(folder / EXPECTED, expected)
    _baselines(folder / "baselines", testsets, names, baselines, testset)
    (folder / "submissions").mkdir()
    shutil.copyfile(check_submission.__file__, folder / CHECKER)
    _put(folder / "README.md", [_readme(testset, testsets, baselines)])


def _baselines(
    folder: Path,
    testsets: Mapping[str, TestSet],
    names: Mapping[str, Mapping[str, str]],
    baselines: Sequence[Metric],
    testset: str,
) -> None:
    """Write the baselines of all pairs, one file per metric and level, in the format of
    submissions.
    """
    for pair, whole in testsets.items():
        if not baselines:
            break
        given = from_testset(whole)
        blind = {names[pair][system]: lines for system, lines in given.systems.items()}
        material = type(given)(given.references, dict(sorted(blind.items())), None, pair)
        of_pair = folder / pair
        write_scores(measure(material, baselines), str(of_pair), "wmt14", testset)
        for path in sorted(of_pair.iterdir()):
            with (folder / path.name).open("ab") as whole_file:
                whole_file.write(path.read_bytes())
        shutil.rmtree(of_pair)


def _put(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _readme(testset: str, testsets: Mapping[str, TestSet], baselines: Sequence[Metric]) -> str:
    pairs = ", ".join(testsets)
    shown = baselines[0].short if baselines else "METRIC"
    names = ", ".join(each.short for each in baselines)
    beside = (
        f"`baselines/` has the scores of {names} in that form."
        if baselines
        else "There are no baselines in this package."
    )
    return f"""# Metrics task: {testset}

Score the outputs in `system-outputs/PAIR/` for the language pairs {pairs}: every system, and every
segment of it if your metric scores segments. Sources, references and documents are beside them, a
line a segment. The names of the systems say nothing about who made them.

Send two files, fields separated by tabs:

    {shown}.sys.score    METRIC  PAIR  {testset}  SYSTEM  SCORE
    {shown}.seg.score    METRIC  PAIR  {testset}  SYSTEM  SEGMENT  SCORE

- SEGMENT is the number of the line, from 1.
- Higher scores are better. Turn the sign of an error metric.
- Either file alone will do. You may leave language pairs out, but no system or segment of a pair.

{beside} Check yours before you send it; Python is all it takes:

    python3 {CHECKER} YOUR.sys.score YOUR.seg.score"""
