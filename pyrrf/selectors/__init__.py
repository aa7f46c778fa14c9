"""The formulas of the papers behind pyrrf as functions of arrays, and the loop that grows trees one by one.

The estimators of `pyrrf.sklearn` are built on them.
"""

__all__: list[str] = []
