from collections.abc import Callable
from typing import Any

from pyrrf._core.ranks import Ranks
from pyrrf._core.records import Growing, Grown, ParallelRule, Rows
from pyrrf._core.stream import Stream

_OnTree = Callable[[int, Any, Any], object]

def fit_r(
    rows: Rows,
    growing: Growing,
    *,
    stream: Stream,
    n_jobs: int = 1,
    trace: int = 0,
    on_tree: _OnTree | None = None,
    ranks: Ranks | None = None,
) -> Grown: ...
def fit_parallel(
    rows: Rows,
    growing: Growing,
    rule: ParallelRule,
    seed: int,
    *,
    first_tree: int = 0,
    tell_splits: bool = False,
    n_jobs: int = 1,
    trace: int = 0,
    on_tree: _OnTree | None = None,
    ranks: Ranks | None = None,
) -> Grown: ...
