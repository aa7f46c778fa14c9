"""Bindings of the C core (src_c/rrf.h): checks of arguments, arrays for results, and the calls."""

from pathlib import Path

try:
    from pyrrf._core.arrays import check_forest
    from pyrrf._core.elementary import elementary, power
    from pyrrf._core.fit import fit_parallel, fit_r
    from pyrrf._core.grower import TreeGrower
    from pyrrf._core.predict import predict
    from pyrrf._core.ranks import Ranks, sort_like_r
    from pyrrf._core.stream import Stream
    from pyrrf._core.sums import row_totals
    from pyrrf._core.texts import decode_texts
except ModuleNotFoundError as error:
    if not (error.name or "").startswith("pyrrf._core."):
        raise
    from pyrrf.checkout import redirect_to_installed

    try:
        redirect_to_installed(Path(__file__).parents[1])
    except ImportError as reason:
        raise reason from None

__all__ = [
    "Ranks",
    "Stream",
    "TreeGrower",
    "check_forest",
    "decode_texts",
    "elementary",
    "fit_parallel",
    "fit_r",
    "power",
    "predict",
    "row_totals",
    "sort_like_r",
]
