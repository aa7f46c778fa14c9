"""Runs the steps of a case in R, in this process, through rpy2."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from parity import companions, draws
from parity.answers import Answer, StreamState
from parity.datasets import load
from parity.datasets.tables import only_counts
from parity.plain import r_label
from parity.steps import FITS, Bare, Case, Column, Labels, Named, Part, Positions, Ref, Step, packages
from parity.values import NOTHING, R_NA, Value, factor, numbers, record, text

R_NAMES = (
    {
        "oob_prox": "oob.prox",
        "norm_votes": "norm.votes",
        "do_trace": "do.trace",
        "class_": "class",
        "keep_forest": "keep.forest",
        "corr_bias": "corr.bias",
        "keep_inbag": "keep.inbag",
        "predict_all": "predict.all",
        "by_tree": "by.tree",
        "na_action": "na.action",
    }
    | companions.R_NAMES
    | draws.R_NAMES
)
"""pyrrf's argument names that differ from R's."""

FUNCTIONS = (
    {
        "RRF": "RRF",
        "GRRF": "pyrrf_grrf",
        "predict": "predict",
        "importance": "importance",
        "getTree": "getTree",
        "treesize": "treesize",
        "varUsed": "varUsed",
        "margin": "margin",
        "runif": "runif",
        "rnorm": "rnorm",
        "sample": "sample",
        "set_seed": "set.seed",
        "print": "pyrrf_plain_print",
        "randomForest": "randomForest",
        "ordinary": "pyrrf_ordinary",
        "read_from_r": "pyrrf_stored",
        "write_to_r": "pyrrf_read",
    }
    | companions.FUNCTIONS
    | draws.FUNCTIONS
)
FACTOR_PARTS = ("y", "ytest", "newy", "strata")
R_INTEGER_NA = -(2**31)


class RSide:
    """R with the packages that are asked for.

    Parameters
    ----------
    packages : tuple of str
        Packages to load; RRF is attached as well.
    """

    def __init__(self, packages: tuple[str, ...] = ("RRF",)) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import rpy2.robjects as ro

        self.ro = ro
        for name in ("r_side.R", "companions.R"):
            ro.r((Path(__file__).parent / name).read_text())
        ro.r["pyrrf_collate"]("C")
        # randomForest has functions of the same names: while it is attached, it hides RRF's.
        for package in packages:
            load_package = "library" if package == "RRF" else "loadNamespace"
            ro.r(f"invisible(suppressPackageStartupMessages({load_package}('{package}')))")

    def run(self, item: Case, swap: Callable[[Step], None] = lambda step: None) -> list[Answer]:
        """Answers of R to the steps of a case; `swap` may put another object in the place of a step's result."""
        return list(self.answers(item, load(item.data).parts, swap))

    def answers(
        self, item: Case, parts: dict[str, Any], swap: Callable[[Step], None] = lambda step: None
    ) -> Iterator[Answer]:
        """Yield the answers one by one; the parts of the data are given."""
        self.ro.r("rm(list = ls(pattern = '^(part|arg|it)[.]')); RNGkind(sample.kind = 'default')")
        self.ro.r["pyrrf_collate"](item.collate)
        for name, value in parts.items():
            self.ro.globalenv[f"part.{name}"] = self.factored(name, value)
        attached = "randomForest" in packages(item)
        if attached:
            self.ro.r("suppressPackageStartupMessages(library(randomForest))")
        try:
            for step in item.steps:
                yield self._step(step, swap)
        finally:
            self.ro.r["pyrrf_collate"]("C")
            if attached:
                self.ro.r("detach('package:randomForest')")

    def factored(self, name: str, part: Any) -> Any:
        """R object of a part of a data set; labels of rows become a factor."""
        made = self.to_r(part)
        if name in FACTOR_PARTS and not isinstance(part, pd.Categorical) and np.asarray(part).dtype.kind not in "iuf":
            made = self.ro.r["factor"](made)
        return made

    def _step(self, step: Step, swap: Callable[[Step], None]) -> Answer:
        line = f"it.{step.name} <- {self._call(step)}"
        answer = self.ro.r["pyrrf_step"](line)
        failed = self._lines(answer.rx2("failed"))
        # Read before the value is turned plain; nothing in between draws, but the order shows it.
        stream = self.stream()
        if not failed:
            swap(step)
        value = NOTHING if failed or step.verb == "set_seed" else self._value(step)
        return Answer(
            value,
            stream,
            self._lines(answer.rx2("printed")),
            self._lines(answer.rx2("warned")),
            failed[0] if failed else None,
        )

    def stream(self) -> StreamState:
        """`.Random.seed` without the code of its kinds: those that pyrrf has, of either kind of samples."""
        state = np.asarray(self.ro.globalenv[".Random.seed"])
        if int(state[0]) not in (403, 10403):
            raise RuntimeError("R's generator is not the default; run RNGkind('default', 'default', 'default')")
        return StreamState.of(state[1:])

    def versions(self) -> dict[str, str]:
        """Versions of R and of the packages whose answers count, and the platform."""
        version = "paste0({0}, ' ', packageVersion({0}))"
        of_packages = [str(self.ro.r(version.format(f"'{p}'"))[0]) for p in ("RRF", "randomForest", "MASS", "mlbench")]
        about = [str(self.ro.r(text)[0]) for text in ("R.version.string", "R.version$platform")]
        return {"R": about[0], "platform": about[1]} | dict(v.split(" ") for v in of_packages)

    def _lines(self, obj: Any) -> list[str]:
        return [] if obj is self.ro.NULL else [str(line) for line in obj]

    # ---- calls -----------------------------------------------------------------------------------

    def _call(self, step: Step) -> str:
        args = dict(step.args)
        function = FUNCTIONS.get(step.verb) or f"pyrrf_compute_{args.pop('what')}"
        number = args.pop("seed", None) if step.verb in FITS else None
        shown = [self._argument(step, key, value) for key, value in args.items()]
        line = f"{function}({', '.join(shown)})"
        return line if number is None else f"{{ set.seed({number}); {line} }}"

    def _argument(self, step: Step, key: str, value: Any) -> str:
        name = R_NAMES.get(key, key)
        return f"{name} = {self._literal(f'arg.{step.name}.{key}', value)}"

    def _literal(self, bound: str, value: Any) -> str:
        """R text of a value. A value that R's parser might round is bound to a name instead."""
        if isinstance(value, Part):
            return f"part.{value.name}"
        if isinstance(value, Ref):
            return f"it.{value.name}"
        if isinstance(value, Bare):
            return value.text
        if value is None:
            return "NULL"
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, int):
            return str(value)
        if isinstance(value, str):
            return json.dumps(value)
        self.ro.globalenv[bound] = self.to_r(value)
        return bound

    # ---- Python to R -----------------------------------------------------------------------------

    def to_r(self, value: Any) -> Any:
        """R object with the same doubles, labels and strings."""
        ro = self.ro
        if isinstance(value, Positions):
            return ro.FloatVector([v + 1.0 for v in value.values])
        if isinstance(value, Named):
            made = self.to_r(list(value.values.values()))
            made.names = ro.StrVector(list(value.values))
            return made
        if isinstance(value, Column):
            return self.to_r(np.array(value.values)[:, None])
        if isinstance(value, Labels):
            return self.to_r(pd.Categorical(value.values, categories=value.levels))
        if isinstance(value, pd.Categorical):
            codes = ro.IntVector([int(c) + 1 if c >= 0 else ro.NA_Integer for c in value.codes])
            levels = ro.StrVector([r_label(level) for level in value.categories])
            return ro.r["pyrrf_factor"](codes, levels, bool(value.ordered))
        if isinstance(value, pd.DataFrame):
            return self._frame(value)
        if isinstance(value, pd.Series):
            made = self.to_r(value.array if isinstance(value.dtype, pd.CategoricalDtype) else value.to_numpy())
            made.names = ro.StrVector([str(label) for label in value.index])
            return made
        return self._vector(value)

    def _frame(self, frame: pd.DataFrame) -> Any:
        ro = self.ro
        arrays = [frame.iloc[:, j].array for j in range(frame.shape[1])]
        columns = [self.to_r(a if isinstance(a, pd.Categorical) else np.asarray(a)) for a in arrays]
        rows = ro.NULL if only_counts(frame.index) else ro.StrVector([str(label) for label in frame.index])
        listed = ro.r["list"](*columns)
        return ro.r["pyrrf_frame"](listed, ro.StrVector([str(name) for name in frame.columns]), rows)

    def _vector(self, value: Any) -> Any:
        ro = self.ro
        array = np.asarray(value)
        flat = array.ravel(order="F").tolist()
        if array.dtype.kind == "b":
            made = ro.BoolVector(flat)
        elif array.dtype.kind in "iu":
            made = ro.IntVector(flat)
        elif array.dtype.kind == "f":
            made = ro.FloatVector(flat)
        elif array.dtype.kind == "M":
            days = array.astype("datetime64[D]").astype(np.int64)
            made = ro.r["as.Date"](ro.FloatVector(days.tolist()), origin="1970-01-01")
        else:
            made = ro.StrVector([ro.NA_Character if v is None else str(v) for v in flat])
        return made if array.ndim < 2 else ro.r["matrix"](made, nrow=array.shape[0])

    # ---- R to plain ------------------------------------------------------------------------------

    def _value(self, step: Step) -> Value:
        r, kept = self.ro.r, self.ro.globalenv[f"it.{step.name}"]
        keep = self.ro.NULL if step.keep is None else self.ro.StrVector(list(step.keep))
        if step.verb in companions.R_PLAIN:
            return self.from_r(r[companions.R_PLAIN[step.verb]](kept, keep))
        if step.verb in (*FITS, "read_from_r", "write_to_r"):
            return self.from_r(r["pyrrf_plain_fit"](kept, keep))
        if step.verb in ("getTree", "compute"):
            return self.from_r(r[f"pyrrf_plain_{step.verb}"](kept))
        if step.verb == "predict":
            return self.from_r(r["pyrrf_plain_predict"](kept))
        if step.verb == "varUsed":
            by_tree, count = step.args.get("by_tree", False), step.args.get("count", True)
            return self.from_r(r["pyrrf_plain_used"](kept, by_tree, count))
        return self.from_r(kept)

    def from_r(self, obj: Any) -> Value:
        """Plain value of an R object; attributes other than names, dim and levels are dropped."""
        ro = self.ro
        if obj is ro.NULL:
            return NOTHING
        if bool(ro.r["is.list"](obj)[0]):
            keys = obj.names
            keys = [str(i + 1) for i in range(len(obj))] if keys is ro.NULL else [str(k) for k in keys]
            return record({key: self.from_r(obj.rx2(i + 1)) for i, key in enumerate(keys)})
        if bool(ro.r["is.factor"](obj)[0]):
            codes = np.asarray(obj).astype(np.int64)
            names = self._names(obj, False)[0]
            return factor(np.where(codes == R_INTEGER_NA, -1, codes - 1), list(ro.r["levels"](obj)), names)
        dim = ro.r["dim"](obj)
        shaped = dim is not ro.NULL
        shape = tuple(int(d) for d in dim) if shaped else (len(obj),)
        names = self._names(obj, shaped)
        if bool(ro.r["is.character"](obj)[0]):
            flat = np.array([None if v is ro.NA_Character else str(v) for v in obj], dtype=object)
            return text(flat.reshape(shape, order="F"), names)
        return numbers(self._doubles(obj).reshape(shape, order="F"), names)

    def _doubles(self, obj: Any) -> np.ndarray:
        flat = np.asarray(obj).ravel(order="F")
        if flat.dtype.kind in "iu":
            missing = flat == R_INTEGER_NA
            flat = flat.astype(np.float64)
            flat[missing] = R_NA
        return flat

    def _names(self, obj: Any, shaped: bool) -> list[list[str] | None]:
        ro = self.ro
        if not shaped:
            names = ro.r["names"](obj)
            return [None if names is ro.NULL else ["NA" if v is ro.NA_Character else str(v) for v in names]]
        names = ro.r["dimnames"](obj)
        if names is ro.NULL:
            return [None] * len(ro.r["dim"](obj))
        return [None if part is ro.NULL else ["NA" if v is ro.NA_Character else str(v) for v in part] for part in names]
