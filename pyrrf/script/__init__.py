"""R's values and functions for moved scripts: ``from pyrrf import script as r``.

What `pyrrf migrate` writes reads as the script did: ``x[2]`` is R's second item, ``d.age`` its ``d$age``,
``l[["a"]]`` its ``l[["a"]]``; names are R's, a dot becoming an underscore. Values are copied when they are changed, as
in R. For work that begins in Python, `pyrrf` and `pyrrf.r` take NumPy's arrays and pandas' tables.
"""

from collections.abc import Callable
from functools import wraps
from inspect import isfunction
from sys import modules
from typing import Any

from pyrrf.lazy import load_when_asked as _load_when_asked

# Names by the module that has them.
_HOMES = {
    "values": "Inf L NA NA_character_ NA_integer_ NA_real_ NULL NaN NotMovedError RError Value copy formula named",
    "placeholder": "not_moved",
    "recorded": "left",
    "operators": "contained",
    "subscripts": "component element taken",
    "replacement": "put put_component put_element",
    "forests": "RRF randomForest",
    "predictions": "predict",
    "chance": "RNGkind RNGversion rbeta rbinom rcauchy rchisq rexp rf rgamma rgeom rlnorm rlogis rmultinom rnbinom rnorm "
    "rpois rt runif rweibull sample sample_int set_seed",
    "reading": "read_csv read_csv2 read_delim read_delim2 read_table type_convert",
    "vectors": "c character colon integer is_na is_null length list logical names numeric put_names rep seq_along seq_len "
    "vector which",
    "caret": "MAE RMSE confusionMatrix createDataPartition createFolds createMultiFolds createResample postResample",
    "tidy": "all_of any_of arrange between contains count desc distinct ends_with everything filter first group_by if_else "
    "last mutate n n_distinct one_of pull rename row_number select slice starts_with summarise summarize tally "
    "transmute ungroup",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    found = _load(name)
    if isfunction(found) and not hasattr(found, "apart"):
        found = vars(modules[__name__])[name] = _apart(found)
    return found


def _apart(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that never returns one of its arguments: to change its value must not change that."""

    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        found = function(*args, **named)
        same = any(found is arg for arg in args) or any(found is arg for arg in named.values())
        return found.copy() if same and hasattr(found, "copy") else found

    called.apart = True  # type: ignore[attr-defined]
    return called
