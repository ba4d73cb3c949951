"""Which commands there are; the module of one is imported when the command is run.

The sentences stand here, so that `adjudge --help` imports no command.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib import import_module
from typing import NamedTuple

from adjudge.core.errors import BadParameter, instead_of


class Panel(StrEnum):
    """The groups of commands, in the order of the help page."""

    collect = "Collect judgements"
    rank = "Rank systems"
    trust = "Know how far to trust it"
    texts = "Work with texts and metrics"
    share = "Show and keep results"


class Entry(NamedTuple):
    """A command of the first level, or a group of commands below it."""

    sentence: str
    home: str = ""  # "module:function"
    below: Mapping[str, str] = {}  # the homes of the commands of a group
    usual: str = ""  # the command below that takes words which name none


PANELS: Mapping[Panel, Mapping[str, Entry]] = {
    Panel.collect: {
        "campaign": Entry(
            "Collect judgements: create a campaign, invite judges, watch, export, close.",
            below={
                "add": "campaign_change:add",
                "archive": "campaign_change:archive",
                "backup": "campaign:backup",
                "change": "campaign_change:change",
                "close": "campaign:close",
                "controls": "campaign:controls",
                "create": "campaign_create:create",
                "crowd": "campaign_crowd:crowd",
                "delete": "campaign_change:delete",
                "export": "campaign:export",
                "invite": "campaign_invite:invite",
                "judge": "campaign:judge",
                "log": "campaign_organiser:log",
                "one-link": "campaign_one_link:one_link",
                "organiser": "campaign_organiser:organiser",
                "payment": "campaign_payment:payment",
                "restore": "campaign:restore",
                "share": "campaign_organiser:share",
                "status": "campaign:status",
            },
        ),
        "demo": Entry(
            "Create a small campaign, let simulated judges judge half of it, rank the systems.",
            "demo:demo",
        ),
        "project": Entry(
            "Several language pairs in one go: create, invite, watch, export.",
            below={
                "create": "project:create",
                "export": "project:export",
                "invite": "project:invite",
                "status": "project:status",
            },
        ),
        "serve": Entry(
            "Serve the pages for judges and organisers until interrupted (docs/campaigns.md).",
            "serve:serve",
        ),
        "simulate": Entry(
            "Simulate a campaign and save its judgements, with the truth beside them.",
            "simulate:simulate",
        ),
    },
    Panel.rank: {
        "assist": Entry(
            "Rank systems by people, who judged some segments, and a metric, which scored all.",
            "assist:assist",
        ),
        "compare": Entry(
            "Compare every two systems: wins, ties, share ignoring ties, and a test.",
            "compare:compare",
        ),
        "methods": Entry(
            "Rank by every method side by side, or list the methods.",
            "methods:methods",
        ),
        "plan": Entry(
            "Plan: how many more judgements separate systems, and which comparisons to ask "
            "for next.",
            "plan:plan",
        ),
        "rank": Entry(
            "Rank the systems: score, interval, rank range and cluster, for each language pair.",
            "rank:rank",
        ),
        "scores": Entry(
            "Systems by their scores (adequacy, direct assessment, …), and how far judges agree.",
            "scores:scores",
        ),
        "understandability": Entry(
            "How much of each system's output people understand: blind edits and their reviews.",
            "understandability:understandability",
        ),
    },
    Panel.trust: {
        "agreement": Entry(
            "How far judges agree with each other (inter) and with themselves (intra).",
            "agreement:agreement",
        ),
        "coverage": Entry(
            "Check by simulation whether intervals, rank ranges and clusters hold what they "
            "promise.",
            "coverage:coverage",
        ),
        "diagnose": Entry(
            "Diagnose the judgements: what could mislead, how much it matters, and what to do.",
            "diagnose:diagnose",
        ),
        "info": Entry(
            "Show what is in the judgements: pairs, protocols, systems, judges, rankings, "
            "ties, time.",
            "info:info",
        ),
        "label-agreement": Entry(
            "How far judges agree on labels: categories, acceptability, adequacy and fluency.",
            "label_agreement:label_agreement",
        ),
        "timing": Entry(
            "Time per item by protocol, from judgements, scores and edits (WMT07 §6).",
            "timing:timing",
        ),
    },
    Panel.texts: {
        "beer": Entry(
            "Train BEER on what people preferred; score with it by "
            '`metrics -m "beer(model=FILE)"`.',
            "beer:beer",
        ),
        "metaeval": Entry(
            "Metrics beside people: adjudge metaeval FILE… (see metaeval tables --help), and "
            "tasks.",
            below={
                "check": "metaeval_package:check",
                "collect": "metaeval_package:collect",
                "package": "metaeval_package:package",
                "tables": "metaeval:tables",
            },
            usual="tables",
        ),
        "metrics": Entry(
            "Score systems against references by any metric; without files, list the metrics.",
            "metrics:metrics",
        ),
        "quality": Entry(
            "Quality estimation: how good a translation is, without a reference.",
            below={
                "evaluate": "quality:evaluate",
                "features": "quality_features:features",
                "gain": "quality_report:gain",
                "order": "quality_order:order",
                "predict": "quality_train:predict",
                "report": "quality_report:report",
                "resources": "quality_resources:resources",
                "show": "quality_train:show_model",
                "train": "quality_train:train",
            },
        ),
        "references": Entry(
            "Correlation of metrics with people by number of references and of sentences "
            "(WMT13 §5).",
            "references:references",
        ),
        "segments": Entry(
            "Short segments: extract them; a database of ranked ones; unseen systems.",
            below={
                "beside": "segments:beside",
                "bleu": "segments:bleu",
                "closest": "segments:closest",
                "coverage": "segments:coverage",
                "database": "segments:database",
                "evaluate": "segments_evaluate:evaluate",
                "extract": "segments:extract",
                "leave-one-out": "segments:leave_one_out",
                "rank": "segments:rank",
            },
        ),
        "tune": Entry(
            "Find weights of features with which the best candidates of n-best lists win.",
            "tune:tune",
        ),
        "tune-variance": Entry(
            "Tune again and again: how much of a score, a weight or a difference of metrics "
            "is chance.",
            "tune_variance:tune_variance",
        ),
    },
    Panel.share: {
        "again": Entry(
            "Make a result again from its signature and its files; refuse other files.",
            "again:again",
        ),
        "convert": Entry(
            "Write the judgements in another format, chosen by the file's ending or --to.",
            "convert:convert",
        ),
        "plot": Entry(
            "Draw one figure of the report, a file for each language pair.",
            "plot:plot",
        ),
        "report": Entry(
            "Report on the judgements: ranking, figures, agreement, diagnosis, method, data.",
            "report:report",
        ),
    },
}
COMMANDS: Mapping[str, Entry] = {
    name: entry for entries in PANELS.values() for name, entry in entries.items()
}


def load(home: str) -> Callable[..., None]:
    """The function of a command."""
    module, _, function = home.partition(":")
    command: Callable[..., None] = getattr(import_module(f"adjudge.cli.{module}"), function)
    return command


def named(word: str, known: Mapping[str, object], kind: str) -> str:
    """The word, if it names a command; else an error that suggests the nearest."""
    if word not in known:
        raise BadParameter(f"there is no {kind} {word!r}; {instead_of(word, list(known))}")
    return word
