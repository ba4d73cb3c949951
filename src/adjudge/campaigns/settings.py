"""Django settings for campaigns without pages; the settings of the pages extend these."""

import os

from adjudge.campaigns.store.database import DEFAULT, database_settings

DATABASES = {"default": database_settings(os.environ.get("DATABASE_URL") or DEFAULT)}
INSTALLED_APPS = ["adjudge.campaigns"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
# Needed by nothing here: tokens are random numbers, not signatures.
SECRET_KEY = "campaigns without pages sign nothing"
