"""From the arguments of RRF() to a fit."""
