"""Setup of campaigns: texts, batches of protocols, practice, opening and closing."""
