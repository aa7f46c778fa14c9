"""Computations by R for a script in Python: one session of R, and the exchange of values."""
