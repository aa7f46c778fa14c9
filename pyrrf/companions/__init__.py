"""Functions that R's RRF offers along with RRF(): combine, impute, cross-validate, tune."""
