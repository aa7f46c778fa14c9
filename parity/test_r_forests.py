"""Forests that R made and stored (`r_forests.R`): what reads, checks and uses a fit takes each, as R does."""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from parity.conftest import missing
from pyrrf import rules
from pyrrf.testing.comparer import first_difference, values

COUNT = 200
# Of these R makes all but a few, and some have leaves without cases.
LEAST, LEAST_EMPTY = 190, 5
SCRIPT = Path(__file__).with_suffix(".R").with_stem("r_forests")
# One line for each file that is another one there and back: its values, whatever their type; the call is text, and
# terms from Python are main effects. `test_rds` compares types and names.
COMPARE = """
    plain <- function(part) if (is.list(part)) Filter(length, lapply(unclass(part), plain)) else
                            if (is.numeric(part) && !is.factor(part)) as.vector(part) + 0 else
                            if (is.factor(part)) as.vector(part) else part
    values <- function(fit) {
        fit$terms <- fit$call <- NULL
        names(fit$forest$xlevels) <- NULL
        plain(fit)
    }
    for (at in list.files(commandArgs(TRUE), "^fit_", full.names = TRUE)) {
        a <- values(readRDS(at)); b <- values(readRDS(sub("fit_", "back_", at)))
        found <- Filter(function(name) !identical(a[[name]], b[[name]]), union(names(a), names(b)))
        if (length(found)) cat(basename(at), ":", found, "\\n")
    }
"""


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of R's files."""
    for package in ("RRF", "randomForest", "MASS", "mlbench"):
        if missing(package):
            pytest.skip(missing(package))
    folder = tmp_path_factory.mktemp("r_forests")
    subprocess.run(["Rscript", str(SCRIPT), str(folder), str(COUNT)], check=True, capture_output=True)
    return folder


def read(folder: Path, kind: str, number: int) -> Any:
    """A file of R's; the test is skipped where R made no forest."""
    file = folder / f"{kind}_{number}.rds"
    if not file.exists():
        pytest.skip("R refuses")
    return pyrrf.read_rds(file)


def answer(ask: Callable[[], Any]) -> Any:
    """Return an answer, or its error."""
    try:
        return ask()
    except (TypeError, ValueError) as error:
        return {"error": str(error)}


def flat(value: Any) -> Any:
    """Numbers in R's order, without labels; codes of categories count from 1, as in R."""
    if isinstance(value, pd.Series) and isinstance(value.dtype, pd.CategoricalDtype):
        value = value.cat.codes + 1
    return None if value is None else np.asarray(values(value)).ravel("F")


def parts(result: Any) -> dict[str, Any]:
    """The parts of a prediction."""
    whole = result if isinstance(result, pyrrf.Prediction) else pyrrf.Prediction(result)
    return {name: flat(getattr(whole, name)) for name in ("predicted", "nodes", "proximity", "individual")}


def predictions(fit: Any, rows: Any) -> dict[str, Any]:
    """Return the answers of `predictions` of r_forests.R, in its order, because draws of ties go on."""
    pyrrf.set_seed(5)
    pyrrf.runif(1)
    asked: dict[str, dict[str, Any]] = {
        "response": {}, "nodes": {"nodes": True}, "near": {"proximity": True}, "all": {"predict_all": True}
    }  # fmt: skip
    if fit.type != "regression":
        asked |= {"prob": {"type": "prob"}, "vote": {"type": "vote", "norm_votes": False}}
    return {name: answer(lambda: parts(pyrrf.predict(fit, rows, **asked[name]))) for name in asked}  # noqa: B023


def printed(fit: Any) -> list[str]:
    """The printed form from the type on."""
    lines = str(fit).split("\n")
    return lines[next(index for index, line in enumerate(lines) if "Type of random forest" in line) :]


def curve(fit: Any, x: Any, name: str) -> Any:
    """The dependence on a column."""
    return answer(lambda: flat(pyrrf.partialPlot(fit, x, name, plot=False).y))


def answers(fit: Any, data: dict[str, Any]) -> dict[str, Any]:
    """Return the answers of `answers` of r_forests.R."""
    classes = fit.type == "classification"
    own = {
        "trees": [flat(pyrrf.getTree(fit, k)) for k in range(1, fit.ntree + 1)],
        "size": pyrrf.treesize(fit), "nodes": pyrrf.treesize(fit, terminal=False), "used": flat(pyrrf.varUsed(fit)),
        "importance": flat(pyrrf.importance(fit)), "printed": printed(fit),
        "margin": answer(lambda: flat(pyrrf.margin(fit))) if classes else None,
        "twice": flat(pyrrf.combine(fit, fit).forest.nodepred),
    }  # fmt: skip
    if fit.type == "unsupervised":
        return own
    new = {name: predictions(fit, data[part]) for name, part in (("train", "x"), ("new", "new"))}
    return own | new | {"curves": [curve(fit, data["x"], name) for name in data["x"]]}


def differences(ours: Any, theirs: Any, where: str = "") -> list[str]:
    """Where two nested answers differ; what R refuses is not compared."""
    if isinstance(theirs, dict) and "error" in theirs:
        return []
    if isinstance(ours, dict | list) and isinstance(theirs, dict | list) and len(ours) == len(theirs):
        pairs = [(key, ours[key], theirs[key]) for key in (ours if isinstance(ours, dict) else range(len(ours)))]
        return [line for key, a, b in pairs for line in differences(a, b, f"{where}/{key}")]
    if ours is None or theirs is None:
        return [] if ours is theirs else [f"{where}: {ours} and {theirs}"]
    a, b = np.asarray(ours), flat(theirs)
    # R leaves out what a leaf without a class says (DIFFERENCES.md).
    if a.shape != b.shape or (where.endswith("individual") and pd.isna(a).any()):
        return [] if pd.isna(a).any() else [f"{where}: {a.shape} and {b.shape}"]
    difference = first_difference(where, a, b)
    return [] if difference is None else [str(difference)]


def test_r_made_many(stored: Path) -> None:
    fits = [pyrrf.read_rds(file) for file in stored.glob("fit_*.rds")]
    assert len(fits) >= LEAST
    assert sum(fit.forest.has_empty_leaves for fit in fits) >= LEAST_EMPTY


@pytest.mark.parametrize("number", range(1, COUNT + 1))
def test_answers_are_those_of_r(number: int, stored: Path) -> None:
    fit, data = read(stored, "fit", number), read(stored, "data", number)
    unequal = differences(answers(fit, data), read(stored, "answers", number))
    assert not unequal, "\n".join([fit.call, *unequal])


@pytest.mark.parametrize("number", range(1, COUNT + 1))
def test_what_else_takes_a_fit(number: int, stored: Path) -> None:
    fit, data = read(stored, "fit", number), read(stored, "data", number)
    assert pickle.loads(pickle.dumps(fit)) == fit
    assert set(fit.summary().table["feature"]) <= set(fit.columns)
    if fit.type != "unsupervised" and fit.terms is None:
        extracted = rules.extractRules(rules.RF2List(fit), data["x"])
        assert len(extracted)


def test_there_and_back(stored: Path) -> None:
    for file in stored.glob("fit_*.rds"):
        pyrrf.write_rds(pyrrf.read_rds(file), stored / file.name.replace("fit_", "back_"))
    compared = subprocess.run(["Rscript", "-e", COMPARE, str(stored)], check=True, capture_output=True, text=True)
    assert compared.stdout == ""
