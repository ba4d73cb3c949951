"""The Django app."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Campaigns, judges and their answers."""

    name = "adjudge.campaigns"
    label = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"
