"""Arguments that a companion passes on to RRF()."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from pyrrf.checks import flag, reject_unknown
from pyrrf.fit.call import NAMES


def check_arguments(
    function: str, arguments: Mapping[str, object], own: tuple[str, ...], signature_of: Callable[..., object]
) -> None:
    """Refuse unknown arguments, and those of RRF() that the function sets itself."""
    for name in own:
        if name in arguments:
            raise TypeError(f"{function}() sets {name} itself; leave it out")
    unknown = {name: value for name, value in arguments.items() if name not in NAMES}
    parameters = [name for name in inspect.signature(signature_of).parameters if name != "arguments"]
    reject_unknown(function, unknown, [*parameters, *(name for name in NAMES if name not in own)])


def read_quirks(arguments: Mapping[str, object]) -> bool:
    """Return whether quirks are mirrored; engine parallel has none."""
    return flag(arguments.get("quirks", True), "quirks") and arguments.get("engine", "r") == "r"
