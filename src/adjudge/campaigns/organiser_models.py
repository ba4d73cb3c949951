"""What is stored beside campaigns: projects, versions of what is asked, where pages are served."""

from django.db import models
from django.utils import timezone


class Project(models.Model):
    """Campaigns that belong together: the language pairs of a shared task."""

    name = models.CharField(max_length=200, unique=True)
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Site(models.Model):
    """Where the pages are served, for whoever makes links at the command line."""

    address = models.CharField(max_length=200)
    at = models.DateTimeField(default=timezone.now)


class DesignVersion(models.Model):
    """What was asked of judges from a moment on: design, instructions, systems, segments.

    There is none before something is changed (`setup.versions`).
    """

    campaign = models.ForeignKey("campaigns.Campaign", models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    since = models.DateTimeField()
    said = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "number"], name="one_version_a_number"),
        )
