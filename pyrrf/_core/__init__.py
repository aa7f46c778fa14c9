"""Binding of the C core (src_c/rrf.h): it checks arguments, makes arrays and calls C, which computes."""

from pyrrf._core.arrays import check_forest
from pyrrf._core.fit import fit_classification, fit_parallel, fit_regression
from pyrrf._core.grower import TreeGrower
from pyrrf._core.predict import predict
from pyrrf._core.ranks import Ranks
from pyrrf._core.stream import Stream

__all__ = [
    "Ranks",
    "Stream",
    "TreeGrower",
    "check_forest",
    "fit_classification",
    "fit_parallel",
    "fit_regression",
    "predict",
]
