"""The web application: pages for judges and organisers."""

from adjudge.core.errors import need

for _module in ("django", "django_htmx", "gunicorn", "markdown_it", "whitenoise"):
    need(_module, "the web application needs", "campaigns")
