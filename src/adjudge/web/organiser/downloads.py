"""Judgements in every format that can be written, scores, edits, and the full backup."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from adjudge.campaigns.backup import backup
from adjudge.campaigns.export import edits_of, judgements_of, kinds_of, scores_of
from adjudge.campaigns.models import Campaign
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.judgements.files import write
from adjudge.judgements.formats import FORMATS
from adjudge.web.pages import notice


@require_GET
def judgements(request: HttpRequest, pk: int, format_name: str) -> HttpResponseBase:
    """The judgements; `?excluded=1`: also those of excluded judges."""
    campaign = get_object_or_404(Campaign, pk=pk)
    chosen = FORMATS.get(format_name)
    if chosen is None or chosen.write is None or chosen.kind != "judgements":
        raise Http404
    table = judgements_of(campaign, include_excluded=request.GET.get("excluded") == "1")

    def make(path: str) -> None:
        if not len(table):
            raise NotEnoughData(_("There are no judgements yet."))
        write(table, path, chosen.name)

    return download(request, f"{stem(campaign)}{chosen.suffix}", make)


@require_GET
def table(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """The scores or the edits; `?excluded=1`: also those of excluded judges."""
    campaign = get_object_or_404(Campaign, pk=pk)
    if kind not in _TABLES or kind not in kinds_of(campaign):
        raise Http404
    found = _TABLES[kind](campaign, request.GET.get("excluded") == "1")

    def make(path: str) -> None:
        if not len(found):
            raise NotEnoughData(_("There are no judgements yet."))
        write(found, path)

    return download(request, f"{stem(campaign)}-{kind}.jsonl", make)


_TABLES: Mapping[str, Callable[[Campaign, bool], pl.DataFrame]] = {
    "scores": scores_of,
    "edits": edits_of,
}


@require_GET
def full_backup(request: HttpRequest) -> HttpResponseBase:
    """All campaigns, judges and answers: what `adjudge campaign restore` brings back."""
    name = f"adjudge-{timezone.now():%Y%m%d-%H%M}.jsonl.gz"
    return download(request, name, lambda path: backup(path))


def stem(campaign: Campaign) -> str:
    """The campaign's name, as a file may be called."""
    return re.sub(r"\W+", "-", campaign.name).strip("-") or "campaign"


def download(request: HttpRequest, name: str, make: Callable[[str], object]) -> HttpResponseBase:
    """The file that `make` writes; it is gone once it is sent."""
    with TemporaryDirectory(prefix="adjudge-download-") as folder:
        path = Path(folder, name)
        try:
            make(str(path))
        except AdjudgeError as error:
            return notice(request, _("Nothing to download"), str(error), status=409)
        return FileResponse(path.open("rb"), as_attachment=True, filename=name)
