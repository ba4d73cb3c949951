"""Row locks, always taken in this order: the judge, then the campaign.

SQLite has no row locks and needs none: there a transaction that writes is alone.
"""

from adjudge.campaigns.models import Campaign, Judge


def lock_judge(judge: Judge) -> Judge:
    """The judge as stored now, for this transaction: two tabs of one judge take turns."""
    return Judge.objects.select_for_update(no_key=True).get(pk=judge.pk)


def lock_campaign(key: int) -> Campaign:
    """The campaign as stored now, for this transaction: HITs are drawn one after another."""
    return Campaign.objects.select_for_update(no_key=True).get(pk=key)
