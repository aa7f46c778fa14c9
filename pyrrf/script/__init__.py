"""R's values and functions for moved scripts: ``from pyrrf import script as r``.

What `pyrrf migrate` writes reads as the script did: ``x[2]`` is R's second item, ``d.age`` its ``d$age``,
``l[["a"]]`` its ``l[["a"]]``; names are R's, a dot becoming an underscore. Values are copied when they are changed, as
in R. For work that begins in Python, `pyrrf` and `pyrrf.r` take NumPy's arrays and pandas' tables.
"""

from typing import Any

from pyrrf.lazy import load_when_asked as _load_when_asked

# Names by the module that has them.
_HOMES = {
    "values": "NotMovedError RError Value named",
    "operators": "contained",
    "subscripts": "component element taken",
    "replacement": "put put_component put_element",
}
__all__, _load, __dir__ = _load_when_asked(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    return _load(name)
