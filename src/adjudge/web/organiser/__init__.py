"""Organisers' pages: sign in, create a campaign, invite judges, watch, download."""
