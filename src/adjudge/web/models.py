"""What the pages store beside the campaigns."""

from django.db import models


class FailedLogin(models.Model):
    """Somebody gave a wrong password (see `limits`)."""

    name = models.CharField(max_length=64)  # hash of an account or an address
    at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["name", "at"], name="failed_logins_of_a_name"),)
