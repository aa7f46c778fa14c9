"""The table of arguments, to which the functions' signatures and docstrings are held."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

import pyrrf
from pyrrf.fit.call import OF_GUIDED, Call, ForestCall

FUNCTIONS: dict[Callable[..., Any], tuple[type[Call], set[str], set[str]]] = {
    pyrrf.RRF: (Call, set(Call.names), set()),
    pyrrf.GRRF: (Call, {"x", "y", *OF_GUIDED}, {"gamma", "lambda0", "guide", "normalize"}),
    pyrrf.randomForest: (ForestCall, set(ForestCall.names), set()),
}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_signature_has_the_names_types_and_defaults_of_the_table(function: Callable[..., Any]) -> None:
    kind, names, own = FUNCTIONS[function]
    parameters = inspect.signature(function).parameters
    assert set(parameters) == names | own
    table = {row.name: (row.type, row.default) for row in fields(kind)}
    found = {name: (parameters[name].annotation, parameters[name].default) for name in names}
    assert found == {name: table[name] for name in names}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_docstring_names_each_argument_once(function: Callable[..., Any]) -> None:
    section = inspect.getdoc(function).split("Parameters\n----------\n")[1].split("\n\nReturns")[0]  # type: ignore[union-attr]
    heads = re.findall(r"^(\w[\w, ]*) : (.*)$|^(\w+)$", section, flags=re.M)
    told = [name for head, _, bare in heads for name in (head or bare).split(", ")]
    assert sorted(told) == sorted(inspect.signature(function).parameters)


@pytest.mark.parametrize("function", [pyrrf.RRF, pyrrf.randomForest], ids=lambda function: function.__name__)
def test_docstring_has_the_defaults_of_the_table(function: Callable[..., Any]) -> None:
    kind, names, _ = FUNCTIONS[function]
    doc = inspect.getdoc(function) or ""
    told = dict(re.findall(r"^(\w+) : .*default (\S+)$", doc, flags=re.M))
    table = {row.name: repr(row.default) for row in fields(kind) if row.name in names and row.default is not None}
    assert told == table
