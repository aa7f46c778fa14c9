from collections.abc import Callable
from typing import Any

from pyrrf._core.ranks import Ranks
from pyrrf._core.records import CoreResult, Growing, ParallelRule, TrainingArrays
from pyrrf._core.stream import Stream

_OnTree = Callable[[int, Any, Any], object]

def fit_r(
    rows: TrainingArrays,
    growing: Growing,
    *,
    stream: Stream,
    n_jobs: int = 1,
    trace: int = 0,
    on_tree: _OnTree | None = None,
    ranks: Ranks | None = None,
) -> CoreResult: ...
def fit_parallel(
    rows: TrainingArrays,
    growing: Growing,
    rule: ParallelRule,
    seed: int,
    *,
    first_tree: int = 0,
    return_splits: bool = False,
    n_jobs: int = 1,
    trace: int = 0,
    on_tree: _OnTree | None = None,
    ranks: Ranks | None = None,
) -> CoreResult: ...
