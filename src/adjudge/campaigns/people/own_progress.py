"""Progress shown to judges themselves."""

from adjudge.campaigns.models import Answer, Assignment, Judge
from adjudge.campaigns.people.crowd import answered_before_task
from adjudge.campaigns.store.queries import stored_seconds_spent


def judge_progress(judge: Judge) -> dict[str, int | float | None]:
    """Progress of a judge, computed cheaply; for a crowd worker, in the current task.

    Skips of a crowd worker do not count, since only answers are paid.
    """
    given = judge.assignments.exclude(state=Assignment.State.RETURNED)
    if judge.platform:
        given = given.exclude(state=Assignment.State.SKIPPED)
    finished = given.exclude(state=Assignment.State.OPEN)
    answers = Answer.objects.filter(assignment__judge=judge, skipped="").order_by("-pk")
    times = answers.values_list(stored_seconds_spent(), flat=True)[:20]
    recent = sorted(time for time in times if time is not None)
    before = answered_before_task(judge)
    # The last HIT may go beyond the quota.
    quota = None if judge.quota is None else max(judge.quota, given.count()) - before
    return {
        "done": finished.count() - before,
        "quota": quota,
        "seconds_per_item": recent[len(recent) // 2] if recent else None,
    }
