"""The random stream on both sides: names of its functions, and random calls of them."""

from __future__ import annotations

from typing import Any

import pandas as pd

import pyrrf
from parity.chooser import Chooser
from parity.steps import Case, Labels, Named, Step

R_NAMES = {"lambda_": "lambda", "normal_kind": "normal.kind", "sample_kind": "sample.kind"}
"""pyrrf's argument names that differ from R's."""

LAWS = (
    "rbeta", "rbinom", "rcauchy", "rchisq", "rexp", "rf", "rgamma", "rgeom", "rlnorm", "rlogis", "rmultinom",
    "rnbinom", "rpois", "rt", "rweibull",
)  # fmt: skip
FUNCTIONS = {law: law for law in LAWS} | {
    "sample_int": "sample.int",
    "RNGkind": "RNGkind",
    "RNGversion": "RNGversion",
    "get_random_seed": "pyrrf_random_seed",
    "set_random_seed": "pyrrf_set_random_seed",
}
"""R's functions by verb; pyrrf.random has the same verbs."""


def call(verb: str, args: dict[str, Any]) -> Any:
    """Call pyrrf's function; R's vectors with names are Series."""
    args = {key: pd.Series(value) if isinstance(value, dict) else value for key, value in args.items()}
    return getattr(pyrrf.random, verb)(**args)


def random_draws(number: int) -> Case:
    """Draws from each distribution with random parameters, samples, and where they leave the stream."""
    choose = Chooser(50_000 + number)
    kind = {"sample_kind": "Rounding"} if choose.chance(0.4) else {}
    steps = [Step("set_seed", {"seed": number, **kind}, "seed")]
    for law in (*PARAMETERS, "sample", "sample_weighted", "rmultinom"):
        steps.append(_sample(choose) if law == "sample" else _one(choose, law))
    steps += [Step("runif", {"n": 1}, "last"), Step("get_random_seed", {}, "state")]
    return Case(f"draws_{number}", "two", tuple(steps))


def _one(choose: Chooser, law: str) -> Step:
    if law == "sample_weighted":
        return _sample_weighted(choose)
    if law == "rmultinom":
        return _multinomial(choose)
    args: dict[str, Any] = {"n": choose.between(0, 30) if choose.chance(0.9) else [0.0] * choose.between(2, 9)}
    for name, draw in choose.one_of(*PARAMETERS[law]).items():
        count = choose.one_of(1, 1, 2, 3, 5)
        values = [float(draw(choose)) for _ in range(count)]
        args[name] = values if count > 1 else values[0]
    return Step(law, args, law)


# ---- parameters ----------------------------------------------------------------------------------

ODD = (0.0, -1.0, float("inf"), float("-inf"), float("nan"), 1e-300, 1e300, 1.0)


def _size_of(choose: Chooser, low: float, high: float) -> float:
    """A number whose logarithm is uniform."""
    return float(10.0 ** choose.vector(1, low, high)[0])


def _positive(choose: Chooser) -> float:
    return choose.one_of(*ODD) if choose.chance(0.12) else _size_of(choose, -3, 4)


def _mean(choose: Chooser) -> float:
    """Around the mean of 10, where R takes another algorithm for Poisson numbers, and far from it."""
    if choose.chance(0.12):
        return choose.one_of(*ODD, 10.0, 3e9)
    return _size_of(choose, -3, 9) if choose.chance(0.4) else _size_of(choose, 0, 2.5)


def _shape(choose: Chooser) -> float:
    return (
        choose.one_of(0.0, -1.0, float("inf"), float("nan"), 1.0, 1e-8, 1e8) if choose.chance(0.12) else _half(choose)
    )


def _half(choose: Chooser) -> float:
    """Shapes near 1, where algorithms change, and others."""
    return _size_of(choose, -0.5, 1.2) if choose.chance(0.6) else _size_of(choose, -2, 3)


def _any(choose: Chooser) -> float:
    return choose.one_of(*ODD) if choose.chance(0.12) else choose.vector(1, -20, 20)[0]


def _trials(choose: Chooser) -> float:
    if choose.chance(0.12):
        return choose.one_of(0.0, -1.0, 2.5, float("nan"), float("inf"), 1.0, 2147483646.0)
    return float(round(_size_of(choose, 0, 9.2 if choose.chance(0.3) else 3)))


def _chance(choose: Chooser) -> float:
    if choose.chance(0.12):
        return choose.one_of(0.0, 1.0, -0.1, 1.1, float("nan"), float("inf"), 0.5, 1e-9, 1 - 1e-12)
    return choose.vector(1, 0, 1)[0] if choose.chance(0.7) else _size_of(choose, -6, 0)


PARAMETERS: dict[str, tuple[dict[str, Any], ...]] = {
    "runif": ({"min": _any, "max": _any}, {}),
    "rnorm": ({"mean": _any, "sd": _positive}, {}),
    "rlnorm": ({"meanlog": _any, "sdlog": _positive}, {}),
    "rexp": ({"rate": _positive}, {}),
    "rgamma": ({"shape": _half}, {"shape": _positive, "rate": _positive}, {"shape": _shape, "scale": _positive}),
    "rbeta": ({"shape1": _shape, "shape2": _shape}, {"shape1": _half, "shape2": _half, "ncp": _positive}),
    "rchisq": ({"df": _positive}, {"df": _positive, "ncp": _positive}),
    "rt": ({"df": _positive}, {"df": _positive, "ncp": _any}),
    "rf": ({"df1": _positive, "df2": _positive}, {"df1": _positive, "df2": _positive, "ncp": _positive}),
    "rlogis": ({"location": _any, "scale": _any}, {}),
    "rweibull": ({"shape": _positive, "scale": _positive}, {"shape": _positive}),
    "rcauchy": ({"location": _any, "scale": _positive}, {}),
    "rbinom": ({"size": _trials, "prob": _chance},),
    "rpois": ({"lambda_": _mean},),
    "rgeom": ({"prob": _chance},),
    "rnbinom": ({"size": _positive, "prob": _chance}, {"size": _positive, "mu": _mean}),
}
"""The parameters of each distribution, with how they are chosen; `{}` for R's defaults."""


# ---- samples -------------------------------------------------------------------------------------


def _sample(choose: Chooser) -> Step:
    replace = choose.chance(0.5)
    kind = choose.between(0, 3)
    if kind == 0:
        levels = tuple("cabde"[: choose.between(2, 5)])
        values = tuple(choose.one_of(*levels) for _ in range(choose.between(2, 12)))
        return Step("sample", {"x": Labels(values, levels), "replace": replace}, "sample")
    n = choose.one_of(choose.between(1, 70), choose.between(1000, 70000), 10_000_001, 3_000_000_000)
    n = n if replace or n < 1e9 else 20_000_003
    return Step("sample_int", {"n": n, "size": choose.between(0, min(n, 40)), "replace": replace}, "sample")


def _sample_weighted(choose: Chooser) -> Step:
    """Weights with zeros and ties; more than 200 of them lead to Walker's aliases."""
    n, replace = choose.one_of(1, choose.between(2, 60), choose.between(190, 600)), choose.chance(0.5)
    weights = [choose.one_of(0.0, 0.5, 0.5, w) if choose.chance(0.4) else w for w in choose.vector(n, 0.0, 3.0)]
    weights[choose.between(0, n - 1)] = 1.5
    positive = sum(w > 0 for w in weights)
    size = choose.between(1, 40 if replace else positive)
    return Step("sample", {"x": n, "size": size, "replace": replace, "prob": weights}, "weighted")


def _multinomial(choose: Chooser) -> Step:
    weights = [choose.one_of(0.0, w, w) for w in choose.vector(choose.between(1, 8), 0.0, 2.0)] + [0.7]
    prob = Named({f"c{at}": w for at, w in enumerate(weights)}) if choose.chance(0.3) else weights
    size = choose.one_of(0, choose.between(1, 50), choose.between(51, 100_000))
    return Step("rmultinom", {"n": choose.between(1, 6), "size": size, "prob": prob}, "rmultinom")
