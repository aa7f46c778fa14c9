"""Statements that R computes: calls of `r.by_r`, with the variables that their code uses."""

from __future__ import annotations

import ast
import keyword

from pyrrf.migrate.decide.uses import flow
from pyrrf.migrate.parse import rast
from pyrrf.migrate.write.context import Context
from pyrrf.migrate.write.lines import Comment, assignment, call, constant, is_in
from pyrrf.r.files.files import word_of

# Functions that ask in which function they are called, or leave it; and `...`, the other arguments of that function.
_NEED_FRAME = frozenset(
    """return missing substitute match.call match.arg sys.call sys.function sys.frame parent.frame environment on.exit
    UseMethod NextMethod nargs assign eval evalq get exists mget local Recall quote bquote delayedAssign ls
    rm ...""".split()
)
# Functions that may use any variable of the script: its name need not stand in their code.
_BY_TEXT = frozenset(
    "get get0 exists mget ls objects eval evalq parse str2lang as.formula formula reformulate save dump".split()
)


def give_to_r(ctx: Context, node: rast.Node, reason: str, to: str) -> None:
    """Write a statement as a call by which R computes it; its value goes where that of the statement would.

    Raises
    ------
    UntranslatedError
        It stands in a function of which R has to compute the whole.
    """
    code, names = _code_and_names(ctx, node)
    if not ctx.at_top:
        _check_inside(ctx, node, reason)
    ctx.emit(Comment(f"by R: {reason}"))
    function = "r.by_r" if ctx.at_top else "r.by_r_inside"
    value = ast.Call(
        call(function).func, [constant(code), *map(constant, names)], _variables(ctx, node, code == node.text)
    )
    _use_result(ctx, value, names, node, to)
    if ctx.at_top and isinstance(node, rast.Assign) and isinstance(node.value, rast.Function):
        ctx.held_functions.add(rast.target_name(node.target))


def _code_and_names(ctx: Context, node: rast.Node) -> tuple[str, list[str]]:
    """Return the code for R, and the names that it assigns; no names if only its value is wanted."""
    if isinstance(node, rast.Assign) and rast.defines(node):  # under its name, by which it may call itself
        return node.text, [rast.target_name(node.target)]
    to_name = isinstance(node, rast.Assign) and isinstance(node.target, rast.Name) and not node.outer
    if isinstance(node, rast.Assign) and to_name and not _assigned_names(ctx, node.value):
        return node.value.text, []
    if rast.function_name(node) == "return" and isinstance(node, rast.Call):
        value = rast.first_value(node)
        return ("NULL" if value is None else value.text), []
    if rast.function_name(node) == "data" and isinstance(node, rast.Call):
        return node.text, [rast.word(arg.value) for arg in node.args if arg.name is None]
    return node.text, _assigned_names(ctx, node)


def _assigned_names(ctx: Context, node: rast.Node) -> list[str]:
    """Return all names that code assigns."""
    return [*dict.fromkeys([*rast.assigned_names(node), *_assigned_outside(ctx, node)])]


def _assigned_outside(ctx: Context, node: rast.Node) -> list[str]:
    """Return the names that code, or a function of the script that it calls, assigns by ``<<-``."""
    if rast.defines(node):
        return []
    called = [ctx.functions_of_script[name].body for name in _uses(ctx, node) if name in ctx.functions_of_script]
    outer = (inner for inner in rast.walk(node, *called) if isinstance(inner, rast.Assign) and inner.outer)
    names = [rast.target_name(inner.target) for inner in outer]
    return [name for name in names if ctx.owner(name) in (None, ctx.scopes[0])]


def _use_result(ctx: Context, made: ast.Call, names: list[str], node: rast.Node, to: str) -> None:
    """Write the use of a value computed by R."""
    if rast.function_name(node) == "return":
        to = "return"
    unseen = isinstance(node, rast.Assign | rast.For | rast.While) or (names and rast.function_name(node) == "data")
    to = "" if to == "show" and unseen else to
    value = _assign_results(ctx, made, names, node, bool(to) and not unseen)
    if isinstance(node, rast.For | rast.While):
        value = call("r.invisible", call("r.c"))
    if isinstance(node, rast.Assign):
        names = [*names, rast.target_name(node.target)]
    if to == "return":
        ctx.emit(ast.Return(value))
    elif to.startswith("="):
        names = [*names, to[1:]]
        ctx.emit(assignment(ctx.names[to[1:]], value))
    elif to == "show":
        ctx.emit(call("r.show", value))
    for name in names:
        ctx.from_r.add(name)
        ctx.scopes[0].assigned.setdefault(name, node.first)
        ctx.begun |= {name} if ctx.at_top else set()
        ctx.done |= {name} if ctx.surely_runs else set()
        ctx.note_given(name)


def _assign_results(ctx: Context, made: ast.Call, names: list[str], node: rast.Node, wanted: bool) -> ast.expr:
    """Write the assignment of the names that R's code assigns; return the value of the code."""
    if names:
        targets: list[ast.expr] = [ast.Name(ctx.names[name], ast.Store()) for name in names]
        value: ast.expr = call("r.c")
        if wanted:
            word = ctx.names.fresh("value")
            targets.append(ast.Name(word, ast.Store()))
            made.args.append(constant(".value"))
            value = ast.Name(word, ast.Load())
        ctx.emit(ast.Assign([targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())], made, lineno=0))
    elif isinstance(node, rast.Assign):
        ctx.emit(assignment(ctx.names[rast.target_name(node.target)], made))
    elif wanted:
        return made
    else:
        ctx.emit(made)
        return call("r.c")
    if isinstance(node, rast.Assign):
        return call("r.invisible", ast.Name(ctx.names[rast.target_name(node.target)], ast.Load()))
    return value


def _check_inside(ctx: Context, node: rast.Node, reason: str) -> None:
    """Refuse code in a function that R can only compute as a part of this function."""
    words = rast.names_in(node) | {rast.function_name(inner) for inner in rast.walk(node)}
    if rast.function_name(node) == "return":
        words.discard("return")
    unsure = any(name in ctx.scope.unsure for name in words)
    # If R may or may not assign a parameter, the answer of missing() is not known here.
    unsure = unsure or any(
        flow(node, name) != "set" for name in {*rast.assigned_names(node)} & ctx.scope.missing.keys()
    )
    outer = bool(_assigned_outside(ctx, node))
    jumps = any(isinstance(inner, rast.Jump) for inner in rast.walk(node))
    if ctx.in_lambda or ctx.blocks or ctx.masks or unsure or outer or jumps or not _NEED_FRAME.isdisjoint(words):
        raise rast.UntranslatedError(reason)


# ---- variables -----------------------------------------------------------------------------------


def _variables(ctx: Context, node: rast.Node, whole: bool) -> list[ast.keyword]:
    """Return the variables of the script that code uses, as arguments by their names."""
    if rast.defines(node) or isinstance(node, rast.Function):
        return []
    given = {*rast.assigned_names(node)}
    if not whole and isinstance(node, rast.Assign):
        node = node.value
    _check_names_mean_one(ctx, node)
    values = [(name, value) for name in _uses(ctx, node) if (value := _value_of(ctx, name, node, given)) is not None]
    plain = [(name, value) for name, value in values if _is_word(name)]
    others = [(name, value) for name, value in values if not _is_word(name)]
    keywords = [ast.keyword(f"{name}_" if keyword.iskeyword(name) else name, value) for name, value in plain]
    if others:
        named: list[ast.expr | None] = [constant(name) for name, _ in others]
        keywords.append(ast.keyword(None, ast.Dict(named, [value for _, value in others])))
    return keywords


def _check_names_mean_one(ctx: Context, node: rast.Node) -> None:
    """Refuse code in which a name is a variable of this function, and of the script in a function that it calls."""
    own = {name for name in _free_names(node) if ctx.scopes[0].has(name) and ctx.owner(name) is not ctx.scopes[0]}
    called = [ctx.functions_of_script[name] for name in _uses(ctx, node) if name in ctx.functions_of_script]
    for name in sorted(own.intersection(set().union(*map(_free_names, called)))):
        raise rast.UntranslatedError(f"{name}, which a function that is called has from the script")


def _is_word(name: str) -> bool:
    """Whether a name can be the keyword of an argument."""
    return (
        name.isidentifier() and not name.startswith("_") and not (name.endswith("_") and keyword.iskeyword(name[:-1]))
    )


def _uses(ctx: Context, node: rast.Node) -> list[str]:
    """Return the names that code reads, also in the functions of the script that it calls."""
    names: dict[str, None] = {}
    called = {rast.function_name(inner) for inner in rast.walk(node)}
    texts = {inner.value for inner in rast.walk(node) if isinstance(inner, rast.Text)}
    by_text = sorted(texts & ctx.functions_of_script.keys())  # do.call("f", ...)
    waiting = [name for name in sorted(_free_names(node)) if flow(node, name) != "set"] + by_text
    while waiting:
        name = waiting.pop(0)
        if name in names:
            continue
        names[name] = None
        function = ctx.functions_of_script.get(name)
        if function is not None and (name in called or ctx.owner(name) is ctx.scopes[0]):
            waiting += sorted(name for name in _free_names(function) if flow(function.body, name) != "set")
    if ctx.at_top and not _BY_TEXT.isdisjoint(called | names.keys()):
        names |= dict.fromkeys(sorted(ctx.begun))
    methods = [name for name in ctx.functions_of_script.keys() & ctx.begun if _is_method(ctx, name)]
    return [*names | dict.fromkeys(sorted(methods))]


def _is_method(ctx: Context, name: str) -> bool:
    """Whether R may find a function by the class of a value."""
    generics = [name[:index] for index, letter in enumerate(name) if letter == "." and index]
    return any(generic in _GENERICS or generic in ctx.held_functions for generic in generics)


# Generic functions of R for whose classes scripts write methods.
_GENERICS = frozenset("print format summary plot predict as.character length mean update".split())


def _free_names(node: rast.Node) -> set[str]:
    """Return the names in code but those of arguments of the functions in it."""
    if isinstance(node, rast.Function):
        return set().union(*map(_free_names, rast.children(node))) - {*node.words}
    inner = [*rast.children(node)]
    return set().union(*map(_free_names, inner)) if inner else rast.names_in(node)


def _value_of(ctx: Context, name: str, node: rast.Node, given: set[str]) -> ast.expr | None:
    """Return a variable as R gets it, None if it has no value yet: of a function of the script, R has its own.

    `given` are the names that the statement assigns.
    """
    owner = ctx.owner(name)
    if owner not in (None, ctx.scopes[0]) and name not in _free_names(node):
        # A function of the script that the code calls sees the variables of the script, not those of its caller.
        return _read_variable("globals", ctx.names[name]) if ctx.scopes[0].has(name) else None
    called = {rast.function_name(inner) for inner in rast.walk(node)}
    hides = owner is not None and name in called & ctx.functions_of_script.keys() - {*owner.params}
    if hides and owner is not ctx.scopes[0]:  # a variable of this name is no function
        owner = ctx.scopes[0]
    if owner is None or (owner is ctx.scopes[0] and name not in ctx.begun and ctx.at_top):
        loaded = ctx.loads and name not in rast.WORDS and (owner is not None or name not in called)
        return _read_variable("globals", word_of(name)) if loaded else None
    function = ctx.functions_of_script.get(name) if owner is ctx.scopes[0] else None
    sent = function is not None and name not in ctx.held_functions
    value = call("r.by_r", constant(function.text)) if sent and function is not None else ctx.name(name)
    set_here = name in given
    if owner is ctx.scopes[0]:
        unsure = ctx.waits(name) and (set_here or ctx.surely_runs or not ctx.at_top)
        unsure = unsure or (ctx.at_top and name not in rast.names_in(node) | ctx.done)
    else:
        unsure = set_here and owner is ctx.scope and name not in owner.params
    if not unsure:
        return value
    # R may not need it, or have one of its own.
    place = "globals" if owner is ctx.scopes[0] else "locals"
    if sent:
        return ast.IfExp(is_in(ctx.names[name], place), value, ast.Constant(None))
    return _read_variable(place, ctx.names[name])


def _read_variable(place: str, word: str) -> ast.expr:
    """Read a variable of Python; None if it is not assigned."""
    return ast.Call(ast.Attribute(call(place), "get", ast.Load()), [constant(word)], [])
