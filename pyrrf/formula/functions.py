"""The functions of R that terms may call, which `pyrrf.r` has, and the arguments that they take here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_BY_ARGUMENTS = {
    "x": (
        "I log2 log10 log1p exp expm1 sqrt sin cos tan tanh abs floor ceiling trunc sign as_factor as_numeric "
        "as_integer as_logical as_character is_na"
    ),
    "x base": "log",
    "x digits": "round signif",
    "x levels labels ordered": "factor",
    "x levels labels": "ordered",
    "x breaks labels include_lowest right dig_lab ordered_result": "cut",
    "test yes no": "ifelse",
    "... na_rm": "pmin pmax",
    "x y": "xor",
    "...": "c",
    "x na_rm": "mean sd var median min max sum",
}
FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    name: tuple(arguments.split()) for arguments, names in _BY_ARGUMENTS.items() for name in names.split()
}
"""The arguments of each function, by its name in a formula: with underscores for R's dots."""
ANY_TYPE = frozenset("I as_factor as_numeric as_integer as_logical as_character is_na factor ordered ifelse".split())
ANY_TYPE |= {"pmin", "pmax", "c"}
"""Those that take more than numbers."""


def check_call(function: str, count: int, names: Iterable[str]) -> None:
    """Raise TypeError where a function does not take so many arguments by place, or one of a name."""
    known = FUNCTIONS[function]
    placed = () if known[0] == "..." else known[:count]
    if known[0] != "..." and count > len(known):
        raise TypeError(f"{function}() takes {len(known)} argument(s), not {count}")
    for name in names:
        if name not in known or name in placed:
            raise TypeError(f"{function}() got an argument {name!r}, but takes {', '.join(known)}")
