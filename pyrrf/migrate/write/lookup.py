"""Lookup of a name: a variable of the script, a column, a constant, a data set or a function of R."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pyrrf import datasets
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import entry_of, facts, has_function, has_value, parameters
from pyrrf.migrate.scopes.names import is_word
from pyrrf.migrate.scopes.scopes import Scope
from pyrrf.migrate.write.context import Context, LeftOver
from pyrrf.migrate.write.lines import all_of, call, constant, dotted_name, is_in, lambda_of
from pyrrf.r.base.packages import REFUSALS
from pyrrf.r.files.files import word_of
from pyrrf.r.values.packages import ALWAYS
from pyrrf.rlang.deparse import string_text

# Operators as functions: backticks name them, and functions that take functions take their names.
_AS_FUNCTIONS = set("+ - * / ^ %% %/% %*% & | == != < <= > >= : %in% %o% ! [ [[ $".split())


def name_value(ctx: Context, name: str) -> ast.expr:
    """Return the Python for a name.

    Raises
    ------
    UntranslatedError
        Nothing of this name is known.
    """
    if name in _AS_FUNCTIONS:
        return constant(name)
    if name == "...":
        raise rast.UntranslatedError("... is used in a way that is not supported")
    owner = ctx.owner(name)
    if ctx.masks and not (owner is not None and owner is not ctx.scopes[0] and name in owner.params):
        return _column_or_outside(ctx, name)
    return _outside(ctx, name)


def _column_or_outside(ctx: Context, name: str) -> ast.expr:
    """Return a name inside of ``with(data, ...)``: a column, or else the name outside."""
    mask = ctx.masks[-1]
    try:
        outside = _outside(ctx, name)
    except rast.UntranslatedError:
        if is_word(name) and not name.startswith("_"):
            return ast.Attribute(dotted_name(mask), name, ast.Load())
        return ast.Subscript(dotted_name(mask), constant(name), ast.Load())
    return ast.Call(dotted_name(mask), [constant(name), lambda_of(outside)], [])


def _outside(ctx: Context, name: str) -> ast.expr:
    owner = ctx.owner(name)
    if owner is None or ctx.surely_waits(name):
        return value_of_r(ctx, name)
    if ctx.waits(name) and (is_constant(name) or has_function(name)):
        return _own_or_of_r(ctx, name, name in owner.functions)
    # A default that was not translated goes no further than where R would evaluate it.
    return call("r.copy", ctx.name(name)) if name in owner.refused else ctx.name(name)


def _own_or_of_r(ctx: Context, name: str, is_function: bool) -> ast.expr:
    """Return the script's value of a name that R has, too, if it is assigned when the code runs, and else R's."""
    try:
        other = value_of_r(ctx, name)
    except rast.UntranslatedError:
        if is_function or is_constant(name):
            raise
        return ctx.name(name)  # Without the package R, too, finds none.
    whole = call("r.c", other) if isinstance(other, ast.Constant) else other
    return ast.IfExp(is_in(ctx.names[name], "globals"), ctx.name(name), whole)


def value_of_r(ctx: Context, name: str) -> ast.expr:
    """Return the Python for a name that is no variable of the script."""
    if name in rast.WORDS:
        return constant(rast.WORDS[name])
    if ctx.loads and (has_function(name) or not is_locked(name)):
        return _global_or_r(ctx, name)
    return _of_packages(ctx, name)


def _global_or_r(ctx: Context, name: str) -> ast.expr:
    """Return the variable of a file that the script loads, or else the value of R."""
    plain = ctx.names[name] == word_of(name)
    loaded = ctx.name(name) if plain else ast.Subscript(call("globals"), constant(word_of(name)), ast.Load())
    if not has_function(name) and not is_dataset(name):
        return loaded
    try:
        return ast.IfExp(is_in(word_of(name), "globals"), loaded, _of_packages(ctx, name))
    except rast.UntranslatedError:
        return loaded


def _of_packages(ctx: Context, name: str) -> ast.expr:
    if ctx.attached and not has_function(name):
        return ast.Subscript(dotted_name(ctx.attached[-1]), ast.List([constant(name)], ast.Load()), ast.Load())
    if has_function(name) and "call" in parameters(name):
        of_r(ctx, name)
        return call("r.match_fun", constant(rast.bare(name)))
    if has_function(name) or has_value(name):
        return of_r(ctx, name)
    if is_dataset(name):
        ctx.datasets.add(name)
        return call("r.dataset", constant(rast.bare(name)))
    if ctx.with_r and not ctx.masks:
        ctx.left.append(LeftOver(*ctx.place, f"{name}, which R has", name))
        return call("r.by_r", constant(name if name.isidentifier() or "::" in name else f"`{name}`"))
    raise rast.UntranslatedError(f"{name} is not assigned in the script, and no function that is known here")


def is_constant(name: str) -> bool:
    """Whether R itself has a value of this name, which a script may assign."""
    return name in rast.WORDS or has_value(name)


def is_locked(name: str) -> bool:
    """Whether R itself has a function or a value of this name, which it does not let a script change."""
    entry = entry_of(name)
    return name in rast.WORDS or (entry is not None and not ALWAYS.isdisjoint(entry.homes))


def of_r(ctx: Context, name: str, fits: Sequence[rast.Node] = ()) -> ast.expr:
    """Return a function or a constant of R.

    Parameters
    ----------
    ctx : Context
    name : str
    fits : sequence of Node, default ()
        What is handed to it.

    Raises
    ------
    UntranslatedError
        R finds none of this name, or another one.
    """
    entry = entry_of(name)
    assert entry is not None, name
    home, plain = ctx.search.home(name, not ctx.at_top, bool(ctx.masks)), rast.bare(name)
    if home is None:
        return call("r.found", constant(plain))
    of_home = bool(fits) and all(_grown_by(ctx, fit) == home for fit in fits)
    if ctx.search.both_forests and plain in REFUSALS and not of_home:
        return call("r.found", constant(plain), constant(home))
    return dotted_name(f"r.{entry.word}")


def _grown_by(ctx: Context, node: rast.Node) -> str:
    """Return the function that grew a fit, if that is sure."""
    if isinstance(node, rast.Name):
        owner = ctx.owner(node.name)
        makers = {rast.bare(maker) for maker in owner.made_by.get(node.name, ())} if owner is not None else set()
        plain = owner is not None and node.name not in {*owner.params, *owner.taken}
        return makers.pop() if plain and len(makers) == 1 else ""
    return rast.bare(rast.function_name(node))


def may_call_own(ctx: Context, name: str) -> bool:
    """Whether a call by this name may call a function of the script."""
    owner = ctx.owner(name)
    return owner is not None and owner.may_hold_function(name) and (ctx.loads or not ctx.surely_waits(name))


def holds_function(ctx: Context, name: str, owner: Scope) -> list[ast.expr]:
    """Return the tests at run time whether a name that R also has holds a function; none if it is sure."""
    tests: list[ast.expr] = []
    sure = owner.functions.get(name) is not None
    if name not in owner.params and (not sure or ctx.waits(name)):
        tests.append(is_in(ctx.names[name], "globals" if owner is ctx.scopes[0] else "locals"))
    return tests if sure else [*tests, call("r.is_function", ctx.name(name))]


def function_named(ctx: Context, name: str) -> ast.expr | None:
    """Return the function that a name stands for where a function is wanted; None if only the script can have it."""
    owner = ctx.owner(name)
    if not has_function(name):
        return None
    if owner is None:  # R looks for a function, whatever a file held by this name
        return _of_packages(ctx, name) if ctx.loads and is_locked(name) and not ctx.masks else None
    tests = holds_function(ctx, name, owner)
    if not tests:
        return None
    if owner.functions.get(name) is None:  # R also looks for the function that a string names
        tests[-1] = all_of([tests[-1], call("r.is_character", ctx.name(name))], ast.Or())
    try:
        other = _of_packages(ctx, name) if is_locked(name) else value_of_r(ctx, name)
    except rast.UntranslatedError:
        return None
    return ast.IfExp(all_of(tests), ctx.name(name), other)


def may_be_invisible(ctx: Context, node: rast.Node) -> bool:
    """Whether code is a name whose value may be invisible: R shows the value of a name.

    What a function is given is evaluated where it is first used, and is invisible there.
    """
    owner = ctx.owner(node.name) if isinstance(node, rast.Name) else None
    if owner is None:
        return False
    name = rast.word(node)
    if name in owner.params and (owner is not ctx.scope or name in owner.used):
        return True
    if name in owner.taken or node.text.startswith("("):
        return True
    makers = owner.made_by.get(name, set())
    return any(facts(maker).hands_on or facts(maker).quiet or not has_function(maker) for maker in makers)


def is_dataset(name: str) -> bool:
    """Whether a data set of R has this name."""
    return f"load_{name.removeprefix('datasets::')}" in datasets.__all__


def scope_of(ctx: Context, node: rast.Node, data: rast.Node | None) -> ast.expr | None:
    """Return a dict of the variables, and data sets of which it takes a part, that a formula names; None if none.

    Parameters
    ----------
    ctx : Context
    node : Node
    data : Node or None
        The table of its columns; without any they may be those of ``with()``, and of a part of one, those attached.
    """
    parts = {rast.word(inner.of) for inner in rast.walk(node) if isinstance(inner, rast.Index | rast.Member)}
    names = sorted(rast.names_in(node) - _functions(ctx) - {"."})
    used = {name: ctx.name(name) for name in names if ctx.owner(name)}
    used |= {name: name_value(ctx, name) for name in sorted(parts - {*used}) if is_dataset(name)}
    others = [name for name in names if name in used or not has_function(name)]
    if ctx.masks and data is None:
        used |= {name: name_value(ctx, name) for name in others}
    elif ctx.attached_by_r and isinstance(data, rast.Index):
        ctx.left.append(LeftOver(*ctx.place, "columns of the table that is attached", node.text))
        used |= {name: call("r.by_r", constant(f"get0({string_text(name)})")) for name in others if name not in used}
    return ast.Dict([constant(name) for name in used], [*used.values()]) if used else None


def _functions(ctx: Context) -> set[str]:
    return {name for scope in ctx.scopes for name, function in scope.functions.items() if function is not None}
