"""Addresses of the server."""

from django.urls import include, path

from adjudge.web import health, pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("", include("adjudge.web.judging.urls")),
    path("organise/", include("adjudge.web.organiser.urls")),
]
handler400 = pages.bad_request
handler403 = pages.forbidden
handler404 = pages.not_found
handler500 = pages.broken
