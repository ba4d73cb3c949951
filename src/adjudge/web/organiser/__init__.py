"""The organiser's pages: sign in, create a campaign, invite judges, watch, download."""
