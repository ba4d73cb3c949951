"""Results of campaigns: tables for analysis, controls, progress."""
