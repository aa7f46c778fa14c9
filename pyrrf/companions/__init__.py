"""Functions that R's RRF offers beside RRF(): combine, impute, cross-validate, tune."""
