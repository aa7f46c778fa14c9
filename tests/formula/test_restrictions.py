"""What a term may hold: ways out of a formula, and terms that people write."""

from __future__ import annotations

import functools
import importlib as importlib
import math as math
import operator
import os
import sys
import types
from os import system as system
from pathlib import Path as Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from tests.refusals import refused

FRAME = pd.DataFrame({"a": [1.0, 2.0]})
text = "abc"
evaluate = eval
opened = open
taken = getattr
loaded = np.load
pickled = pd.read_pickle
written = FRAME.to_csv
bound = functools.partial(os.system)
each = np.vectorize(os.system)
dunder = operator.attrgetter("__class__")


def mine(values: Any, k: float = 1, **others: Any) -> Any:
    """A function of the caller."""
    return values * k


@pytest.fixture
def data() -> pd.DataFrame:
    """40 rows with a column of each type that terms read."""
    n = 40
    frame = pd.DataFrame({"y": np.arange(n) % 7 / 7.0, "x": (np.arange(n) * 11 % n + 1) / n})
    frame["kind"] = pd.Categorical(np.resize(["a", "b", "b"], n))
    frame["word"] = pd.Series(np.resize(["one", "three"], n), dtype=object)
    frame["whole"] = pd.Series(np.resize([1, 2, 3], n), dtype=object)
    frame["day"] = pd.date_range("2020-01-01", periods=n, freq="17D")
    return frame


OUT = [
    "x.__class__",
    "I((x).__class__.__base__.__subclasses__())",
    "x.\uff3f\uff3fclass\uff3f\uff3f",
    "I((x).\uff54o_csv('FILE'))",
    "os.system('touch FILE')",
    "os.getcwd()",
    "system('touch FILE')",
    "importlib.import_module('os')",
    "evaluate('x')",
    "opened('FILE', 'w')",
    "taken(x, 'values')",
    "dunder(x)",
    "bound('touch FILE')",
    "each('touch FILE')",
    "Path('FILE').touch()",
    "loaded('FILE')",
    "pickled('FILE')",
    "written('FILE')",
    "np.save('FILE', x)",
    "np.loadtxt('FILE')",
    "pd.eval('x')",
    "FRAME.to_csv('FILE')",
    "mine.__globals__",
    "mine(x, __class__=1)",
    "mine(x, _k=1)",
    "mine(*x)",
    "mine(**x)",
    "I(mine)(x)",
    "x.to_csv('FILE')",
    "x.to_pickle('FILE')",
    "x.std().dump('FILE')",
    "np.where(x > .5, x, x).tofile('FILE')",
    "x.pipe(mine)",
    "x.apply(mine)",
    "x.agg('to_csv')",
    "x.transform('to_csv')",
    "x.eval('x')",
    "I('{0.__class__}'.format(x))",
    "word.str.join('x')",
    "day.dt.strftime('%Y')",
    "x.values",
    "x[x > 0]",
    "x[1:]",
    "x[(1, 2)]",
    "I(lambda: x)",
    "I(x := 1)",
    "I(x @ x)",
    "f'{x}'",
    "_operator.attrgetter('a')(x)",
    "_c0",
]
"""Ways from a formula to files, other processes and Python itself."""

TOO_MUCH = [
    "I('a' * 10000000000 * x)",
    "I('a'.title() * 10000000000)",
    "I([1] * 10000000000)",
    "I(text * 10000000000)",
    "I(word * 10000000000)",
    "I(word.str.upper() * 10000000000)",
    "np.multiply(word, 10000000000)",
    "np.repeat(x, 10000000000)",
    "np.ones(10000000000000)",
    "np.add.outer(x, x)",
    "np.outer(x, x)",
    "word.str.repeat(10000000000)",
    "word.str.pad(10000000000)",
    "word.str.contains('(e+)+$')",
    "word.astype('S10000000000')",
    "math.factorial(1000000)",
    "I(" + "(" * 40 + "9" + "^2)" * 40 + "*x)",
    "I(" + "9" * 5000 + "*x)",
    "I(0x" + "f" * 5000 + "*x)",
    "I(x" + "+1" * 5000 + ")",
    "I(" + "(" * 400 + "x" + ")" * 400 + ")",
    "I(" + "-" * 1900 + "x)",
    "(" * 5000 + "x" + ")" * 5000,
    "*".join(["x", "kind", "whole"] * 10),
    "(x + kind + whole)^30",
    "x^999999999",
    "x^9^9^9",
    ".^40",
    '"' + '\\"' * 100_000,
]
"""Short texts that would take the memory or the time."""

WRITES = [
    "np.negative(x, x)",
    "abs(x, x)",
    "np.sqrt(x, out=x)",
    "np.clip(x, .5, .6, x)",
    "np.nan_to_num(x, copy=False)",
    "x.clip(.5, .6, inplace=True)",
]


@pytest.mark.parametrize("term", OUT)
def test_no_way_out(term: str, data: pd.DataFrame, tmp_path: Path) -> None:
    file = tmp_path / "written"
    with pytest.raises(ValueError, match=r"formula|term") as refusal:
        pyrrf.RRF("y ~ kind + " + term.replace("FILE", str(file)), data, ntree=1)
    assert "column" in str(refusal.value), "the remedy"
    assert not file.exists()


@pytest.mark.parametrize("term", OUT[:8])
def test_no_way_out_of_a_condition(term: str, data: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"formula|term"):
        pyrrf.RRF("y ~ kind", data, subset=f"{term} == 1", ntree=1)


@pytest.mark.parametrize("term", TOO_MUCH, ids=lambda term: term[:30])
def test_short_texts_stay_small(term: str, data: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match=r"formula|infinite"):
        pyrrf.RRF(f"y ~ kind + {term}", data, ntree=1)


@pytest.mark.parametrize("term", WRITES)
def test_data_are_not_written_to(term: str, data: pd.DataFrame) -> None:
    before = data.copy(deep=True)
    with pytest.raises(ValueError, match="of the formula"):
        pyrrf.RRF(f"y ~ kind + {term}", data, ntree=1)
    pd.testing.assert_frame_equal(data, before)


def test_the_message_names_the_term_and_the_remedy(data: pd.DataFrame) -> None:
    with refused("formula", "formula"):
        pyrrf.RRF("y ~ x.__class__", data, ntree=1)


TERMS = [
    "log(x)",
    "log(x, base=2)",
    "I(x^2)",
    "I(2 * x)",
    "I(whole * 2)",
    "I(x * TRUE)",
    "factor(whole)",
    "as.factor(word)",
    "as.numeric(kind)",
    "ifelse(word == 'one', x, -x)",
    "`x`",
    "I(`x`^2)",
    "x:whole",
    "x*whole",
    "(x + whole)^2",
    "mine(x)",
    "mine(x, k=3, other=2)",
    "np.sqrt(x)",
    "I(np.pi * x)",
    "I(math.pi * x)",
    "np.maximum(x, .5)",
    "np.clip(x, .1, .9)",
    "np.where(x > .5, 1, 0)",
    "np.digitize(x, [.2, .5])",
    "I((x - x.mean()) / x.std(ddof=0))",
    "x.clip(lower=.1)",
    "x.isin([1, 2])",
    "word.str.len()",
    "I(word.str[0] == 'o')",
    "I(word.str[0:2] == 'on')",
    "day.dt.month",
    "kind.cat.codes",
]


@pytest.mark.parametrize("term", TERMS)
def test_terms_that_people_write(term: str, data: pd.DataFrame) -> None:
    fit = pyrrf.RRF(f"y ~ kind + {term}", data, ntree=2)
    assert len(fit.columns) >= 2
    assert pyrrf.predict(fit, data.head(3)).notna().all()


def test_a_column_may_begin_with_an_underscore(data: pd.DataFrame) -> None:
    fit = pyrrf.RRF("y ~ _x + I(_x^2)", data.rename(columns={"x": "_x"}), ntree=2)
    assert fit.columns.tolist() == ["_x", "I(_x^2)"]


class Everything:
    """Any name is an attribute, as of a query or a proxy."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, values: Any) -> Any:
        return values


def test_what_wraps_itself_has_an_end(data: pd.DataFrame) -> None:
    def around(values: Any) -> Any:
        return values

    around.__wrapped__ = around  # type: ignore[attr-defined]
    log = Everything()  # noqa: F841 - the formula calls it
    assert pyrrf.RRF("y ~ kind + around(x) + log(x)", data, ntree=2).columns.tolist()[1:] == ["around(x)", "log(x)"]


def test_functions_that_a_library_makes_of_a_text_are_the_librarys(data: pd.DataFrame, tmp_path: Path) -> None:
    module = types.ModuleType("installed_one")
    module.__file__ = str(tmp_path / "site-packages" / "installed_one.py")
    text = "def act(values):\n    open(FILE, 'w').close()\n    return values"
    exec(compile(text, "<generated>", "exec"), vars(module) | {"FILE": str(tmp_path / "f")}, made := {})
    sys.modules["installed_one"] = module
    act = made["act"]  # noqa: F841 - the formula calls it
    try:
        with pytest.raises(ValueError, match="uses 'act'; of libraries"):
            pyrrf.RRF("y ~ kind + act(x)", data, ntree=1)
    finally:
        del sys.modules["installed_one"]
    assert not (tmp_path / "f").exists()
