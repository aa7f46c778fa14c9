"""One call of RRF() between its arguments and the core: what all kinds of forest share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyrrf.checks import count, number
from pyrrf.data.inputs import Predictors
from pyrrf.data.match import match_test_set
from pyrrf.fit import arguments as rules
from pyrrf.fit.engine import Engine


@dataclass(frozen=True)
class Task:
    """One call of RRF(): data read and checked, arguments as given."""

    given: Mapping[str, Any]
    call: str
    x: Predictors
    flags: Mapping[str, bool]
    engine: Engine

    def __getitem__(self, name: str) -> Any:
        return self.given[name]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of x."""
        n, p = self.x.values.shape
        return n, p


def read_flags(given: Mapping[str, Any]) -> dict[str, bool]:
    """Return the True/False arguments by name, with R's defaults."""
    names = ("replace", "importance", "localImp", "norm_votes", "corr_bias", "keep_inbag", "quirks")
    flags = rules.resolve_flags(**{name: given[name] for name in names})
    flags["importance"] = flags["importance"] or flags["localImp"]
    # R's defaults: proximity in unsupervised mode only, oob.prox = proximity, and no forest
    # without a response or with a test set.
    defaults = {
        "proximity": given["y"] is None,
        "keep_forest": given["y"] is not None and given["xtest"] is None,
    }
    for name, default in defaults.items():
        value = default if given[name] is None else given[name]
        flags |= rules.resolve_flags(**{name: value})
    oob_prox = flags["proximity"] if given["oob_prox"] is None else given["oob_prox"]
    return flags | rules.resolve_flags(oob_prox=oob_prox)


def common_arguments(task: Task, default_mtry: int) -> dict[str, Any]:
    """Return the arguments of the core that do not depend on the response."""
    _, p = task.shape
    number(task["nPerm"], "nPerm")
    flag_reg = rules.resolve_flag_reg(task["flagReg"])
    coef_reg = rules.resolve_coef_reg(task["coefReg"], flag_reg, task.x.columns)
    if task.engine.parallel and coef_reg.min() < 0:
        # A tree that is grown ahead stands because no split offers less once its feature is in F.
        raise ValueError("coefReg must not be negative with engine='parallel'; pass values from 0 to 1")
    return {
        "ntree": count(task["ntree"], "ntree"),
        "mtry": rules.resolve_mtry(task["mtry"], p, default_mtry),
        "replace": task.flags["replace"],
        "flag_reg": flag_reg,
        "coef_reg": coef_reg,
        "used": rules.resolve_fea_ini(task["feaIni"], p),
        "importance": task.flags["importance"],
        "local_importance": task.flags["localImp"],
        "proximity": task.flags["proximity"],
        "oob_proximity": task.flags["oob_prox"],
        "keep_forest": task.flags["keep_forest"],
        "keep_inbag": task.flags["keep_inbag"],
        "quirks": task.flags["quirks"],
    }


def read_test_rows(task: Task) -> Predictors | None:
    """Return `xtest` with the codes of x, or None."""
    return (
        None
        if task["xtest"] is None
        else match_test_set(task["xtest"], task.x, task.flags["quirks"], task.engine.parallel)
    )


def common_parts(task: Task, common: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a fit that do not depend on the response."""
    return {
        "call": task.call,
        "ntree": common["ntree"],
        "mtry": common["mtry"],
        "coefReg": common["coef_reg"],
        "quirks": task.flags["quirks"],
        "engine": task.engine.name,
        "rows": task.x.rows,
        "columns": task.x.columns,
        "named": task.x.named,
    }
