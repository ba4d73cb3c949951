"""A metrics task: make the package for participants, check submissions, unblind them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.metaeval.task.package import Package
    from adjudge.metaeval.task.validation import Checked
    from adjudge.metrics.metric import Metric

BASELINES = ("sentbleu", "chrf")


def metrics_task(
    testset: str,
    folder: str,
    *,
    metric: "str | Metric | Iterable[str | Metric]" = BASELINES,
    name: str = "testset",
    seed: int | None = None,
) -> "Package":
    """Make the package of a metrics task: texts, blind systems, baselines, a checker.

    Parameters
    ----------
    testset : str
        A folder with `source.txt`, `reference.txt` and `systems/`, or one such folder for each
        language pair, or mt-metrics-eval's layout.
    folder : str
        The new folder. Who is who is written beside it, to `FOLDER.key.tsv`: keep it to yourself.
    metric : str or iterable of str
        The baselines; none where there is no reference.
    name : str
        What the test set is called.
    seed : int, optional
        Deals out the same names again; by default nobody can guess them.

    Returns
    -------
    Package
        Where it is, and the blind name of every system.

    Raises
    ------
    AdjudgeError
        If the folder is there already, or texts do not fit together.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> place = os.path.join(tempfile.mkdtemp(), "en-cs")
    >>> os.makedirs(os.path.join(place, "systems"))
    >>> for file in ("source.txt", "reference.txt", "systems/A.txt", "systems/B.txt"):
    ...     with open(os.path.join(place, file), "w") as stream:
    ...         _ = stream.write("a cat sat there\\n")
    >>> package = adjudge.metrics_task(place, place + "-task", seed=1)
    >>> sorted(package.names["en-cs"].values())
    ['system-01', 'system-02']
    >>> sorted(os.listdir(package.folder))[:3]
    ['README.md', 'baselines', 'check_submission.py']
    """
    from adjudge.api.metric_names import metrics_named
    from adjudge.metaeval.task.package import make_package
    from adjudge.text.reading import read_pairs

    given = [metric] if isinstance(metric, str) else list(metric)  # type: ignore[arg-type]
    baselines = metrics_named(given) if given else []
    return make_package(read_pairs(testset), folder, baselines, name, seed)


def check_submission(
    submission: str | Sequence[str], package: str, *, pair: str | None = None
) -> "Checked":
    """What is wrong with a submission to a metrics task.

    Missing systems and segments, names that almost match, scores given twice, a constant metric,
    a sign that seems turned.

    Parameters
    ----------
    submission : str or sequence of str
        Its files, or a folder of them, in any layout of metric scores.
    package : str
        The folder that `metrics_task` made.
    pair : str, optional
        The language pair of files that name none.

    Returns
    -------
    Checked
        Its `problems`, and how many `errors` are among them; `to_frame` has a row for each.

    Raises
    ------
    InputError
        If a file cannot be read at all.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> place = os.path.join(tempfile.mkdtemp(), "en-cs")
    >>> os.makedirs(os.path.join(place, "systems"))
    >>> for file in ("source.txt", "reference.txt", "systems/A.txt", "systems/B.txt"):
    ...     with open(os.path.join(place, file), "w") as stream:
    ...         _ = stream.write("a cat sat there\\n")
    >>> package = adjudge.metrics_task(place, place + "-task", seed=1)
    >>> adjudge.check_submission(os.path.join(package.folder, "baselines"), package.folder).errors
    0
    """
    from adjudge.metaeval.task.validation import check

    paths = [submission] if isinstance(submission, str) else list(submission)
    return check(paths, package, pair)


def collect_submissions(package: str, key: str, folder: str) -> list[str]:
    """Write baselines and submissions of a package under the systems' own names.

    Parameters
    ----------
    package : str
        The folder that `metrics_task` made, with `submissions/` filled.
    key : str
        The file that says who is who.
    folder : str
        Where `metric-scores/PAIR/METRIC.seg.score` and `.sys.score` go, as mt-metrics-eval has
        them.

    Returns
    -------
    list of str
        The paths of the files.

    Raises
    ------
    InputError
        If a submission has errors; then nothing is written.

    Examples
    --------
    >>> import adjudge, os, tempfile
    >>> place = os.path.join(tempfile.mkdtemp(), "en-cs")
    >>> os.makedirs(os.path.join(place, "systems"))
    >>> for file in ("source.txt", "reference.txt", "systems/A.txt", "systems/B.txt"):
    ...     with open(os.path.join(place, file), "w") as stream:
    ...         _ = stream.write("a cat sat there\\n")
    >>> package = adjudge.metrics_task(place, place + "-task", seed=1, metric="chrf")
    >>> paths = adjudge.collect_submissions(package.folder, package.key, place + "-scores")
    >>> [os.path.basename(path) for path in paths]
    ['chrf.seg.score', 'chrf.sys.score']
    """
    from adjudge.metaeval.task.validation import collect

    return collect(package, key, folder)
