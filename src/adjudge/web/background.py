"""What the server does beside requests: the fit of adaptive campaigns, which no judge waits for."""

import logging
from threading import Lock, Thread

from django.db import connections

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.work.adaptive import is_adaptive, refresh_needs

_at_work: set[int] = set()  # campaigns, in this process
_lock = Lock()


def refresh_needs_later(campaign: Campaign) -> None:
    """After an answer: see in a thread of its own whether it is time for a new fit."""
    if not is_adaptive(campaign):
        return
    with _lock:
        if campaign.pk in _at_work:
            return
        _at_work.add(campaign.pk)
    Thread(target=_refresh, args=(campaign.pk,), name=f"needs-{campaign.pk}", daemon=True).start()


def _refresh(key: int) -> None:
    try:
        refresh_needs(key)
    except Exception:
        # Work is given out by the needs of before; the next answer tries again.
        logging.getLogger(__name__).exception("the needs of campaign %s", key)
    finally:
        connections.close_all()
        with _lock:
            _at_work.discard(key)
