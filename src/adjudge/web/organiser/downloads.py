"""Downloads of judgements, scores and edits in every suitable format, and of the full backup."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import polars as pl
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from adjudge.campaigns.models import Answer, Campaign, Judge
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.results.payment import work_of
from adjudge.campaigns.results.tables import edits_of, judgements_of, kinds_of, scores_of
from adjudge.campaigns.results.texts import has_texts
from adjudge.campaigns.setup.changes import versions_of
from adjudge.campaigns.store.backup import backup
from adjudge.core.errors import AdjudgeError, NotEnoughData, in_plain_words
from adjudge.data.formats import FORMATS, Format
from adjudge.data.kinds import KindName
from adjudge.data.table_files import write
from adjudge.data.writable_formats import file_name, writable
from adjudge.web.organiser.cache import Dated, cached
from adjudge.web.organiser.dashboard_numbers import ANALYSIS_FOR, version
from adjudge.web.pages import notice


@dataclass(frozen=True)
class Offer:
    """Downloadable table of a campaign, with its possible formats."""

    kind: KindName
    formats: list[Format]

    @property
    def own(self) -> str:
        """Name of our own format, which holds everything."""
        return next(chosen.name for chosen in self.formats if chosen.suffix == ".jsonl")


def offers(campaign: Campaign) -> Dated[list[Offer]]:
    """Tables that can be downloaded now."""

    def compute() -> list[Offer]:
        return [Offer(kind, writable(_TABLES[kind](campaign, True))) for kind in kinds_of(campaign)]

    # The first answer shows at once.
    begun = Answer.objects.filter(assignment__judge__campaign=campaign).exists()
    known = (begun, version(campaign))
    return cached(("downloads", campaign.pk), ANALYSIS_FOR, compute, known)


@require_GET
def downloads_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Links to all downloads."""
    campaign = get_object_or_404(Campaign, pk=pk)
    ranked = [name for name in campaign.protocols if PROTOCOLS.named(name).kind == "judgements"]
    context = {
        "campaign": campaign,
        "excluded": campaign.judges.filter(state=Judge.State.EXCLUDED).exists(),
        "offers": [offer for offer in offers(campaign).value if offer.formats],
        "reports": ranked if len(campaign.protocols) > 1 else [None] * len(ranked),
        "has_texts": has_texts(campaign),
    }
    return render(request, "web/organiser/downloads.html", context)


@require_GET
def table(request: HttpRequest, pk: int, kind: str, format_name: str) -> HttpResponseBase:
    """Judgements, scores or edits; `?excluded=1` includes those of excluded judges."""
    campaign = get_object_or_404(Campaign, pk=pk)
    chosen = FORMATS.get(format_name)
    if chosen is None or chosen.write is None or chosen.kind != kind:
        raise Http404
    if kind not in kinds_of(campaign):
        raise Http404
    rows = _TABLES[kind](campaign, request.GET.get("excluded") == "1")
    return download_table(request, rows, chosen, stem(campaign.name))


def download_table(
    request: HttpRequest, rows: pl.DataFrame, chosen: Format, name: str
) -> HttpResponseBase:
    """Table in one format; an archive if the format has several files."""
    if chosen.kind != "judgements":
        name += f"-{chosen.kind}"

    def make(path: str) -> None:
        if not len(rows):
            raise NotEnoughData(_("There are no judgements yet."))
        if not chosen.beside:
            write(rows, path, chosen.name)
            return
        with TemporaryDirectory(prefix="adjudge-tables-") as folder, ZipFile(path, "w") as archive:
            write(rows, str(Path(folder, file_name(name, chosen))), chosen.name)
            for file in sorted(Path(folder).iterdir()):
                archive.write(file, file.name)

    packed = f"{name}-{chosen.name}.zip"
    return download(request, packed if chosen.beside else file_name(name, chosen), make)


@require_GET
def payment(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Items and time of every judge, for payment."""
    campaign = get_object_or_404(Campaign, pk=pk)
    rows = [asdict(work) for work in work_of(campaign)]

    def make(path: str) -> None:
        if not rows:
            raise NotEnoughData(_("Nobody is invited yet."))
        pl.DataFrame(rows, infer_schema_length=None).write_csv(path)

    return download(request, f"{stem(campaign.name)}-payment.csv", make)


@require_GET
def designs(request: HttpRequest, pk: int) -> HttpResponseBase:
    """All versions of the design, to which `design` in other files refers."""
    campaign = get_object_or_404(Campaign, pk=pk)

    def make(path: str) -> None:
        lines = (
            json.dumps(version, ensure_ascii=False, default=str)
            for version in versions_of(campaign)
        )
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")

    return download(request, f"{stem(campaign.name)}-designs.jsonl", make)


_TABLES: Mapping[str, Callable[[Campaign, bool], pl.DataFrame]] = {
    "judgements": judgements_of,
    "scores": scores_of,
    "edits": edits_of,
}


@require_GET
def full_backup(request: HttpRequest) -> HttpResponseBase:
    """All campaigns, judges and answers, for `adjudge campaign restore`."""
    name = f"adjudge-{timezone.now():%Y%m%d-%H%M}.jsonl.gz"
    return download(request, name, lambda path: backup(path))


def stem(name: str) -> str:
    """Name of a campaign or project in a form suitable for file names."""
    return re.sub(r"\W+", "-", name).strip("-") or "campaign"


def download(request: HttpRequest, name: str, make: Callable[[str], object]) -> HttpResponseBase:
    """Send the temporary file that `make` writes."""
    with TemporaryDirectory(prefix="adjudge-download-") as folder:
        path = Path(folder, name)
        try:
            make(str(path))
        except AdjudgeError as error:
            return notice(request, _("Nothing to download"), in_plain_words(str(error)), status=409)
        return FileResponse(path.open("rb"), as_attachment=True, filename=name)
