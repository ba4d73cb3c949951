"""What answers come to: tables to analyse, controls, how the campaign is going."""
