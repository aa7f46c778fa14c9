"""Writer of the trees of a fit as R's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.errors import bad
from pyrrf.rbase.numbers import label
from pyrrf.rds import build
from pyrrf.result.forest import Forest


def write_forest(forest: Forest, columns: list[str] | None, counted: list[str] | None) -> Any:
    """Return a forest as R's list; `columns` are the names of `xlevels`, `counted` those of `ncat`.

    ValueError if a split lists levels, or sends missing values one way, which R's trees cannot store.
    """
    _check(forest)
    named = build.vector_names(columns)
    # In R the levels of a data frame are counted by integers, unless there is an ordered factor.
    ordered = any(column.kind == "ordered" for column in forest.coded.values())
    counts = build.doubles if ordered or not columns else build.integers
    nodes = build.doubles if forest.combined else build.integers
    none = build.doubles([0])
    levels = [
        none if isinstance(column_levels, int) else build.texts(map(label, column_levels))
        for column_levels in forest.xlevels
    ]
    parts: dict[str, Any] = {
        "ndbigtree": build.integers(forest.ndbigtree),
        "nodestatus": nodes(forest.nodestatus),
        "bestvar": nodes(forest.bestvar),
        "treemap": nodes(forest.treemap),
        "leftDaughter": nodes(forest.leftDaughter),
        "rightDaughter": nodes(forest.rightDaughter),
        "nodepred": (nodes if forest.nclass else build.doubles)(forest.nodepred),
        "xbestsplit": build.doubles(forest.xbestsplit),
        "pid": None if forest.pid is None else build.doubles(forest.pid),
        "cutoff": None if forest.cutoff is None else build.doubles(forest.cutoff),
        "ncat": counts(forest.ncat, build.vector_names(counted)),
        "maxcat": counts([forest.maxcat]),
        "nrnodes": build.integers([forest.nrnodes]),
        "ntree": build.doubles([forest.ntree]),
        "nclass": None if forest.nclass is None else build.integers([forest.nclass]),
        "xlevels": build.make("VEC", levels, named),
    }
    return build.named_list({name: parts[name] for name in (_CLASSES if forest.nclass else _NUMBERS)})


_CLASSES = """ndbigtree nodestatus bestvar treemap nodepred xbestsplit pid cutoff ncat maxcat nrnodes ntree nclass
xlevels""".split()
_NUMBERS = """ndbigtree nodestatus leftDaughter rightDaughter nodepred bestvar xbestsplit ncat nrnodes ntree
xlevels""".split()


def _check(forest: Forest) -> None:
    trees = forest.trees
    if trees.level_set is not None and len(trees.level_set):
        raise bad.unsupported("object has splits of factors with more than 32 levels, which R's trees cannot store")
    one_way = trees.missing_left is not None and not np.isfinite(trees.split_point).all()
    if one_way or any(column.missing for column in forest.coded.values()):
        raise bad.unsupported(
            "object has splits that send missing values one way, which R's trees cannot store; avoid missing values"
        )
