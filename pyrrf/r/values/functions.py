"""Facts that a function of R states where it is defined: its arguments, and its effects besides its value.

`pyrrf migrate` and the page of functions read it there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, isfunction, signature
from types import FunctionType
from typing import Annotated, Any, NoReturn, ParamSpec, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pyrrf.r.values.arguments import Named, flag, number, text
from pyrrf.r.values.classes import check_classes, unknown_classes
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.held import Handle
from pyrrf.r.values.kinds import is_null
from pyrrf.r.values.vector import Value, as_value, copy
from pyrrf.random import get_random_seed, set_random_seed
from pyrrf.rbase.collate import LabelOrderError

_P = ParamSpec("_P")
_Result = TypeVar("_Result")


def _whole(x: Any) -> int:
    value = number(x)
    if not math.isfinite(value):
        raise RError("a whole number is needed, and none that is missing or infinite")
    return int(value)


def _vector(x: Any) -> Value:
    value = as_value(x)
    if not isinstance(value, Value):
        raise NotSupportedError("a function in the place of a vector")
    return value


def _vector_or_none(x: Any) -> Value | None:
    return None if x is None else _vector(x)


# Annotations of the arguments of R's functions: a body gets the type of the name.
Flag = Annotated[bool, flag]
Number = Annotated[float, number]
Whole = Annotated[int, _whole]
Text = Annotated[str, text]
Item = Annotated[Any, as_value]
"""A value or a function."""
Given = Annotated[Value | None, _vector_or_none]
"""A vector, or None if it is not given; R's NULL stays NULL, where a function distinguishes the two."""


@dataclass(frozen=True)
class Facts:
    """Effects of a function, and the evaluation of its arguments in R.

    What is said of arguments names parameters; ``"..."`` stands for those in dots.

    Attributes
    ----------
    does : str
        What a call is besides its value, with blanks between: it "draws" where it may take numbers from R's stream, or
        seed it; it "prints"; it "acts" where a later expression can see something else, an option, a file, an error.
    quiet : bool
        R does not print its value.
    in_order : bool or tuple of str
        It uses all its arguments, or these, in the order in which they stand.
    repeats : bool
        It uses further arguments only while it goes over its first one. What it evaluates later, again and again,
        stands in a function of its own, which has other dots.
    may_skip : tuple of str
        Arguments that it may not use, or only behind something that it does; it uses its first one before, if that is
        not among them.
    later : tuple of str
        Arguments that it evaluates itself, when it wants to; one that it may skip is only handed over so if it acts.
    masked : tuple of str
        Arguments that are evaluated among the columns of a table.
    called : tuple of str
        Arguments that are functions, which it calls.
    formula : bool
        It takes a formula, and then R evaluates the formula and the data behind it more than once.
    keeps : bool
        It may keep a function that it is given, or return it.
    hands_on : bool
        It may return the very value of an argument, or what a function of the script returned.
    gives : str
        "function", "formula" or both, if its value may be one.
    certain : bool
        Its value is TRUE or FALSE, never missing.
    dots_in_order : bool
        What it makes of dots has their order and their names.
    labels_code : bool
        It makes labels of the code of any argument, not only of a name.
    unsupported : str
        Arguments, with blanks between, of which only R's defaults have a counterpart here.
    classes : str
        Classes, with blanks between, of which it treats values as R does, and others are refused. By default "any": R
        does not look at the class; of "-name" it then still knows no values, and of a formula only where it says so.
        Alone, "held" is any class of values that R holds, too: R does not compute its call.
    """

    does: str = ""
    quiet: bool = False
    in_order: bool | tuple[str, ...] = False
    repeats: bool = False
    may_skip: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    masked: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    formula: bool = False
    keeps: bool = False
    hands_on: bool = False
    gives: str = ""
    certain: bool = False
    dots_in_order: bool = False
    labels_code: bool = False
    unsupported: str = ""
    classes: str = "any"

    @property
    def effect(self) -> bool:
        """Return whether a call is more than its value."""
        return bool(self.does)

    @property
    def evaluates(self) -> bool:
        """Return whether it evaluates arguments itself, at a time or in a place of its own."""
        return bool(self.later or self.masked)


_NONE = Facts()


def r_function(
    name: str = "", doc: str = "", **facts: Any
) -> Callable[[Callable[_P, _Result]], Callable[..., _Result]]:
    """State the `Facts` of a function, and convert its arguments by their annotations.

    A function that another one makes gets its `name` and its docstring here.

    `Flag`, `Number`, `Whole` and `Text` are one logical, number, whole number or string; `Value` is a vector or a list;
    with ``| None`` R's NULL is None, as `Given` it is not. Other annotations leave an argument as it is.

    Raises
    ------
    NotSupportedError
        When the function is called with an argument that is unsupported.
    """
    said = Facts(**facts)

    def decorate(function: Callable[_P, _Result]) -> Callable[..., _Result]:
        if name:
            known_as(function, name, doc)
        if not said.unsupported and not _is_annotated(function):
            function.facts = said  # type: ignore[attr-defined]
            return function
        converters: list[_Arguments] = []

        @wraps(function)
        def wrapper(*args: Any, **named: Any) -> _Result:
            if not converters:
                converters.append(_Arguments(function, said.unsupported.split()))
            args, named = converters[0].convert_call(args, named)
            return function(*args, **named)

        wrapper.facts = said  # type: ignore[attr-defined]
        return wrapper

    return decorate


def refusing(name: str, why: str, **facts: Any) -> Callable[..., NoReturn]:
    """Return a function of R that has no counterpart here: each call is refused."""

    @r_function(name, f"Refuse: {why}.", **facts)
    def refuse_call(*dots: Any, **named: Any) -> NoReturn:
        raise NotSupportedError(why)

    refuse_call.refuses = True  # type: ignore[attr-defined]
    return refuse_call


def known_as(function: Callable[_P, _Result], name: str, doc: str) -> Callable[_P, _Result]:
    """Return a function that another one made, with a name and a docstring of its own."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


_CONVERTED = re.compile(r"\b(?:Flag|Number|Whole|Text|Item|Given|Value)\b")


def _is_annotated(function: Callable[..., Any]) -> bool:
    hints = {**function.__annotations__, "return": ""}
    return any(_CONVERTED.search(str(hint)) for hint in hints.values())


r_function(classes="held")(copy)


class _Arguments:
    """Conversion of the arguments of a function; `unsupported` ones must be R's defaults."""

    def __init__(self, function: Callable[..., Any], unsupported: list[str]) -> None:
        hints = get_type_hints(function, include_extras=True)
        self._named: dict[str, Callable[[Any], Any] | None] = {}
        self._by_place: list[Callable[[Any], Any] | None] = []
        self._further: Callable[[Any], Any] | None = None
        self._other_names: Callable[[Any], Any] | None = None
        for name, param in signature(function).parameters.items():
            convert = _converter(hints.get(name))
            if name in unsupported:
                convert = _only_default(function.__name__, name, param)
            if param.kind == Parameter.VAR_POSITIONAL:
                self._further = convert
            elif param.kind == Parameter.VAR_KEYWORD:
                self._other_names = convert
            else:
                self._named[name] = convert
                if param.kind != Parameter.KEYWORD_ONLY:
                    self._by_place.append(convert)

    def convert_call(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments of a call as the function takes them."""
        ways = [*self._by_place, *[self._further] * (len(args) - len(self._by_place))]
        placed = tuple(arg if way is None else way(arg) for way, arg in zip(ways, args, strict=False))
        by_name = {}
        for name, arg in named.items():
            way = self._named.get(name, self._other_names)
            by_name[name] = arg if way is None else way(arg)
        return placed, by_name


def _converter(hint: Any) -> Callable[[Any], Any] | None:
    if get_origin(hint) is Annotated:
        return cast(Callable[[Any], Any], hint.__metadata__[0])
    if hint is Value:
        return _vector
    if get_origin(hint) is Union or type(hint).__name__ == "UnionType":
        inner = next((way for member in get_args(hint) if (way := _converter(member)) is not None), None)
        if inner is not None and type(None) in get_args(hint):
            return lambda x: None if is_null(x) else inner(x)
        return inner
    return None


def _only_default(function: str, name: str, param: Parameter) -> Callable[[Any], Any]:
    """Return a check that refuses an argument other than R's default, since it has no counterpart here."""

    def convert(x: Any) -> Any:
        default = param.default
        if param.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD) or default is None:
            usual = is_null(x)
        else:
            value = as_value(x)
            usual = isinstance(value, Value) and len(value) == 1 and bool(value._data[0] == default)
        if not usual:
            raise NotSupportedError(f"{function}() with {name}")
        return x

    return convert


REST: list[Callable[..., Any]] = []
"""The way to compute a call that is not supported here: by R, in a script that was translated so."""
AWAY: list[str] = []
"""Why nothing can be drawn here: R draws by a generator that this package has not."""
_PLAIN = (float, str, bool, int, type(None), FunctionType)
_Function = TypeVar("_Function", bound=Callable[..., Any])


def offer(name: str, function: _Function) -> _Function:
    """Return a function as scripts call it, by its name in the package or a sign.

    It refuses values of classes that it does not say it knows, and lets R compute with those that R holds. It never
    returns one of its arguments: to change its value must not change that.
    """
    check = _checker(name, function)
    facts = facts_of(function)
    takes_held = facts.classes == "held"
    draws = "draws" in facts.does and not takes_held

    @wraps(function)
    def wrapper(*args: Any, **named: Any) -> Any:
        given = (*args, *named.values()) if named else args
        before = None
        try:
            if draws and AWAY:
                raise NotSupportedError(AWAY[0])
            for arg in () if takes_held else given:
                if (handle := check(arg)) is not None:
                    return handle.owner.call(name, args, named)
            before = get_random_seed() if draws and REST else None
            value = function(*args, **named)
        except (NotSupportedError, LabelOrderError) as error:
            if not REST:
                raise
            if before is not None:  # R draws anew what was drawn up to the refusal
                set_random_seed(before)
            return REST[0](name, args, named, error)
        if isinstance(value, Value) and any(arg is value for arg in given):
            return value.copy()
        return value

    wrapper.offered = True  # type: ignore[attr-defined]
    return cast(_Function, wrapper)


def _checker(name: str, function: Callable[..., Any]) -> Callable[[Any], Handle | None]:
    """Return a check that refuses an argument of an unknown class, and returns the handle of one that R holds."""
    facts = facts_of(function)
    said = f"{facts.classes} formula" if facts.formula else facts.classes
    generic = name.rstrip("_").replace("_", ".")

    def check(arg: Any) -> Handle | None:
        if isinstance(arg, Value):
            if "class" in arg._attributes:
                if isinstance(arg._hidden, Handle):
                    return arg._hidden
                check_classes(name, unknown_classes(said, generic), arg)
        elif not isinstance(arg, _PLAIN):
            check_classes(name, unknown_classes(said, generic), arg.value if isinstance(arg, Named) else arg)
        return None

    return check


def facts_of(function: Any) -> Facts:
    """Return the facts that a function states, or the defaults."""
    facts = vars(function).get("facts", _NONE) if isfunction(function) else _NONE
    return cast(Facts, facts)
