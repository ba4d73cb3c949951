"""Background work of the server: refits of adaptive campaigns, and mails.

Mails are sent in the background so that even their timing reveals nothing.
"""

import logging
from collections.abc import Callable
from threading import Lock, Thread

from django.db import connections

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.store.audit import record_of_server
from adjudge.campaigns.work.adaptive import is_adaptive, refresh_needs

_at_work: set[int] = set()  # campaigns, in this process
_lock = Lock()


def refresh_needs_later(campaign: Campaign) -> None:
    """Check in a background thread whether a refit is due, after an answer."""
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


def mail_later(send: Callable[[], object]) -> None:
    """Send a mail in a background thread; failures go to the administrators' log."""
    Thread(target=_mail, args=(send,), name="mail").start()


def _mail(send: Callable[[], object]) -> None:
    try:
        send()
    except OSError as error:  # also what SMTP servers refuse
        logging.getLogger("django.adjudge").exception("mail cannot be sent")
        record_of_server("could not send a mail", {"error": str(error)})
    finally:
        connections.close_all()
