"""`adjudge metaeval package`, `check` and `collect`: a metrics task and its submissions."""

from typing import Annotated

from adjudge.cli.options import Format, Output, emit
from adjudge.cli.parser import argument, option


def package(
    testset: Annotated[
        str,
        argument(help="A folder with source.txt, reference.txt and systems/, or several."),
    ],
    output: Annotated[str, option("--output", "-o", help="The new folder.")],
    metric: Annotated[list[str], option("--metric", "-m", help="A baseline (repeatable).")] = [],  # noqa: B006  (it is only read)
    name: Annotated[str, option(help="What the test set is called.")] = "testset",
    seed: Annotated[
        int | None, option(help="Deal out the same names again; by default nobody can guess.")
    ] = None,
) -> None:
    """Make the package of a metrics task: texts, blind systems, baselines, a checker."""
    from adjudge.api.metaeval_package import BASELINES, metrics_task

    made = metrics_task(testset, output, metric=metric or BASELINES, name=name, seed=seed)
    print(made.folder)
    print(f"{made.key} says who is who: keep it to yourself until all submissions are in.")


def check(
    submission: Annotated[list[str], argument(help="Files of scores, or a folder of them.")],
    package: Annotated[str, option(help="The package of the task.")],
    pair: Annotated[str | None, option(help="The pair of files that name none.")] = None,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Say what is wrong with a submission; exit code 2 if anything has to be mended."""
    from adjudge.api.metaeval_package import check_submission
    from adjudge.core.errors import AdjudgeError
    from adjudge.core.tables.results import tables_for

    checked = check_submission(submission, package, pair=pair)
    emit(tables_for(checked), to, output)
    if checked.errors:
        raise AdjudgeError(
            f"{', '.join(submission)}: {checked.errors} errors; mend them and send it again"
        )


def collect(
    package: Annotated[str, argument(help="The package, with submissions/ filled.")],
    key: Annotated[str, option(help="The file that says who is who.")],
    output: Annotated[str, option("--output", "-o", help="Where metric-scores/ goes.")],
) -> None:
    """Write baselines and submissions under the systems' own names, as mt-metrics-eval has them."""
    from adjudge.api.metaeval_package import collect_submissions

    for path in collect_submissions(package, key, output):
        print(path)
