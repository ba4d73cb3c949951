"""Django app configuration of the pages."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Django app of pages for judges and organisers."""

    name = "adjudge.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"
