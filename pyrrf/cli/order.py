"""The arguments of the command line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pyrrf.cli.files import TABLES, check_target
from pyrrf.cli.messages import UsageError
from pyrrf.cli.reading import STDIN, ending
from pyrrf.cli.text import Format
from pyrrf.files import resolve_path

# The methods, and the options that only some of them have.
METHODS = {
    "elimination": ("--features", "--rule", "--cv", "--fast", "--cost", "--groups"),
    "grrf": ("--gamma", "--cv", "--engine r", "--fast", "--cost", "--groups"),
    "stability": ("--gamma", "--pfer", "--fast", "--cost", "--groups"),
    "boruta": ("--fast",),
}
PLOTS = (".png", ".svg")
PAGES = (".html",)
# The package that writes a file, and its extra; other files need none.
_WRITERS = {
    **dict.fromkeys(PLOTS, ("matplotlib", "plot")),
    **dict.fromkeys(PAGES, ("jinja2", "report")),
    **dict.fromkeys((".parquet", ".arrow", ".feather"), ("pyarrow", "arrow")),
}


@dataclass(frozen=True, kw_only=True)
class Order:
    """The arguments of `pyrrf select`; `select` of the application describes each."""

    data: str
    target: str
    method: str
    features: int | None
    rule: str | None
    gamma: float | None
    pfer: float | None
    cv: bool
    fast: bool
    form: Format
    cost: str | None
    groups: str | None
    drop: tuple[str, ...]
    drop_unreadable: bool
    numbers: bool | None
    seed: int
    trees: int | None
    engine: str
    jobs: int
    plot: str | None
    report: str | None
    output: str | None
    as_json: bool


def texts_of(option: Iterable[str] | None) -> tuple[str, ...]:
    """Return the texts of an option that is given several times, or with several texts and commas between them."""
    texts = (text.strip() for one in option or () for text in one.split(","))
    return tuple(dict.fromkeys(text for text in texts if text))


def check_order(order: Order) -> None:
    """Check that the options agree, before anything is read."""
    _check_method(order)
    if order.jobs == 0 or order.jobs < -1:
        raise UsageError(f"--jobs must be a number of threads, at least 1, or -1 for all, not {order.jobs}")
    taken: dict[Path, str] = {}
    for option, path in [("DATA", order.data), ("--cost", order.cost), ("--groups", order.groups)]:
        if path == "":
            raise UsageError(f"{option}: the file name is empty")
        if path not in (None, STDIN):
            taken[resolve_path(path)] = option
    pages = [("--plot", order.plot, PLOTS), ("--report", order.report, PAGES)]
    for option, path, endings in [*pages, ("--output", order.output, tuple(TABLES))]:
        if path is None:
            continue
        resolved = resolve_path(path)
        if ending(path) not in endings:
            raise UsageError(f"{option}: {path}: the file extension must be one of {', '.join(endings)}")
        if resolved in taken:
            raise UsageError(f"{option}: {path} is already the file of {taken[resolved]}; name another file")
        taken[resolved] = option
        _check_writer(path)
        check_target(path)


def _check_method(order: Order) -> None:
    """Check that the settings belong to the method."""
    settings = {
        "--gamma": order.gamma is not None,
        "--engine r": order.engine == "r",
        "--features": order.features is not None,
        "--rule": order.rule is not None,
        "--pfer": order.pfer is not None,
        "--cv": order.cv,
        "--fast": order.fast,
        "--cost": order.cost is not None,
        "--groups": order.groups is not None,
    }
    known = METHODS[order.method]
    for option in (option for option, is_given in settings.items() if is_given and option not in known):
        others = " or ".join(f"--method {name}" for name, options in METHODS.items() if option in options)
        raise UsageError(f"{option} does not apply to --method {order.method}; omit it, or use {others}")
    if order.seed < 0 and order.engine != "r":
        raise UsageError(f"--seed must be at least 0, not {order.seed}, unless --engine r is given")
    if order.method == "grrf" and order.gamma is not None and order.cv:
        raise UsageError("--gamma and --cv cannot be combined, because --cv chooses gamma; give one of them")
    if order.features is not None and order.rule is not None:
        raise UsageError("--features and --rule cannot be combined, because --rule chooses the size; give one of them")
    if order.pfer is not None and not 0 < order.pfer < math.inf:
        raise UsageError(f"--pfer must be a number above 0, not {order.pfer:g}")


def _check_writer(path: str) -> None:
    """Raise ImportError if the package that writes a file is not installed."""
    library, extra = _WRITERS.get(ending(path), ("", ""))
    if library and find_spec(library) is None:
        raise ImportError(f'{path}: this format needs {library}; pip install "pyrrf[{extra}]"')


@dataclass(frozen=True)
class ParityOrder:
    """The arguments of `pyrrf parity`."""

    files: tuple[str, ...]  # a script of R or a recording, and a script of Python; or a table
    target: str | None = None  # the column of a table to be predicted
    classes: bool = False  # whether its numbers are class labels
    # seed, trees: for a table
    seed: int = 1
    trees: int = 100
    limit: float = 600  # seconds that a script may take
    kept: str | None = None  # path to save the recording
