"""Trained models: features, an estimator, and how far predictions are off; one module a task."""
