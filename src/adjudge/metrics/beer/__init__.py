"""Components of BEER: features, model files, and training."""
