"""The Django app of the pages."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Pages for judges and organisers."""

    name = "adjudge.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"
