"""What a judge sent and the server did not accept, for the organisers: it is in the log.

The browser does not send it again, so nothing else would tell them. The request is kept as it
came, as letters that every database takes, and only so much and so many of a judge.
"""

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Judge
from adjudge.campaigns.store.audit import record

WHAT = "sent an answer that was refused"
MOST = 100  # of a judge
_LONGEST = 4000  # characters of a request


def keep_refused(judge: Judge, refused: Refused, body: bytes) -> None:
    """Write a refused request into the log of the judge's campaign."""
    who = f"judge {judge.name}"[:200]
    if judge.campaign.audit.filter(who=who, what=WHAT).count() < MOST:
        request = body[:_LONGEST].decode("ascii", "backslashreplace").replace("\0", "\\0")
        details = {"reason": str(refused), "request": request}
        record(judge.campaign, who, WHAT, details)
