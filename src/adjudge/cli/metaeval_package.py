"""`adjudge metaeval package`, `check` and `collect`: a metrics task and its submissions."""

from typing import Annotated

import typer

from adjudge.cli.metaeval import metaeval
from adjudge.cli.options import Format, Output, TableFormats, emit


@metaeval.command()
def package(
    testset: Annotated[
        str,
        typer.Argument(help="A folder with source.txt, reference.txt and systems/, or several."),
    ],
    output: Annotated[str, typer.Option("--output", "-o", help="The new folder.")],
    metric: Annotated[
        list[str], typer.Option("--metric", "-m", help="A baseline (repeatable).")
    ] = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    name: Annotated[str, typer.Option(help="What the test set is called.")] = "testset",
    seed: Annotated[
        int | None, typer.Option(help="Deal out the same names again; by default nobody can guess.")
    ] = None,
) -> None:
    """Make the package of a metrics task: texts, blind systems, baselines, a checker."""
    from adjudge.api.metaeval_package import BASELINES, metrics_task

    made = metrics_task(testset, output, metric=metric or BASELINES, name=name, seed=seed)
    typer.echo(made.folder)
    typer.echo(f"{made.key} says who is who: keep it to yourself until all submissions are in.")


@metaeval.command()
def check(
    submission: Annotated[list[str], typer.Argument(help="Files of scores, or a folder of them.")],
    package: Annotated[str, typer.Option(help="The package of the task.")],
    pair: Annotated[str | None, typer.Option(help="The pair of files that name none.")] = None,
    to: Format = TableFormats.table,
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


@metaeval.command()
def collect(
    package: Annotated[str, typer.Argument(help="The package, with submissions/ filled.")],
    key: Annotated[str, typer.Option(help="The file that says who is who.")],
    output: Annotated[str, typer.Option("--output", "-o", help="Where metric-scores/ goes.")],
) -> None:
    """Write baselines and submissions under the systems' own names, as mt-metrics-eval has them."""
    from adjudge.api.metaeval_package import collect_submissions

    for path in collect_submissions(package, key, output):
        typer.echo(path)
