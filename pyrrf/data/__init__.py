"""Data read: predictors, responses, levels, missing values."""
