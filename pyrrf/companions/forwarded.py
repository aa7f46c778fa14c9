"""Arguments that a companion passes on to RRF()."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from pyrrf.checks import flag, reject_unknown
from pyrrf.fit.rrf import RRF


def check_arguments(function: str, arguments: Mapping[str, Any], own: tuple[str, ...], signature_of: Any) -> None:
    """Refuse arguments of RRF() that the function sets, and unknown ones."""
    for name in own:
        if name in arguments:
            raise TypeError(f"{function}() sets {name} itself; leave it out")
    known = [name for name in inspect.signature(RRF).parameters if name != "unknown"]
    unknown = {name: value for name, value in arguments.items() if name not in known}
    parameters = [name for name in inspect.signature(signature_of).parameters if name != "arguments"]
    reject_unknown(function, unknown, [*parameters, *(name for name in known if name not in own)])


def read_quirks(arguments: Mapping[str, Any]) -> bool:
    """Return whether quirks are mirrored, which fits of engine parallel have none of."""
    return flag(arguments.get("quirks", True), "quirks") and arguments.get("engine", "r") == "r"
