"""Django app configuration."""

from django.apps import AppConfig

from adjudge.campaigns.store.busy import watch_locks
from adjudge.campaigns.store.database_identity import watch_database_file


class CampaignsConfig(AppConfig):
    """Django app of campaigns, judges and their answers."""

    name = "adjudge.campaigns"
    label = "campaigns"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Monitor the database file and its locks."""
        watch_database_file()
        watch_locks()
