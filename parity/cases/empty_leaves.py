"""Leaves that no case of the bag is in: R gives them class 0, and counts its votes for the row before."""

from __future__ import annotations

from typing import Any

from parity.cases.combining import combine, grow
from parity.cases.showing import partial
from parity.steps import (
    Case,
    Part,
    Step,
    case,
    fit,
    get_tree,
    importance,
    predict,
    printed,
    runif,
    seed,
    treesize,
    var_used,
)

TEST = {"xtest": Part("xtest"), "ytest": Part("ytest"), "keep_forest": True}


def forest(name: str = "fit", **args: Any) -> Step:
    """randomForest(x, y, ...)."""
    return Step("randomForest", {"x": Part("x"), "y": Part("y"), **args}, name)


def answers() -> list[Step]:
    """What is asked of such a fit: rows of the bag, new rows, and new rows of which the first reaches such a leaf."""
    return [
        predict("same", newdata=Part("x"), nodes=True),
        predict("new", newdata=Part("xtest"), type="vote", norm_votes=False),
        predict("late", newdata=Part("late"), type="prob"),
        importance(),
        printed(),
        treesize(),
        var_used(),
        runif(1),
    ]


def absent(at: int, grown: Step) -> Case:
    """A fit to `absent_levels` of which rows reach such leaves: the seeds were looked for."""
    return case(f"{grown.verb}_absent_levels_{at}", "absent_levels", seed(at), grown, *answers())


def curves(at: int, grown: Step) -> Case:
    """Of such a fit, where the first row reaches such a leaf: no point of a curve may vote for the point before it."""
    steps = [partial(name, name, pred_data=Part("late")) for name in ("many", "few", "three")]
    return case(f"{grown.verb}_absent_levels_{at}", "absent_levels", seed(at), grown, *steps, runif(1))


def doors(number: int, grown: Any) -> Case:
    """R's own example data: there are such leaves, and no row reaches them."""
    steps = [
        grown(ntree=80),
        predict("same", newdata=Part("x"), predict_all=True),
        *(get_tree(f"t{k}", k=k) for k in (1, 80)),
    ]
    more = [treesize(), grow(5), grown("second", ntree=60), combine("fit", "second"), runif(1)]
    return case(f"{grown().verb}_imports_doors_{number}", "imports_doors", seed(number), *steps, *more)


CASES = [
    absent(9, fit(ntree=60, importance=True, localImp=True)),
    absent(531, fit(ntree=60, **TEST, keep_inbag=True)),
    absent(967, fit(ntree=60, **TEST)),
    absent(142, forest(ntree=60, **TEST, localImp=True)),
    absent(932, forest(ntree=60, **TEST, keep_inbag=True, norm_votes=False)),
    curves(48, fit(ntree=60)),
    curves(66, forest(ntree=60)),
    *(doors(number, grown) for number in range(3) for grown in (fit, forest)),
]
