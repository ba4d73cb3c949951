"""Studies of a trained model on held-out translations, one module per question.

Nothing is printed or drawn here: `report/quality_report.py` makes the tables and figures.
"""
