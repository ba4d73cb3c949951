"""Campaigns: who judges what, stored so that nothing is lost (Django app, no pages)."""

from adjudge.errors import need

need("django", "campaigns need", "campaigns")
