"""How a campaign is set up: texts, batches of protocols, practice, opening and closing."""
