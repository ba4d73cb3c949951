"""Trained models: features, an estimator, and the prediction error; one module per task."""
