"""Statements: assignments, loops, choices, and where their values go."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import nullcontext

from pyrrf.migrate.decide.methods import check_generic
from pyrrf.migrate.decide.uses import flow
from pyrrf.migrate.parse import rast
from pyrrf.migrate.parse.sourcing import digest_of
from pyrrf.migrate.scopes.library import DROPPED, LEFT_OUT, SYNTAX, facts, has_function, has_value
from pyrrf.migrate.scopes.scopes import script_scope
from pyrrf.migrate.scopes.search import detached_package
from pyrrf.migrate.write.context import Context, LeftOver
from pyrrf.migrate.write.expressions import condition
from pyrrf.migrate.write.lines import Comment, Otherwise, assignment, call, constant, is_in, when
from pyrrf.migrate.write.lookup import is_dataset, may_call_own
from pyrrf.migrate.write.packages import only_prepares, write_attached
from pyrrf.migrate.write.targets import assign, assign_part, return_value


def run(ctx: Context, node: rast.Node) -> None:
    """Move a statement, or those in braces, one by one."""
    run_to(ctx, node, "show" if ctx.surely_runs and ctx.prints else "")
    ctx.sources.pass_by(node, lambda call: may_write(ctx, call), ctx.surely_runs)


_WRITING = frozenset(
    """setwd writeLines write.table write.csv write.csv2 save saveRDS file.copy file.rename file.remove unlink sink
    """.split()
)


def may_write(ctx: Context, node: rast.Call) -> bool:
    """Whether a call may write a file, or go to another folder."""
    name = rast.function_name(node)
    if name == "cat":
        return any(arg.name == "file" for arg in node.args)
    return name in _WRITING or not (has_function(name) or name in DROPPED | LEFT_OUT | SYNTAX or ctx.owner(name))


def load_datasets(ctx: Context, node: rast.Node) -> None:
    """Write the loading of R's data sets that a statement changes, or reads before the script assigns their names."""
    for name in sorted(rast.names_in(node) & ctx.scopes[0].assigned.keys() - ctx.datasets):
        if is_dataset(name) and not ctx.loads:
            ctx.datasets.add(name)
            if not (isinstance(node, rast.Assign) and isinstance(node.target, rast.Name) and node.target.name == name):
                ctx.place = (node.first, node.first)
                ctx.set(name, call("r.dataset", constant(name)))
    if ctx.with_r and not ctx.loads:
        _load_from_r(ctx, node)


def _load_from_r(ctx: Context, node: rast.Node) -> None:
    """Write the loading of R's objects whose names the script reads before it assigns them."""
    waiting = rast.names_in(node) & ctx.scopes[0].assigned.keys() - ctx.begun - ctx.functions_of_script.keys()
    for name in sorted(waiting):
        reads = flow(node, name) == "read" and not (has_function(name) or has_value(name))
        if reads and rast.function_name(node) not in ("data", "rm"):
            ctx.place = (node.first, node.first)
            ctx.left.append(LeftOver(*ctx.place, f"{name}, which R has", name))
            ctx.set(name, call("r.by_r", constant(""), constant(name)))


def run_to(ctx: Context, node: rast.Node, to: str) -> None:
    """Translate the code in braces or behind a condition; its value is returned, shown or dropped.

    Parameters
    ----------
    ctx : Context
    node : Node
    to : {"return", "show", ""} or a name behind "="
    """
    if isinstance(node, rast.Block):
        for statement in node.body[:-1]:
            run_to(ctx, statement, "")
        if node.body:
            run_to(ctx, node.body[-1], to)
        elif to:
            _use_value(ctx, call("r.c"), to)
        return
    ctx.attempt(node, lambda: _move(ctx, node, to), to)
    _note_names(ctx, node)


def _note_names(ctx: Context, node: rast.Node) -> None:
    """Note the names that code has assigned, and in a function the names that it has used."""
    if not ctx.at_top:
        ctx.scope.used |= rast.names_in(node)
        return
    if isinstance(node, rast.Assign) and only_prepares(ctx, node):
        return
    if isinstance(node, rast.Assign) and isinstance(node.value, rast.Function) and rast.defines(node):
        ctx.functions_of_script[rast.target_name(node.target)] = node.value
    assigned = script_scope([node]).assigned
    ctx.begun |= assigned.keys()
    if ctx.surely_runs:
        # The variable of a loop over nothing is NULL in R, and not assigned in Python.
        loops = {inner.variable for inner in rast.walk(node) if isinstance(inner, rast.For)}
        ctx.done |= {name for name in assigned.keys() - loops if flow(node, name) == "set"}


def _move(ctx: Context, node: rast.Node, to: str) -> None:
    if to in ("", "show") and only_prepares(ctx, node):
        write_attached(ctx, node)
    elif isinstance(node, rast.Assign):
        _assign(ctx, node, to)
    elif isinstance(node, rast.If):
        _choose(ctx, node, to)
    elif isinstance(node, rast.For | rast.While):
        _for(ctx, node) if isinstance(node, rast.For) else _while(ctx, node)
        _nothing(ctx, to)
    elif (jump := _jump(node)) is not None:
        _leave_loop(ctx, jump)
    elif isinstance(node, rast.Damaged):
        raise rast.UntranslatedError("R's grammar does not know this")
    elif isinstance(node, rast.Function) and to == "return":
        _return_function(ctx, node)
    elif isinstance(node, rast.Call) and run_call(ctx, node, to):
        return
    elif isinstance(node, rast.Unary) and node.operator == "?" and to in ("", "show"):
        return  # a page of help
    else:
        _use_value(ctx, _value_of(ctx, node, to), to, node)


def _value_of(ctx: Context, node: rast.Node, to: str) -> ast.expr:
    if to == "return":
        return return_value(ctx, node)
    if to not in ("", "show"):
        return ctx.held_value(node, to.removeprefix("="))
    return ctx.value(node)


def _jump(node: rast.Node) -> rast.Jump | None:
    """Return the statement that leaves a loop or an iteration: ``break``, also written ``break()``."""
    if isinstance(node, rast.Call) and not node.args:
        node = node.function
    return node if isinstance(node, rast.Jump) else None


def _leave_loop(ctx: Context, jump: rast.Jump) -> None:
    """Write the end of a loop or an iteration, if the loop is around it in Python, too."""
    if ctx.loops[-1:] != [ctx.blocks]:
        raise rast.UntranslatedError(f"{jump.word} without a loop, or in what is evaluated later")
    ctx.emit(ast.Break() if jump.word == "break" else ast.Continue())


def _nothing(ctx: Context, to: str) -> None:
    """Give NULL, as a loop does; it is not printed."""
    if to not in ("", "show"):
        _use_value(ctx, _unseen(to), to)


def _unseen(to: str) -> ast.expr:
    """Return NULL, marked as not to be printed where a function returns it."""
    return call("r.invisible", call("r.c")) if to == "return" else call("r.c")


def _use_value(ctx: Context, tree: ast.expr, to: str, node: rast.Node | None = None) -> None:
    """Write the use of a value."""
    if to == "return":
        ctx.emit(ast.Return(tree))
    elif to.startswith("="):
        ctx.set(to[1:], tree)
    elif to == "show" and not is_quiet(ctx, node):
        check_generic(ctx, "print", "format")
        always = isinstance(node, rast.Name | rast.Constant) or (node is not None and rast.function_name(node) == "(")
        ctx.emit(call("r.print" if always else "r.show", tree))
    else:
        ctx.emit(tree)


def _return_function(ctx: Context, node: rast.Function) -> None:
    name = ctx.names.fresh("function")
    ctx.write_function(name, node)
    ctx.emit(ast.Return(ast.Name(name, ast.Load())))


def _assign(ctx: Context, node: rast.Assign, to: str) -> None:
    target = node.target
    if to in ("", "show"):
        if isinstance(node.value, rast.If | rast.Block) and isinstance(target, rast.Name) and _has_lines(node.value):
            run_to(ctx, node.value, f"={target.name}")
        else:
            assign(ctx, node)
        return
    if isinstance(target, rast.Name):
        _assign(ctx, node, "")
        _use_value(ctx, call("r.invisible", ctx.name(target.name)), to)
        return
    # The assigned value is the value of the assignment, too.
    made = ctx.names.fresh("value")
    ctx.emit(assignment(made, ctx.value(node.value)))
    assign_part(ctx, target, ast.Name(made, ast.Load()))
    _use_value(ctx, call("r.invisible", ast.Name(made, ast.Load())), to)


def _has_lines(node: rast.Node | None) -> bool:
    """Whether a choice or braces hold more than expressions."""
    if isinstance(node, rast.Block):
        return len(node.body) > 1 or any(map(_has_lines, node.body))
    if isinstance(node, rast.If):
        return _has_lines(node.then) or _has_lines(node.otherwise)
    lines = rast.Assign | rast.For | rast.While | rast.Jump
    return isinstance(node, lines) or rast.function_name(node) in ("return", "stop", "next")


def _choose(ctx: Context, node: rast.If, to: str) -> None:
    """Write ``if``, ``elif`` and ``else``."""
    current: rast.Node = node
    while isinstance(current, rast.If):
        written = len(ctx.lines)
        test = condition(ctx, current.condition)
        ctx.search.pass_by(current.condition, left=False)
        _note_names(ctx, current.condition)
        if current is not node and len(ctx.lines) > written:
            raise rast.UntranslatedError("a function of several statements in the condition of else if")
        ctx.emit(when(test) if current is node else Otherwise(test))
        with ctx.inner():
            run_to(ctx, current.then, to)
        if current.otherwise is None:
            _otherwise_nothing(ctx, to)
            return
        current = current.otherwise
        if isinstance(current, rast.Block) and len(current.body) == 1 and isinstance(current.body[0], rast.If):
            current = current.body[0]
    ctx.emit(Otherwise())
    with ctx.inner():
        run_to(ctx, current, to)


def _otherwise_nothing(ctx: Context, to: str) -> None:
    if to not in ("", "show"):
        ctx.emit(Otherwise())
        with ctx.inner():
            _use_value(ctx, _unseen(to), to)


def _while(ctx: Context, node: rast.While) -> None:
    test = constant(True) if node.condition is None else condition(ctx, node.condition)
    ctx.emit(ast.While(test, [], []))
    _write_loop_body(ctx, node.body)


def _for(ctx: Context, node: rast.For) -> None:
    sequence = ctx.value(node.sequence)
    if _is_read_outside(ctx, node):
        ctx.set(node.variable, call("r.c"))
    ctx.emit(ast.For(ast.Name(ctx.names[node.variable], ast.Store()), sequence, [], []))
    ctx.begun |= {node.variable} if ctx.at_top else set()
    _write_loop_body(ctx, node.body)


def _write_loop_body(ctx: Context, body: rast.Node) -> None:
    """Write the body of a loop."""
    ctx.loops.append(ctx.blocks)
    with ctx.inner():
        run_to(ctx, body, "")
    ctx.loops.pop()


def _is_read_outside(ctx: Context, node: rast.For) -> bool:
    """Whether the loop's variable is read elsewhere: it is NULL after a loop over nothing."""
    if node.variable not in ctx.read_outside_loops or node.variable in rast.names_in(node.sequence):
        return False
    return not (isinstance(node.sequence, rast.Binary) and node.sequence.operator == ":")


# ---- calls that are statements: packages, data, what is removed or sourced ------------------------------


def is_quiet(ctx: Context, node: rast.Node | None) -> bool:
    """Whether R prints nothing for the value of an expression at the top level."""
    name = "" if node is None else rast.function_name(node)
    return facts(name).quiet and not may_call_own(ctx, name)


def run_call(ctx: Context, node: rast.Call, to: str) -> bool:
    """Write a call that is a statement, if it is one of a kind of its own; whether it was."""
    name = rast.function_name(node)
    if may_call_own(ctx, name) and not ctx.surely_waits(name):
        if name in _DOERS and ctx.waits(name):
            raise rast.UntranslatedError(f"{name}() of R or of the script, as it comes")
        return False
    if name == "return":
        _return(ctx, node)
        return True
    doer = _DOERS.get(rast.bare(name))
    if doer is None or to not in ("", "show"):
        return False
    return doer(ctx, node)


def _return(ctx: Context, node: rast.Call) -> None:
    if ctx.at_top:
        raise rast.UntranslatedError("return outside of a function")
    if ctx.blocks:
        raise rast.UntranslatedError("return inside of what is evaluated later")
    value = rast.first_value(node)
    if isinstance(value, rast.Assign):
        ctx.run_to(value, "return")
    else:
        ctx.emit(ast.Return(call("r.c") if value is None else return_value(ctx, value)))


def _remove(ctx: Context, node: rast.Call) -> bool:
    names = [arg.value.name for arg in node.args if arg.name is None and isinstance(arg.value, rast.Name)]
    for arg in node.args:
        if arg.name == "list":
            names += _removed_names(ctx, arg.value)
    known = [name for name in names if (ctx.owner(name) if ctx.at_top else ctx.scope.has(name))]
    for name in known:
        if ctx.waits(name):  # R only warns
            ctx.emit(when(is_in(ctx.names[name], "globals")))
        with ctx.inner() if ctx.waits(name) else nullcontext():
            ctx.emit(ast.Delete([ast.Name(ctx.names[name], ast.Del())]))
        ctx.done -= {name} if ctx.at_top else set()
        ctx.begun -= {name} if ctx.surely_runs else set()
    if ctx.with_r and ctx.at_top and known:
        ctx.emit(call("r.forget_by_r", *map(constant, known)))
    return True


def _removed_names(ctx: Context, node: rast.Node | None) -> list[str]:
    """Return the variables that ``rm(list = )`` removes: strings, all variables, or all but some."""
    if isinstance(node, rast.Text):
        return [node.value]
    name, values = rast.function_name(node) if node else "", rast.values(getattr(node, "args", []))
    if name == "c":
        return [text for value in values for text in _removed_names(ctx, value)]
    if name == "setdiff" and len(values) == 2:
        excluded = _removed_names(ctx, values[1])
        return [text for text in _removed_names(ctx, values[0]) if text not in excluded]
    plain = isinstance(node, rast.Call) and all(arg.name in ("all", "all.names") for arg in node.args)
    if name not in ("ls", "objects") or not plain or not ctx.at_top:
        raise rast.UntranslatedError("rm(list =) of names that are computed, or in a function")
    there = ctx.begun if ctx.surely_runs else ctx.scopes[0].assigned.keys()
    return sorted(each for each in there if values or not each.startswith("."))


def _data(ctx: Context, node: rast.Call) -> bool:
    names = [rast.word(arg.value) for arg in node.args if arg.name is None]
    if not names:
        raise rast.UntranslatedError("the list of data sets")
    for name in names:
        if not is_dataset(name):
            raise rast.UntranslatedError(
                f"the data set {name} is not shipped; in R: saveRDS({name}, '{name}.rds'), then readRDS() it"
            )
        ctx.set(name, call("r.dataset", constant(name)))
    return True


def _leave_out(ctx: Context, node: rast.Call) -> bool:
    ctx.emit(Comment(f"left out: {rast.function_name(node)}()"))
    return True


def _only_value(ctx: Context, node: rast.Call) -> rast.Node:
    """Return the value of the one argument of a call at the top level."""
    value = rast.first_value(node)
    if len(node.args) != 1 or value is None or not ctx.at_top:
        raise rast.UntranslatedError(f"{rast.function_name(node)}() with these arguments")
    return value


def _attach(ctx: Context, node: rast.Call) -> bool:
    value = _only_value(ctx, node)
    if ctx.with_r:
        ctx.attached_by_r = True
        raise rast.UntranslatedError("attach(), by which R finds columns")
    made = ctx.names.fresh("attached")
    ctx.emit(assignment(made, call("r.copy", ctx.value(value))))
    ctx.attached.append(made)
    return True


def _detach(ctx: Context, node: rast.Call) -> bool:
    if package := detached_package(node):
        ctx.search.looked_up = ctx.search.looked_up or package not in ctx.search.attached
        ctx.emit(call("r.detach", constant(package)))
    elif ctx.with_r:
        raise rast.UntranslatedError("detach() of a table")
    elif ctx.attached and isinstance(rast.first_value(node), rast.Name):
        ctx.attached.pop()
    return True


def _load(ctx: Context, node: rast.Call) -> bool:
    value = _only_value(ctx, node)
    # The names in the file are known when it is read: names that nothing else assigns are looked for there.
    ctx.loads = True
    ctx.expect_anything()
    update = ast.Attribute(call("globals"), "update", ast.Load())
    ctx.emit(ast.Call(update, [call("r.load", ctx.read(value))], []))
    return True


def _assign_by_name(ctx: Context, node: rast.Call) -> bool:
    first, *rest = [arg.value for arg in node.args]
    if not isinstance(first, rast.Text) or len(rest) != 1 or rest[0] is None:
        raise rast.UntranslatedError("assign() to a computed name")
    ctx.scope.assigned.setdefault(first.value, node.first)
    ctx.set(first.value, ctx.held_value(rest[0]))
    return True


# Arguments of source() that change nothing, and the values with which others do not.
_NO_MATTER = (
    "keep.source",
    "max.deparse.length",
    "spaced",
    "prompt.echo",
    "continue.echo",
    "skip.echo",
    "width.cutoff",
)
_AS_USUAL = {"echo": "FALSE", "verbose": "FALSE", "chdir": "FALSE", "local": "FALSE", "encoding": '"UTF-8"'}


def _source(ctx: Context, node: rast.Call) -> bool:
    first = rast.first_value(node)
    if not isinstance(first, rast.Text) or not ctx.at_top or ctx.blocks or node.args[0].name not in (None, "file"):
        raise rast.UntranslatedError("source() inside of a function or of tryCatch(), or of a computed name")
    shows = False
    for arg in node.args[1:]:
        if arg.name == "print.eval" and isinstance(arg.value, rast.Constant):
            shows = arg.value.name == "TRUE"
        elif arg.name not in _NO_MATTER and (arg.value is None or arg.value.text != _AS_USUAL.get(arg.name or "")):
            raise rast.UntranslatedError(f"source() with {arg.name or 'these arguments'}")
    file = ctx.sources.find(first.value)
    if file.name in ctx.sources.named:
        raise rast.UntranslatedError("source() of a file that the script may have written")
    if ctx.sources.changed:
        ctx.emit(call("r.check_source", constant(first.value), constant(digest_of(file))))
    if file in ctx.sources.read:
        if not _is_same_again(ctx, ctx.sources.read[file]):
            raise rast.UntranslatedError("source() of a file that stands above already")
        return True
    inner = ctx.sources.script(file)
    ctx.source(inner.body)
    before = ctx.fixed_place, ctx.prints
    ctx.fixed_place, ctx.prints = ctx.place, shows
    try:
        with ctx.sources.inside():
            for statement in inner.body:
                ctx.run(statement)
    finally:
        ctx.fixed_place, ctx.prints = before
    return True


def _is_same_again(ctx: Context, script: rast.Script) -> bool:
    """Whether a script that was sourced changes nothing a second time: its functions are nowhere changed."""
    if not all(rast.defines(node) or only_prepares(ctx, node) for node in script.body):
        return False
    others = [other for other in (ctx.script, *ctx.sources.read.values()) if other is not script]
    elsewhere = script_scope([statement for other in others for statement in other.body])
    own = {rast.target_name(node.target) for node in script.body if isinstance(node, rast.Assign)}
    return not own & (elsewhere.assigned.keys() | elsewhere.changed)


_DOERS: dict[str, Callable[[Context, rast.Call], bool]] = {
    **dict.fromkeys(LEFT_OUT, _leave_out),
    "rm": _remove,
    "data": _data,
    "attach": _attach,
    "detach": _detach,
    "load": _load,
    "assign": _assign_by_name,
    "source": _source,
}
