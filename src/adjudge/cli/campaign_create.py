"""`adjudge campaign create`: a campaign from text files."""

import os
import shlex
import sys
from collections.abc import Mapping
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Annotated, Any

from adjudge.cli.campaign import AllowEmpty, Database, Name
from adjudge.cli.global_options import manner
from adjudge.cli.parser import option

if TYPE_CHECKING:
    from adjudge.text.testset import TestSet


FORESEEN = (
    "With a given --seed, who knows it and the texts can work out what judges are shown and in "
    "which order: use it for simulations only."
)


def create(
    name: Name,
    source: Annotated[str | None, option(help="Source segments.")] = None,
    reference: Annotated[str | None, option(help="Reference translation.")] = None,
    system: Annotated[
        list[str], option("--system", metavar="NAME=FILE", help="A system (repeatable).")
    ] = [],  # noqa: B006  (it is only read)
    documents: Annotated[
        str | None, option(help="The document of each segment, line by line.")
    ] = None,
    testset: Annotated[
        str | None, option(help="Instead: a WMT XML file or an mt-metrics-eval folder.")
    ] = None,
    segments: Annotated[
        str | None,
        option(
            help="Instead: short segments as SegRanks has them (docs/protocols.md), for the "
            "protocols segments and constituent."
        ),
    ] = None,
    trees: Annotated[
        str | None,
        option(
            help="Parse trees of the source, where the protocol asks about phrases of it and there "
            "is no --segments (docs/segments.md). [default: spaCy makes them]"
        ),
    ] = None,
    sample_different: Annotated[
        int | None,
        option(min=1, help="Only so many segments, drawn from those where systems differ."),
    ] = None,
    pair: Annotated[str, option(help="Language pair, such as en-de.")] = "",
    preset: Annotated[str, option(help="Named design (docs/campaigns.md).")] = "recommended",
    change: Annotated[
        list[str],
        option("--set", metavar="VALUE=…", help="Change a value of the design (repeatable)."),
    ] = [],  # noqa: B006
    protocol: Annotated[
        list[str],
        option(
            metavar="NAME[:SCREENS]",
            help="How judges are asked (docs/protocols.md); repeat it, each with the screens of a "
            "batch, to mix protocols. [default: ranking; segments with --segments]",
        ),
    ] = [],  # noqa: B006
    show_reference: Annotated[
        bool | None,
        option(
            "--show-reference/--hide-reference",
            help="Judges see the reference, but never beside itself as a candidate. "
            "[default: as the protocol has it; not if it may be a candidate]",
        ),
    ] = None,
    instructions: Annotated[str | None, option(help="A Markdown file for judges.")] = None,
    contact: Annotated[str, option(help="Whom judges may ask: at the foot of pages.")] = "",
    tutorial: Annotated[
        str | None,
        option(help="A JSON file of practice items, three or so (docs/campaigns.md)."),
    ] = None,
    seed: Annotated[
        int | None,
        option(
            min=0,
            max=2**62,
            help="For simulations: the same draws again, which others can foresee. "
            "[default: random and secret]",
        ),
    ] = None,
    allow_empty: AllowEmpty = False,
    owner: Annotated[
        str | None, option(help="The organiser whose campaign it is on the web pages.")
    ] = None,
    database: Database = None,
) -> None:
    """Create a campaign from texts: plain (a segment a line) or WMT XML, found by content."""
    from adjudge.campaigns.design import design_named
    from adjudge.core.errors import AdjudgeError
    from adjudge.core.files.input_file import InputFile
    from adjudge.text.sampling import sample_different as sample

    texts = _texts(source, reference, system, documents, testset, segments, pair)
    changes = design_values(change)
    if texts.reference is None and changes.get("reference", "off") != "off":
        raise AdjudgeError("--set reference: there is no reference; give it with --reference")
    design = design_named(preset, **changes)
    told = "" if instructions is None else InputFile(instructions).text
    asked = protocol or ["ranking" if segments is None else "segments"]
    # Whether judges can be shown a protocol is known to the pages.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adjudge.web.settings")
    from adjudge.campaigns.store.opening import new_store

    with new_store(database):
        from adjudge.campaigns.people.access import record_creation
        from adjudge.campaigns.setup.batches import batches_from
        from adjudge.campaigns.setup.creation import create_campaign
        from adjudge.campaigns.setup.tutorial import NO_TUTORIAL, read_tutorial
        from adjudge.campaigns.store.audit import at_the_command_line
        from adjudge.web.judging.screens import check_pages
        from adjudge.web.organiser.accounts import require_organiser

        protocols = [name for name, _ in batches_from(asked)]
        check_pages(protocols)
        texts = _with_phrases(texts, protocols, source, reference, system, documents, trees)
        if sample_different is not None:
            drawn = SystemRandom() if seed is None else Random(f"{seed}/sample")
            texts = sample(texts, sample_different, drawn)
        if owner is not None:
            require_organiser(owner)
        who = at_the_command_line()
        campaign_made = create_campaign(
            name,
            texts,
            design,
            protocols=asked,
            show_reference=show_reference,
            instructions=told,
            contact=contact,
            tutorial=NO_TUTORIAL if tutorial is None else read_tutorial(tutorial),
            seed=seed,
            allow_empty=allow_empty,
            finish=lambda made: record_creation(made, who, owner),
        )
    if seed is not None:
        print(FORESEEN, file=sys.stderr)
    systems = campaign_made.systems.filter(is_reference=False).count()
    phrases = sum(map(len, texts.parts))
    of = len(set(texts.documents))
    print(
        f"Campaign {campaign_made.name} ({campaign_made.pair}): {systems} systems, "
        f"{len(texts.source):,} segments in {of:,} {'document' if of == 1 else 'documents'}"
        f"{f', {phrases:,} phrases of them to judge' if phrases else ''}"
        f"{'' if texts.reference else ', no reference'}."
    )
    if not manner.quiet:
        invite = f"adjudge campaign invite {shlex.quote(campaign_made.name)} PERSON…"
        print(f"Now invite judges: {invite}")


def _texts(
    source: str | None,
    reference: str | None,
    system: list[str],
    documents: str | None,
    testset: str | None,
    segments: str | None,
    pair: str,
) -> "TestSet":
    from pathlib import Path

    from adjudge.core.errors import AdjudgeError
    from adjudge.core.files.input_file import InputFile
    from adjudge.text.reading import read_dataset, read_files, read_folder
    from adjudge.text.segments import read_phrases

    if sum(given is not None for given in (source, testset, segments)) != 1:
        raise AdjudgeError("give --source and --system files, or one --testset, or --segments")
    if segments is not None and reference is not None:
        raise AdjudgeError("the file of --segments has the reference; leave --reference out")
    if testset is not None:
        if Path(testset).is_dir():
            return read_folder(testset, pair or None)
        return read_dataset(InputFile(testset))
    first, dash, second = pair.partition("-")
    if pair and not (first and dash and second):
        raise AdjudgeError(f"--pair {pair!r} is no language pair; write it like en-de")
    named = named_values(system, "--system", "NAME=FILE")
    if segments is not None:
        return read_phrases(segments, named, documents, (first, second))
    assert source is not None
    return read_files(source, reference, named, documents, (first, second))


def _with_phrases(
    texts: "TestSet",
    protocols: list[str],
    source: str | None,
    reference: str | None,
    system: list[str],
    documents: str | None,
    trees: str | None,
) -> "TestSet":
    """Plain texts with phrases extracted from them, if a protocol asks about phrases."""
    from adjudge.api.segment_extraction import extracted_phrases
    from adjudge.campaigns.protocols import PROTOCOLS
    from adjudge.core.errors import AdjudgeError

    of_phrases = {name for name in protocols if PROTOCOLS.named(name).needs_parts}
    if source is None or not of_phrases:
        if trees is not None:
            raise AdjudgeError("--trees is for --source and a protocol that asks about phrases")
        return texts
    return extracted_phrases(
        source,
        reference,
        named_values(system, "--system", "NAME=FILE"),
        trees=trees,
        constituents=of_phrases == {"constituent"},
        documents=documents,
        languages=(texts.source_language, texts.target_language),
    )


def named_values(given: list[str], option: str, form: str) -> dict[str, str]:
    from adjudge.core.errors import AdjudgeError

    values: dict[str, str] = {}
    for given_text in given:
        name, equals, value = given_text.partition("=")
        if not (name and equals and value):
            raise AdjudgeError(f"{option} {given_text!r} is not {form}")
        if name in values:
            raise AdjudgeError(f"{option} {name} is given twice; leave one out")
        values[name] = value
    return values


def design_values(change: list[str]) -> Mapping[str, Any]:
    """`--set block=4 --set trusted_groups=researchers,staff` as values of the design."""
    from dataclasses import fields

    from adjudge.campaigns.design import Design
    from adjudge.core.errors import AdjudgeError, instead_of

    kinds = {field.name: str(field.type) for field in fields(Design)}
    values: dict[str, Any] = {}
    for name, text in named_values(change, "--set", "VALUE=…").items():
        if name not in kinds:
            raise AdjudgeError(f"no design value {name!r}; {instead_of(name, list(kinds))}")
        try:
            values[name] = _design_value(kinds[name], text)
        except ValueError:
            raise AdjudgeError(f"--set {name}: {text!r} is no number") from None
    return values


def _design_value(kind: str, text: str) -> Any:
    if "None" in kind and text == "none":
        return None
    if "bool" in kind and text in ("true", "false"):
        return text == "true"
    if "tuple" in kind:
        return tuple(text.split(","))
    if "int" in kind:
        return int(text)
    return float(text) if "float" in kind else text
