"""Formulas that try to reach files, made at random: whatever wraps a function that acts, no term calls it."""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import shutil
import types
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

import pyrrf
import pyrrf.r
from pyrrf.rds import files

FRAME = pd.DataFrame({"y": np.arange(20) % 7 / 7.0, "x": (np.arange(20) * 11 % 20 + 1) / 20})
ACTORS: dict[str, Callable[[], tuple[Callable[..., Any], Callable[[str], tuple[Any, ...]]]]] = {
    "write_rds": lambda: (pyrrf.write_rds, lambda path: ({"a": 1}, path)),
    "write_rds of the module": lambda: (files.write_rds, lambda path: ({"a": 1}, path)),
    "write_csv": lambda: (pyrrf.r.write_csv, lambda path: (FRAME, path)),
    "write_table": lambda: (pyrrf.r.write_table, lambda path: (FRAME, path)),
    "joblib.dump": lambda: (joblib.dump, lambda path: (1.5, path)),
    "np.save": lambda: (np.save, lambda path: (path, 1.5)),
    "np.savetxt": lambda: (np.savetxt, lambda path: (path, [1.5])),
    "to_csv": lambda: (FRAME.to_csv, lambda path: (path,)),
    "to_pickle": lambda: (FRAME["x"].to_pickle, lambda path: (path,)),
    "pd.to_pickle": lambda: (pd.to_pickle, lambda path: (1.5, path)),
    "os.mkdir": lambda: (os.mkdir, lambda path: (path,)),
    "os.system": lambda: (os.system, lambda path: (f"touch {path}",)),
    "shutil.copy": lambda: (shutil.copy, lambda path: (__file__, path)),
    "open": lambda: (open, lambda path: (path, "w")),
    "eval": lambda: (eval, lambda path: (f"open({path!r}, 'w')",)),
    "touch": lambda: (Path.touch, lambda path: (Path(path),)),
}
"""What leaves a file behind, and the arguments with which it does."""


class _Held:
    """An object with a function, as a module has."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.mean = self.act = function


def _with(function: Callable[..., Any], given: tuple[Any, ...]) -> Callable[..., Any]:
    """A call with its arguments in it, without code of the caller."""
    return functools.partial(function, *given)


WRAPPERS: dict[str, Callable[[Callable[..., Any], tuple[Any, ...]], Any]] = {
    "plain": lambda function, _: function,
    "partial": lambda function, given: functools.partial(function, *given),
    "twice": lambda function, given: functools.partial(functools.partial(function, *given[:1]), *given[1:]),
    "vectorized": lambda function, given: np.vectorize(_with(function, given), otypes=[object]),
    "ufunc": lambda function, given: np.frompyfunc(_with(function, given), 0, 1),
    "cached": lambda function, _: functools.lru_cache(function),
    "static": lambda function, _: staticmethod(function),
    "bound": lambda function, given: types.MethodType(function, given[0]),
    "held": lambda function, _: _Held(function),
}


TERMS = (
    "{call}",
    "I({call})",
    "I(x + {call})",
    "factor({call})",
    "ifelse(x > .5, {call}, x)",
    "mine({call})",
    "mine(x, {name})",
    "mine({name})",
    "{name}:x",
    "x * {call}",
    "(x + {call})^2",
    "log(x, base={call})",
    "np.where(x > .5, {call}, 0)",
    "x.clip({call})",
    "offset({call})",
    "I(x %in% c({call}))",
    "np.digitize(x, [{call}])",
    "`{name}`({arguments})",
    "I({name})({arguments})",
    "{name}.__call__({arguments})",
    "{name}.func({arguments})",
    "{name}.reduce({arguments})",
    "x.{name}({arguments})",
    "x.apply({name})",
    "{name}[0]({arguments})",
    "__import__('os').system('touch {path}')",
    "x.to_csv('{path}')",
    "x.__class__.to_csv(x, '{path}')",
    "np.asarray(x).tofile('{path}')",
    "pyrrf.write_rds(x, '{path}')",
    "pyrrf.r.write_csv(x, '{path}')",
    "getattr(x, 'to_csv')('{path}')",
)
NAMES = ("go", "log", "cut", "mean", "np.go", "T", "go.on", "c", "runif", "x2")


def mine(*values: Any) -> Any:
    """A function of the caller that acts on nothing."""
    return values[0]


def attack(choose: Random, path: str) -> tuple[str, str, dict[str, Any]]:
    """A formula, a condition, and what stands in the scope of the call."""
    function, arguments = ACTORS[choose.choice(list(ACTORS))]()
    given = arguments(path)
    wrapper = choose.choice(list(WRAPPERS))
    wrapped = WRAPPERS[wrapper](function, given)
    name = choose.choice(NAMES)
    scope = {"np": np, "pyrrf": pyrrf, "mine": mine, name.partition(".")[0]: wrapped, "FRAME": FRAME}
    scope |= {f"arg{at}": value for at, value in enumerate(given)}
    written = [repr(value) if isinstance(value, str) else f"arg{at}" for at, value in enumerate(given)]
    written = choose.choice((written, ["x", repr(path)], ["x"], [], [repr(path)], written[1:]))
    called = f"{name}.act" if wrapper == "held" else name
    inside = ", ".join(written)
    term = choose.choice(TERMS)
    term = term.format(call=f"{called}({inside})", name=called, arguments=inside, path=path)
    side = choose.choice(("y ~ x + {}", "y ~ {}", "{} ~ x", "~ {}", "y ~ . - {}"))
    if choose.random() < 0.2:
        return "y ~ x", f"{term} == 1", scope
    return side.format(term), "", scope


@pytest.mark.filterwarnings("ignore")  # of a file that is not closed
@pytest.mark.parametrize("actor", ACTORS)
@pytest.mark.parametrize("wrapper", ["plain", "partial", "twice", "vectorized", "ufunc", "bound"])
def test_the_functions_act_where_python_calls_them(actor: str, wrapper: str, tmp_path: Path) -> None:
    function, arguments = ACTORS[actor]()
    given = arguments(str(tmp_path / "written"))
    called = WRAPPERS[wrapper](function, given)
    if isinstance(called, np.vectorize):
        called = called.pyfunc
    called(*{"plain": given, "bound": given[1:]}.get(wrapper, ()))
    assert any(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(8))
def test_no_formula_leaves_a_file(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    choose = Random(part)
    before = pickle.dumps(FRAME)
    for number in range(300):
        formula, condition, scope = attack(choose, str(tmp_path / "written"))
        scope |= {"formula": formula, "condition": condition or None}
        with contextlib.suppress(ValueError, TypeError):
            exec("pyrrf.RRF(formula, FRAME, subset=condition, ntree=1)", scope)
        assert not list(tmp_path.iterdir()), f"{part}/{number}: {formula} {condition}"
    assert pickle.dumps(FRAME) == before


@pytest.mark.parametrize("name", ["runif", "rank", "cumsum", "qnorm", "weighted_mean"])
def test_functions_of_pyrrf_that_give_numbers_are_called(name: str) -> None:
    scope = {"pyrrf": pyrrf, "FRAME": FRAME, name: getattr(pyrrf.r, name)}
    call = {"runif": "runif(20)", "weighted_mean": "weighted_mean(x)"}.get(name, f"{name}(x/2)")
    exec(f"fit = pyrrf.RRF('y ~ x + I(x * {call})', FRAME, ntree=1)", scope)
    assert len(scope["fit"].columns) == 2


OWN = """
import functools, numpy as np
def double(v, k=2): return v * k
treble = functools.partial(double, k=3)
short = lambda v: v + 1
each = np.vectorize(double)
cached = functools.wraps(double)(lambda *v: double(*v))
class Power:
    def __init__(self, k): self.k = k
    def __call__(self, v): return v ** self.k
    def by(self, v): return v ** self.k
square = Power(2); cube = Power(3).by
"""


@pytest.mark.parametrize("name", ["double", "treble", "short", "each", "cached", "square", "cube"])
@pytest.mark.parametrize("home", ["__main__", "mylab.features"])
def test_functions_that_the_caller_wrote_are_called(name: str, home: str) -> None:
    scope: dict[str, Any] = {"pyrrf": pyrrf, "FRAME": FRAME, "__name__": home}
    exec(OWN, scope)
    exec(f"fit = pyrrf.RRF('y ~ x + {name}(x)', FRAME, ntree=1)", scope)
    assert len(scope["fit"].columns) == 2


def test_a_library_calls_its_own_functions_and_a_script_does_not(tmp_path: Path) -> None:
    file = tmp_path / "site-packages" / "mylab.py"
    text = "def double(v): return 2 * v\ncall = \"pyrrf.RRF('y ~ double(x)', FRAME, ntree=1)\""
    code = compile(text, file, "exec")
    inside: dict[str, Any] = {"__name__": "mylab", "pyrrf": pyrrf, "FRAME": FRAME}
    exec(code, inside)
    exec(inside["call"], inside)
    outside = {"__name__": "__main__", "pyrrf": pyrrf, "FRAME": FRAME, "double": inside["double"]}
    with pytest.raises(ValueError, match="write a function of your own"):
        exec(inside["call"], outside)
