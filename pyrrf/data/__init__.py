"""Reading data: predictors, responses, levels, missing values."""
