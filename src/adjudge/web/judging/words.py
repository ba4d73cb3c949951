"""Texts of the judging page's script, in the reader's language."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.people.crowd import TaskWork

_WORDS: Mapping[str, Promise] = {
    "saving": _("Saving…"),
    "saved": _("Saved"),
    "waiting": _(
        "The server cannot be reached. Answers waiting in this browser: %1. They will be sent "
        "by themselves; do go on."
    ),
    "busy": _(
        "The server is busy. Answers waiting in this browser: %1. They will be sent by "
        "themselves; do go on."
    ),
    "expired": _(
        "You are no longer signed in. Open your personal link again in this browser: what you "
        "answered is kept here and will be sent then."
    ),
    "expired_task": _("This page is too old. Reload it: what you answered is kept here."),
    "refused": _("The server did not accept this answer."),
    "loading": _("Loading…"),
    "no_storage": _("This browser keeps nothing: do not close the page before it says “Saved”."),
    "elsewhere": _("This item was answered in another window; here is the next one."),
    "undo_waits": _("Your last answer is still waiting to be sent. Try again in a moment."),
    "restored": _("Your unfinished answer was restored. It is not submitted yet."),
    "changing": _("You are changing an earlier answer."),
    "missing": _("Not ranked yet: %1"),
    "reason": _("Say in a few words why you skip this item."),
    "candidate": _("Translation %1"),
    "rank": _("rank %1"),
    "best": _("best"),
    "worst": _("worst"),
    "done": _("%1 done"),
    "done_of": _("%1 of %2 done"),
    "pace": _("about %1 s each"),
    "left": _("%1 min left"),
    "practice": _("Practice %1 of %2"),
    "practice_waits": _("The server cannot be reached. Try again in a moment."),
}

_ENDS: Mapping[str, Promise] = {
    "early": _("This campaign has not begun yet. Come back later."),
    "closed": _("This campaign is closed. Thank you for your help!"),
    "paused": _("The organisers have paused your work. Ask them when you may go on."),
    "excluded": _("The organisers have ended your work in this campaign. Thank you."),
    "quota": _("You have judged all that was asked of you. Thank you!"),
    "enough": _("The campaign has all the judgements it needs. Thank you!"),
    "waiting": _(
        "There is nothing for you right now. More comes as others finish their part; come back "
        "later."
    ),
    "exhausted": _("You have judged everything there is. Thank you!"),
}

_TOO_FAST = _(
    "Of your answers, %d of %d came faster than anyone can read the texts. So this task cannot be "
    "handed in, and there is no completion code. Your answers are saved. If you think this is a "
    "mistake, write to the organisers."
)

# Codes that are no one protocol's; the others are in `Protocol.refusals`.
_REFUSALS: Mapping[str, Promise] = {
    "form": _("The server did not understand the answer. Reload the page."),
    "item": _("This item was not given to you. Reload the page."),
    "candidate": _("These are not the translations you were shown. Reload the page."),
    "order": _("The translations were shown to you in another order. Reload the page."),
    "reason": _("Say in a few words why you skip this item."),
    "remark": _("Write at least a word, and at most 2000 characters."),
    "key": _("This answer was mixed up with another one. Reload the page."),
    "time": _("The time of this answer makes no sense. Check this computer's clock."),
    "undo": _("There is no earlier answer to go back to."),
}


def words() -> dict[str, str]:
    """Texts of the script."""
    return {name: str(text) for name, text in _WORDS.items()}


def why_it_ended(code: str | None) -> str | None:
    """Reason why there is no work."""
    return str(_ENDS[code]) if code else None


def too_fast_in_words(work: TaskWork | None) -> str | None:
    """Reason why a crowd task is withheld."""
    return str(_TOO_FAST) % (work.too_fast, work.answered) if work else None


def refusal(refused: Refused) -> str:
    """Reason why an answer was refused."""
    return str(refused.sentence or _REFUSALS.get(refused.code) or refused)
