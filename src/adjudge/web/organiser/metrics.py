"""Metrics on a campaign's dashboard, for organisers only, computed in the background.

The texts of a campaign hardly ever change, so every process scores them once, in a background
thread, and compares them with the current judgements. Judges never see any of it.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zipfile import ZipFile

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.results.texts import texts_of, version_of_texts, write_texts
from adjudge.core.errors import AdjudgeError, NotEnoughData, in_plain_words
from adjudge.core.tables.table import Table
from adjudge.web.organiser import dashboard_numbers
from adjudge.web.organiser.cache import worked_out, worked_out_later
from adjudge.web.organiser.downloads import download, stem
from adjudge.web.organiser.result_tables import shown

_NOTHING = gettext_lazy("no segment has a reference and an output of every system")

if TYPE_CHECKING:
    from adjudge.api.texts import Texts
    from adjudge.metrics.system_scores import MetricScores


@dataclass(frozen=True)
class Scored:
    """Texts with their sufficient statistics, and the systems by every metric."""

    texts: "Texts | None"  # None: there are none, or they cannot be scored
    metrics: "tuple[MetricScores, ...]" = ()
    missing: str = ""


def scored(campaign: Campaign) -> Scored | None:
    """Scored texts; None until a background thread has finished."""
    key = campaign.pk
    later = worked_out_later(("metrics", key), lambda: _score(key), version_of_texts(campaign))
    return None if later is None else later.value


def texts_to_report(campaign: Campaign) -> "Texts | None":
    """Texts for the campaign's report, as in its download."""
    known: Scored | None = worked_out(("metrics", campaign.pk), version_of_texts(campaign))
    return _texts(campaign) if known is None else known.texts


def pair_of_texts(campaign: Campaign) -> str:
    """Language pair in a form suitable for file names."""
    return stem(campaign.pair)


def folder_of_texts(campaign: Campaign) -> str:
    """Folder name of the texts."""
    return f"{stem(campaign.name)}-texts"


@require_GET
def part(request: HttpRequest, pk: int) -> HttpResponse:
    """Metrics, compared with people as soon as there is a ranking."""
    campaign = get_object_or_404(Campaign, pk=pk)
    known = scored(campaign)
    context: dict[str, object] = {"working": known is None}
    if known is not None:
        tables = [shown(_("Metrics beside people"), table) for table in _tables(campaign, known)]
        context |= {"tables": tables, "missing": known.missing}
    return render(request, "web/organiser/metrics.html", context)


@require_GET
def archive(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Archive of the texts, for `adjudge metrics --testset`."""
    campaign = get_object_or_404(Campaign, pk=pk)

    def make(path: str) -> None:
        known = texts_of(campaign)
        if known is None:
            raise NotEnoughData(str(_NOTHING))
        with TemporaryDirectory(prefix="adjudge-texts-") as folder, ZipFile(path, "w") as packed:
            root = Path(folder, folder_of_texts(campaign))
            write_texts(known, pair_of_texts(campaign), root)
            for file in sorted(root.rglob("*.*")):
                packed.write(file, file.relative_to(folder))

    return download(request, f"{folder_of_texts(campaign)}.zip", make)


def _score(key: int) -> Scored:
    texts = _texts(Campaign.objects.get(pk=key))
    if texts is None:
        return Scored(None, missing=str(_NOTHING))
    try:
        return Scored(texts, texts.metrics().parts)
    except AdjudgeError as error:
        return Scored(None, missing=in_plain_words(str(error)))


def _texts(campaign: Campaign) -> "Texts | None":
    # Loaded here: a server that starts (again) should answer judges soon.
    from adjudge.api.text_reading import from_texts
    from adjudge.data.source import TextSource

    known = texts_of(campaign)
    if known is None:
        return None
    several = len(set(known.documents)) > 1
    texts = from_texts(
        known.systems,
        [known.reference],
        documents=known.documents if several else None,
        pair=pair_of_texts(campaign),
    )
    folder = folder_of_texts(campaign)
    return replace(texts, source=TextSource(((folder, texts.hash),), {"testset": folder}))


def _tables(campaign: Campaign, known: Scored) -> list[Table]:
    from adjudge.metaeval.human_comparison import beside
    from adjudge.metaeval.tables.human_comparison import beside_table
    from adjudge.metrics.tables import side_by_side

    if not known.metrics:
        return []
    analysis = dashboard_numbers.last_analysis(campaign)
    tables = []
    for people in analysis.people if analysis else ():
        try:
            tables.append(beside_table(beside(people, known.metrics)))
        except NotEnoughData:
            continue  # no system is placed yet
    return tables or [side_by_side(known.metrics)]
