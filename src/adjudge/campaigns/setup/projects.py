"""Projects: the language pairs of a shared task as campaigns that are created and judged
together.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import Campaign, Project
from adjudge.campaigns.setup.creation import Finish, check_name, store_campaign
from adjudge.campaigns.store.unfinished import making
from adjudge.core.errors import AdjudgeError, instead_of
from adjudge.text.testset import TestSet


def create_project(
    name: str,
    pairs: Mapping[str, TestSet],
    design: Design,
    *,
    finish: Finish = lambda campaign: None,
    **told: Any,
) -> list[Campaign]:
    """Create a campaign for each language pair, all or none; `told` is as in `store_campaign`.

    `finish` is called for each in the transaction that makes the project visible.
    """
    check_project(name)
    with making() as made:
        campaigns = []
        for pair, texts in pairs.items():
            try:
                check_name(f"{name} {pair}")
                campaigns.append(store_campaign(made, texts, design, **told))
            except AdjudgeError as error:
                raise AdjudgeError(f"{pair}: {error}") from None
        with transaction.atomic():
            project = Project.objects.create(name=name)
            for pair, campaign in zip(pairs, campaigns, strict=True):
                made.show(campaign, f"{name} {pair}")
                campaign.project = project
                campaign.save(update_fields=["project"])
                finish(campaign)
    return campaigns


def check_project(name: str) -> None:
    """Refuse an invalid or existing name."""
    if not name.strip():
        raise AdjudgeError("a project needs a name; give one")
    if Project.objects.filter(name=name).exists():
        raise AdjudgeError(f"there is a project {name!r} already; choose another name")


def project_named(name: str) -> Project:
    """Find the project of that name."""
    project = Project.objects.filter(name=name).first()
    if project is None:
        names = list(Project.objects.order_by("name").values_list("name", flat=True))
        raise AdjudgeError(f"no project {name!r}; {instead_of(name, names)}")
    return project


def chosen_campaigns(
    project: Project, pairs: Iterable[str] = (), languages: Iterable[str] = ()
) -> list[Campaign]:
    """Campaigns of a project for these pairs, or for all pairs of which both languages are
    known.
    """
    campaigns = list(project.campaigns.order_by("name"))
    there = {campaign.pair: campaign for campaign in campaigns}
    wanted, known = list(pairs), set(languages)
    for pair in wanted:
        if pair not in there:
            raise AdjudgeError(f"{project.name} has no pair {pair!r}; it has: {', '.join(there)}")
    chosen = [
        campaign
        for pair, campaign in there.items()
        if (pair in wanted if wanted else True)
        and (known >= {campaign.source_language, campaign.target_language} if known else True)
    ]
    if not chosen:
        raise AdjudgeError(
            f"{project.name} has no pair of {', '.join(sorted(known))}; it has: {', '.join(there)}"
        )
    return chosen
