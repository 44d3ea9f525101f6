"""Writes the numbers of a result into an experiment tracker: MLflow, Weights & Biases, or a function."""
