"""Campaigns: who judges what, stored so that nothing is lost (Django app, no pages)."""
