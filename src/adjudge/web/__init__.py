"""Web application: pages for judges and organisers, and the demonstration."""

from adjudge.core.errors import need


def require_packages() -> None:
    """Require the packages of the extra `campaigns`."""
    for module in ("django", "django_htmx", "gunicorn", "markdown_it", "whitenoise"):
        need(module, "the web application needs", "campaigns")
