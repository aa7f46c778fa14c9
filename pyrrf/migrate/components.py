"""What fits and other objects hold: R's components and what they are in Python."""

from __future__ import annotations

from dataclasses import replace

from pyrrf.migrate.types import FLOAT, FLOATS, INT, INTS, POSITIONS, TABLE, Type

_COLUMN = replace(FLOATS, series=True, full=True)
_FIT = {
    "importance": TABLE,
    "importanceSD": TABLE,
    "localImportance": TABLE,
    "proximity": TABLE,
    "feaSet": POSITIONS,
    "err.rate": TABLE,
    "confusion": TABLE,
    "votes": TABLE,
    "inbag": TABLE,
    "mse": _COLUMN,
    "rsq": _COLUMN,
    "predicted": _COLUMN,
    "y": _COLUMN,
    "oob.times": replace(INTS, series=True, full=True),
    "ntree": replace(INT, positive=True),
    "mtry": replace(INT, positive=True),
    "coefReg": replace(FLOATS, full=True),
    "test": Type("object", what="test"),
}
COMPONENTS: dict[str, dict[str, Type]] = {
    "fit": _FIT,
    "test": {
        "predicted": _COLUMN,
        "err.rate": TABLE,
        "votes": TABLE,
        "confusion": TABLE,
        "mse": _COLUMN,
        "rsq": _COLUMN,
    },
    "rrfcv": {
        "n.var": replace(INTS, full=True, positive=True),
        "error.cv": _COLUMN,
        "predicted": Type("frame", full=True),
    },
    "confusionMatrix": {
        "overall": _COLUMN,
        "table": Type("matrix", "int", series=True, full=True),
    },
    "partial": {"x": FLOATS, "y": FLOATS},
    "histogram": {"counts": INTS, "breaks": FLOATS, "mids": FLOATS},
    "test.result": {"p.value": FLOAT, "statistic": FLOAT},
}
