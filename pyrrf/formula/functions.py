"""Signatures of the functions of `pyrrf.r` that terms may call."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

_FORMS: list[tuple[Callable[..., Any], str]] = [
    (lambda x: x, "I as_factor as_numeric as_integer as_logical as_character is_na"),
    (lambda x: x, "log2 log10 log1p exp expm1 sqrt sin cos tan tanh abs floor ceiling trunc sign"),
    (lambda x, base=None: (x, base), "log"),
    (lambda x, digits=None: (x, digits), "round signif"),
    (lambda x, levels=None, labels=None: (x, levels, labels), "ordered"),
    (lambda x, levels=None, labels=None, ordered=None: (x, levels, labels, ordered), "factor"),
    (
        lambda x, breaks, labels=None, include_lowest=None, right=None, dig_lab=None, ordered_result=None: (x, breaks),
        "cut",
    ),
    (lambda test, yes, no: (test, yes, no), "ifelse"),
    (lambda x, y: (x, y), "xor"),
    (lambda *dots: dots, "c"),
    (lambda *dots, na_rm=None: (dots, na_rm), "pmin pmax min max sum"),
    (lambda x, na_rm=None: (x, na_rm), "sd median"),
    (lambda x, *, na_rm=None: (x, na_rm), "mean var"),
]
FUNCTIONS = {name: signature(form) for form, names in _FORMS for name in names.split()}
"""Signatures by the names in a formula, with underscores for R's dots."""
ANY_TYPE = frozenset("I as_factor as_numeric as_integer as_logical as_character is_na factor ordered ifelse c".split())
ANY_TYPE |= {"pmin", "pmax"}
"""Functions that accept more than numbers."""
