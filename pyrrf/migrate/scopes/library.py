"""Functions of `pyrrf.r`: their names, and the matching of arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pyrrf import r
from pyrrf.migrate.parse import rast
from pyrrf.r.values.functions import Facts, facts_of
from pyrrf.r.values.packages import Known, python_word

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
# Arguments that the translator adds.
_OWN = ("deparsed", "scope", "call")
# Names without a function in `pyrrf.r`: R's syntax, statements, refused calls, plots. Facts of functions
# stand where the functions are.
SYNTAX = frozenset("( function missing return UseMethod library quote".split())
DROPPED = frozenset(
    """library require p_load requireNamespace install.packages install_github update.packages gc View help theme_set
    flush.console graphics.off closeAllConnections sessionInfo citation browseURL registerDoParallel registerDoMC
    stopCluster devAskNewPage""".split()
)
"""Statements that do nothing here."""
LEFT_OUT = frozenset(
    "x11 X11 windows win.graph quartz dev.print savePlot save.image memory.limit Sys.sleep vignette demo fix".split()
)
"""Statements that have no counterpart here, and of which the file says so."""
REFUSED = frozenset(
    """quote bquote substitute expression eval evalq parse match.call sys.call sys.function nargs UseMethod NextMethod
    environment local Recall body formals on.exit setClass delayedAssign""".split()
)
CALM = frozenset("ggplot glm lm ggsave aes labs xlab ylab ggtitle facet_wrap coord_flip library".split())
"""Functions unknown here that take no numbers from R's stream."""
_OTHERS = {
    **dict.fromkeys("close sink assign on.exit rm write_csv".split(), Facts(quiet=True)),
    **dict.fromkeys(("missing", "require", "interactive"), Facts(certain=True)),
    **dict.fromkeys(("(", "return"), Facts(hands_on=True)),
    "formula": Facts(gives="formula"),
}


def entry_of(name: str) -> Known | None:
    """Return the entry of `pyrrf.r` for a name of R, with or without its package: ``stats::sd``."""
    package, _, plain = name.rpartition("::")
    entry = r._KNOWN.get(plain)
    return entry if entry is None or not package or package in entry.homes else None


def has_function(name: str) -> bool:
    """Whether there is a function of this name of R: ``read_csv`` is not ``read.csv``."""
    entry = entry_of(name)
    return entry is not None and callable(getattr(r, entry.word))


def has_value(name: str) -> bool:
    """Whether there is a constant of this name of R."""
    entry = entry_of(name)
    return entry is not None and isinstance(getattr(r, entry.word), r.Value)


def function_of(name: str) -> Callable[..., object]:
    """Return the function of a name of R."""
    entry = entry_of(name)
    assert entry is not None, name
    function: Callable[..., object] = getattr(r, entry.word)
    return function


@cache
def parameters(name: str) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function, by R's name of it."""
    return dict(inspect.signature(function_of(name)).parameters)


@cache
def facts(name: str) -> Facts:
    """Return the declared facts of a function, by its name in R."""
    own = _OTHERS.get(name)
    if own is None:
        return facts_of(function_of(name)) if has_function(name) else Facts()
    return own


def may_give(name: str, what: str) -> bool:
    """Whether the value of a function may be a function, or a formula."""
    return not has_function(name) or what in facts(name).gives.split()


@dataclass
class Bound:
    """The arguments of a call, each where it belongs.

    Attributes
    ----------
    given : dict of str to Node
        By parameter.
    dots : list of (str or None, Node)
        What ``...`` takes, with the names that R gives it.
    whole_call : str, optional
        The call in R, where it is printed.
    spread : bool
        Whether ``...`` of the function around the call is handed on.
    ahead : int
        How many of `dots` stand before it.
    """

    given: dict[str, rast.Node]
    dots: list[tuple[str | None, rast.Node]]
    spread: bool
    whole_call: str | None = None
    ahead: int = 0


def bind(name: str, args: list[rast.Arg]) -> Bound:
    """Match arguments as R does: by name, by the beginning of a name, by place.

    Raises
    ------
    UntranslatedError
        An argument belongs to no parameter.
    """
    before, after, takes_dots, takes_names = _parts(parameters(name))
    bound = Bound({}, [], False)
    unnamed: list[tuple[int, rast.Node]] = []
    waiting: list[tuple[int, str | None, rast.Node]] = []
    handed = len(args)
    for index, arg in enumerate(args[:-1] if args and args[-1].value is None else args):
        if arg.value is None:
            raise rast.UntranslatedError(f"an argument of {name}() is empty")
        if rast.is_dots(arg.value):
            bound.spread, handed = True, index
        elif arg.name is None:
            unnamed.append((index, arg.value))
        elif (place := _by_name(arg.name, before, after)) is not None:
            if place in bound.given:
                raise rast.UntranslatedError(f"two arguments of {name}() are its {place}")
            bound.given[place] = arg.value
        elif takes_names:
            waiting.append((index, arg.name, arg.value))
        else:
            raise rast.UntranslatedError(f"the argument {arg.name} of {name}() is not supported")
    free = [param for param in before if param not in bound.given]
    if any(index > handed for index, _ in unnamed[: len(free)]):
        raise rast.UntranslatedError(f"an argument of {name}() behind ...")
    bound.given |= {param: node for param, (_, node) in zip(free, unnamed, strict=False)}
    rest = unnamed[len(free) :]
    if rest and not takes_dots:
        raise rast.UntranslatedError(f"{name}() has more arguments than are supported")
    waiting += [(index, None, node) for index, node in rest]
    bound.dots = [(label, node) for _, label, node in sorted(waiting, key=lambda item: item[0])]
    bound.ahead = sum(index < handed for index, _, _ in waiting)
    return bound


def _parts(params: dict[str, inspect.Parameter]) -> tuple[list[str], list[str], bool, bool]:
    """Return the parameters before and behind R's dots, and whether there are dots, with and without names."""
    before = [key for key, param in params.items() if param.kind in _BY_PLACE]
    after = [key for key, param in params.items() if param.kind == inspect.Parameter.KEYWORD_ONLY and key not in _OWN]
    dots = any(param.kind == inspect.Parameter.VAR_POSITIONAL for param in params.values())
    named = any(param.kind == inspect.Parameter.VAR_KEYWORD for param in params.values())
    return before, after, dots, named


def _by_name(name: str, before: list[str], after: list[str]) -> str | None:
    word = python_word(name)
    if word in before or word in after:
        return word
    begun = [param for param in before if param.startswith(name.replace(".", "_"))]
    return begun[0] if len(begun) == 1 else None


def bind_own(name: str, function: rast.Function, args: list[rast.Arg]) -> Bound:
    """Match the arguments of a call of a function of the script.

    Raises
    ------
    UntranslatedError
        R would refuse the call, or an argument has no place in Python.
    """
    params, before = function.words, function.before_dots
    bound = Bound({}, [], False)
    unnamed: list[rast.Node] = []
    behind: set[int] = set()
    handed = len(args)
    for arg in args:
        if arg.value is None:
            raise rast.UntranslatedError(f"an argument of {name}() is empty")
        if rast.is_dots(arg.value):
            bound.spread, handed = True, len(unnamed)
        elif arg.name is None:
            behind |= {len(unnamed)} if bound.dots else set()
            unnamed.append(arg.value)
        else:
            begun = [p for p in params if p == arg.name] or [p for p in before if p.startswith(arg.name)]
            if len(begun) == 1:
                bound.given[begun[0]] = arg.value
            elif before != params:
                bound.dots.append((arg.name, arg.value))
            else:
                raise rast.UntranslatedError(f"{name}() has no argument {arg.name}")
    free = [param for param in before if param not in bound.given]
    bound.given |= dict(zip(free, unnamed, strict=False))
    rest = unnamed[len(free) :]
    if min(len(free), len(unnamed)) > handed:
        raise rast.UntranslatedError(f"an argument of {name}() behind ...")
    bound.ahead = max(handed - len(free), 0)
    if rest and before == params:
        raise rast.UntranslatedError(f"{name}() has more arguments than it takes")
    if any(index >= len(free) for index in behind):
        raise rast.UntranslatedError(f"{name}() with an argument for ... without a name, behind one with a name")
    bound.dots = [(None, value) for value in rest] + bound.dots
    return bound
