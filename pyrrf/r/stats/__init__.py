"""R's package stats: quantiles, covariances, model formulas."""
