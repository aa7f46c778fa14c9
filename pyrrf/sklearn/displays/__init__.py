"""Displays in the manner of scikit-learn: made from an estimator, drawn by ``plot``, numbers kept."""
