"""What a trained model is worth, on translations that it was not trained on; one module a question.

Nothing is printed or drawn here: `report/quality_report.py` makes tables and figures of it.
"""
