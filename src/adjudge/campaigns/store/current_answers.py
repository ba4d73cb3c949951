"""Which of a judge's answers stand, and which of the clocks that timed them counts."""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from adjudge.campaigns.models import Answer

# The first that says anything counts: the browser's without pauses, the browser's, the server's.
_CLOCKS = ("active_seconds", "browser_seconds", "seconds")


def standing(answers: QuerySet[Answer], until: datetime | None = None) -> QuerySet[Answer]:
    """Those of the answers that count: of every assignment the highest revision (`until` then)."""
    later = Answer.objects.filter(
        assignment=OuterRef("assignment"), revision__gt=OuterRef("revision")
    )
    if until is not None:
        answers, later = (chosen.filter(received__lte=until) for chosen in (answers, later))
    return answers.filter(~Exists(later))


def seconds_spent(answer: Answer) -> float | None:
    """How long the judge took for an answer; None where no clock says so."""
    times = (getattr(answer, clock) for clock in _CLOCKS)
    return next((seconds for seconds in times if seconds is not None), None)


def stored_seconds_spent() -> Coalesce:
    """The same in a query."""
    return Coalesce(*_CLOCKS)
