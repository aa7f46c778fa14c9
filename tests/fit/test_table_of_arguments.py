"""The table of arguments, to which the functions' signatures and docstrings are held."""

from __future__ import annotations

import inspect
import re
import sys
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
def test_every_argument_arrives_under_its_name(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    class Arrived(Exception):  # noqa: N818
        """Nothing is wrong: this ends the call."""

    def arrived(call: Call, *_: object) -> None:
        raise Arrived(call)

    kind, names, own = FUNCTIONS[function]
    module = sys.modules[inspect.unwrap(function).__globals__["__name__"]]
    for name in ("fit", "fit_guided"):
        monkeypatch.setattr(module, name, arrived, raising=False)
    with pytest.raises(Arrived) as ended:
        function(**{name: f"given as {name}" for name in names}, **({"gamma": 0.5} if own else {}))
    (call,) = ended.value.args
    assert type(call) is kind
    assert {name: getattr(call, name) for name in names} == {name: f"given as {name}" for name in names}


@pytest.mark.parametrize("function", [pyrrf.RRF, pyrrf.randomForest], ids=lambda function: function.__name__)
def test_docstring_has_the_defaults_of_the_table(function: Callable[..., Any]) -> None:
    kind, names, _ = FUNCTIONS[function]
    doc = inspect.getdoc(function) or ""
    told = dict(re.findall(r"^(\w+) : .*default (\S+)$", doc, flags=re.M))
    table = {row.name: repr(row.default) for row in fields(kind) if row.name in names and row.default is not None}
    assert told == table


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_arguments_without_a_name_are_counted(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) takes at most 4 "):
        function([[1.0]], [1.0], None, None, 500)
