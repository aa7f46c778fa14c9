"""The systems of papers 000, 001, 002 and 004, each with its formulas and its estimators.

`pyrrf.sklearn` and `pyrrf.selectors` have what is public of them.
"""
