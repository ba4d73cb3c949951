"""Cache of expensive results, recomputed by one request at a time.

Others meanwhile get the previous result with its time. Each process of the server has its own
cache. The slowest results are computed in a background thread.
"""

import logging
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from django.db import connection, connections
from django.utils import timezone

T = TypeVar("T")


@dataclass(frozen=True)
class Dated(Generic[T]):
    """Value with the time of its computation."""

    value: T
    at: datetime
    version: Hashable


@dataclass
class _Slot:
    lock: Lock
    last: Dated[Any] | None = None


_slots: dict[Hashable, _Slot] = {}


def last(name: Hashable) -> Any:
    """Last value under this name, of any age; None if there is none."""
    slot = _slots.get((connection.settings_dict["NAME"], name))
    return slot.last.value if slot and slot.last else None


def cached(
    name: Hashable, lasts: timedelta, compute: Callable[[], T], version: Hashable = None
) -> Dated[T]:
    """Return the result of `compute` for this `version`, at most `lasts` old.

    A result for another version is never returned, so organisers see the effect of their changes.
    """
    slot = _slots.setdefault((connection.settings_dict["NAME"], name), _Slot(Lock()))
    last = slot.last
    usable = last is not None and last.version == version
    if last is not None and usable and timezone.now() - last.at < lasts:
        return last
    if not slot.lock.acquire(blocking=not usable) and last is not None:
        return last  # somebody is at it
    try:
        if slot.last is not last and slot.last is not None and slot.last.version == version:
            return slot.last  # somebody just was
        slot.last = Dated(compute(), timezone.now(), version)
        return slot.last
    finally:
        slot.lock.release()


def worked_out(name: Hashable, version: Hashable) -> Any:
    """Computed value for this `version`; None if there is none, without computing."""
    slot = _slots.get((connection.settings_dict["NAME"], name))
    known = slot.last if slot else None
    return known.value if known and known.version == version else None


def worked_out_later(
    name: Hashable, compute: Callable[[], T], version: Hashable
) -> Dated[T] | None:
    """Value of `compute` for this `version`; None until a background thread has finished."""
    slot = _slots.setdefault((connection.settings_dict["NAME"], name), _Slot(Lock()))
    last = slot.last
    if last is not None and last.version == version:
        return last
    if slot.lock.acquire(blocking=False):
        work = (slot, name, compute, version)
        Thread(target=_work_out, args=work, name=f"later-{name}", daemon=True).start()
    return None


def _work_out(slot: _Slot, name: Hashable, compute: Callable[[], T], version: Hashable) -> None:
    try:
        slot.last = Dated(compute(), timezone.now(), version)
    except Exception:
        # Nobody waits for it; the next request tries again.
        logging.getLogger(__name__).exception("%s", name)
    finally:
        connections.close_all()
        slot.lock.release()
