"""Models beside campaigns: projects, versions of the design, the address of the site."""

from django.db import models
from django.utils import timezone


class Project(models.Model):
    """Campaigns that belong together: the language pairs of a shared task."""

    name = models.CharField(max_length=200, unique=True)
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class Site(models.Model):
    """Address of the pages, for links made on the command line."""

    address = models.CharField(max_length=200)
    at = models.DateTimeField(default=timezone.now)


class DesignVersion(models.Model):
    """Version of what judges are asked: design, instructions, systems, segments.

    The first version is stored only when something changes (`setup.changes`).
    """

    campaign = models.ForeignKey("campaigns.Campaign", models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    since = models.DateTimeField()
    said = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["campaign", "number"], name="one_version_a_number"),
        )
