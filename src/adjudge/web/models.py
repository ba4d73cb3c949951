"""Database models of the pages."""

from django.db import models


class SignInAttempts(models.Model):
    """Recent attempts to sign in (see `limits`)."""

    name = models.CharField(max_length=64, unique=True)  # hash of an account and an address
    times = models.JSONField(default=list)  # seconds since 1970
    last = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["last"], name="old_sign_in_attempts"),)
