"""Calls: of functions of the script, of those of `pyrrf.script`, and those that evaluate arguments by their own rules."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable

from pyrrf.migrate.context import Context, call, constant, dotted
from pyrrf.migrate.library import Bound, UnmovedError, bind, has_function, parameters, python_word
from pyrrf.migrate.scopes import Scope
from pyrrf.migrate.tree import Arg, Assign, Binary, Block, Call, Function, Index, Member, Name, Node, Text, Unary, walk

Maker = Callable[[Context, Call], ast.expr]

# Functions that evaluate these arguments themselves, when they want to.
LAZY = {
    "tryCatch": ("expr", "finally_"), "try": ("expr",), "suppressWarnings": ("expr",), "suppressMessages": ("expr",),
    "suppressPackageStartupMessages": ("expr",), "system.time": ("expr",), "replicate": ("expr",), "capture.output": (),
    "withVisible": ("x",), "withCallingHandlers": ("expr",),
}  # fmt: skip
# Functions whose arguments name columns: these parameters, and whether those in dots do.
MASKED: dict[str, tuple[tuple[str, ...], bool]] = {
    "RRF": (("subset",), False), "randomForest": (("subset",), False), "partialPlot": (("x_var",), False),
    "curve": (("expr",), False), "with": (("expr",), False), "subset": (("subset", "select"), False), "transform": ((), True),
    "filter": ((), True), "mutate": ((), True), "transmute": ((), True), "select": ((), True), "arrange": ((), True),
    "group_by": ((), True), "summarise": ((), True), "summarize": ((), True), "count": ((), True),
    "distinct": ((), True), "pull": (("var",), False), "rename": ((), True), "slice": ((), False),
    "top_n": (("wt",), False), "slice_max": (("order_by",), False), "slice_min": (("order_by",), False),
    "relocate": ((), True), "add_count": ((), True), "drop_na": ((), True), "tally": (("wt",), False),
    "gather": ((), True), "pivot_longer": (("cols",), False), "separate": (("col",), False), "unite": ((), True),
    "pivot_wider": (("names_from", "values_from"), False), "spread": (("key", "value"), False),
}  # fmt: skip
# Statements that do nothing here.
DROPPED = set(
    """library require requireNamespace loadNamespace install.packages install_github update.packages gc View help
    theme_set flush.console graphics.off closeAllConnections sessionInfo citation browseURL registerDoParallel
    registerDoMC stopCluster devAskNewPage""".split()
)
# Functions whose value R does not print.
QUIET = set(
    """cat print set.seed plot lines points abline legend hist par text axis title write.csv write.table write.csv2
    saveRDS save save.image png pdf jpeg invisible message warning stop stopifnot Sys.sleep varImpPlot partialPlot setwd
    options close sink str load writeLines dir.create write_csv Sys.setenv layout curve pairs MDSplot assign on.exit rm
    show mtext grid polygon segments arrows rect barplot boxplot matplot pie rug tiff svg RNGversion""".split()
)
_REFUSED = set(
    """quote bquote substitute expression eval evalq parse match.call sys.call sys.function nargs UseMethod NextMethod
    environment local Recall body formals on.exit setClass delayedAssign""".split()
)


def function_name(node: Node) -> str:
    """Return the name of the function that a call is of; empty if it is no name."""
    return node.function.name if isinstance(node, Call) and isinstance(node.function, Name) else ""


def is_quiet(node: Node | None) -> bool:
    """Whether R prints nothing for the value of an expression at the top level."""
    return function_name(node) in QUIET if node is not None else False


def call_of(ctx: Context, node: Call) -> ast.expr:
    """Return what a call becomes.

    Raises
    ------
    UnmovedError
        The function is not known, or has no counterpart for these arguments.
    """
    name = function_name(node)
    if not name:
        return _call_of_value(ctx, node)
    owner = ctx.owner(name)
    if owner is not None and (
        name in owner.functions or name in owner.params or not (has_function(name) or name in _SPECIAL)
    ):
        return _own_call(ctx, node, name, owner)
    if name in _SPECIAL:
        return _SPECIAL[name](ctx, node)
    if name in _REFUSED:
        raise UnmovedError(f"{name}() is not moved")
    if has_function(name):
        return library_call(ctx, name, node.args, node)
    raise UnmovedError(f"{name}() is not known here")


def _call_of_value(ctx: Context, node: Call) -> ast.expr:
    from pyrrf.migrate.expressions import value

    if not isinstance(node.function, Function | Call | Index | Member | Block):
        raise UnmovedError(f"a call of {node.function.text[:40]}")
    return _plain_call(ctx, value(ctx, node.function), node.args)


# ---- functions of the script ---------------------------------------------------------------------


def _own_call(ctx: Context, node: Call, name: str, owner: Scope) -> ast.expr:
    known = owner.functions.get(name)
    if known is None:
        return _plain_call(ctx, ctx.name(name), node.args)
    params = [param.name or "" for param in known.params]
    before = params[: params.index("...")] if "..." in params else params
    found = _bind_own(name, params, before, node.args)
    return _written(ctx, ctx.name(name), found, before, {param: ctx.names[param] for param in params})


def _bind_own(name: str, params: list[str], before: list[str], args: list[Arg]) -> Bound:
    found = Bound({}, [], False)
    unnamed: list[Node] = []
    for arg in args:
        if arg.value is None:
            raise UnmovedError(f"an argument of {name}() is empty")
        if isinstance(arg.value, Name) and arg.value.name == "...":
            found.spread = True
        elif arg.name is None:
            unnamed.append(arg.value)
        else:
            begun = [p for p in params if p == arg.name] or [p for p in before if p.startswith(arg.name)]
            if len(begun) == 1:
                found.given[begun[0]] = arg.value
            elif "..." in params:
                found.dots.append((arg.name, arg.value))
            else:
                raise UnmovedError(f"{name}() has no argument {arg.name}")
    free = [param for param in before if param not in found.given]
    found.given |= dict(zip(free, unnamed, strict=False))
    rest = unnamed[len(free) :]
    if rest and "..." not in params:
        raise UnmovedError(f"{name}() has more arguments than it takes")
    found.dots = [(None, value) for value in rest] + found.dots
    return found


def _plain_call(ctx: Context, function: ast.expr, args: list[Arg]) -> ast.expr:
    """Return a call of a function whose parameters are not known."""
    from pyrrf.migrate.expressions import value

    made = ast.Call(function, [], [])
    spread = False
    for arg in args:
        if arg.value is None:
            raise UnmovedError("an empty argument")
        if isinstance(arg.value, Name) and arg.value.name == "...":
            spread = True
        elif arg.name is None:
            if made.keywords:
                raise UnmovedError("an argument without a name after one with a name, of a function that is not known")
            made.args.append(value(ctx, arg.value))
        else:
            made.keywords.append(_keyword(python_word(arg.name), value(ctx, arg.value)))
    return _spread(made) if spread else made


def _spread(made: ast.Call) -> ast.Call:
    made.args.append(ast.Starred(dotted("dots"), ast.Load()))
    made.keywords.append(ast.keyword(None, dotted("named")))
    return made


def _keyword(name: str, value: ast.expr) -> ast.keyword:
    """Return ``name=value``; what is no identifier goes by ``**{"n.tree": value}``."""
    if name.isidentifier() and not keyword.iskeyword(name):
        return ast.keyword(name, value)
    return ast.keyword(None, ast.Dict([constant(name)], [value]))


def _written(ctx: Context, function: ast.expr, found: Bound, before: list[str], words: dict[str, str]) -> ast.expr:
    """Return a call of a function of the script."""
    from pyrrf.migrate.expressions import value

    made = ast.Call(function, [], [])
    contiguous = True
    for param in before:
        if param not in found.given:
            contiguous = False
        elif contiguous:
            made.args.append(value(ctx, found.given[param]))
        else:
            made.keywords.append(_keyword(words[param], value(ctx, found.given[param])))
    for param in found.given.keys() - set(before):
        made.keywords.append(_keyword(words[param], value(ctx, found.given[param])))
    for label, node in found.dots:
        if label is None:
            if not contiguous:
                raise UnmovedError("arguments for ... behind one that is not given")
            made.args.append(value(ctx, node))
        else:
            made.keywords.append(_keyword(python_word(label), value(ctx, node)))
    return _spread(made) if found.spread else made


# ---- functions of pyrrf.script -------------------------------------------------------------------


def call_text(name: str, args: list[Arg]) -> str:
    """Return a call of a forest as R stores it: with the names of all arguments, formula first."""
    formula = any(arg.value is not None and _is_formula(arg.value) for arg in args) or any(
        a.name == "formula" for a in args
    )
    words = ["formula", "data"] if formula else ["x", "y", "xtest", "ytest", "ntree", "mtry"]
    free = [word for word in words if word not in {arg.name for arg in args}]
    given: list[tuple[str, str]] = []
    for arg in args:
        label = arg.name or (free.pop(0) if free else "")
        text = " ".join(arg.value.text.split()) if arg.value is not None else ""
        given.append((label, text))
    order = sorted(given, key=lambda pair: words.index(pair[0]) if pair[0] in words else len(words))
    return f"{name}({', '.join(f'{label} = {text}' if label else text for label, text in order)})"


def library_call(ctx: Context, name: str, args: list[Arg], node: Node | None = None) -> ast.expr:
    """Return a call of a function of `pyrrf.script`."""
    known = parameters(name)
    found = bind(name, args)
    if "scope" in known and "data" in found.given and _draws(found.given["data"]):
        raise UnmovedError(f"{name}() of data that are drawn in the call, which R does twice; give them a name before")
    if "call" in known and node is not None and ctx.whole is node and (not ctx.target or ctx.target in ctx.shown):
        found.whole_call = call_text(name, args)
    before = [key for key, param in known.items() if param.kind == param.POSITIONAL_OR_KEYWORD]
    made = ast.Call(dotted(f"r.{python_word(name)}"), [], [])
    contiguous = True
    for param in before:
        if param not in found.given:
            contiguous = False
        elif contiguous:
            made.args.append(_argument(ctx, name, param, found.given[param]))
        else:
            made.keywords.append(_keyword(param, _argument(ctx, name, param, found.given[param])))
    _put_dots(ctx, name, made, found, contiguous, set(known))
    for param, node in found.given.items():
        if param not in before:
            made.keywords.append(_keyword(param, _argument(ctx, name, param, node)))
    _hand_over(ctx, name, made, found, known)
    return _spread(made) if found.spread else made


# What takes numbers from R's stream.
_CHANCE = set("sample sample.int runif rnorm rbinom rpois rexp rgamma rbeta rt rchisq createDataPartition".split())


def _draws(node: Node) -> bool:
    return any(function_name(inner) in _CHANCE for inner in walk(node))


def _put_dots(ctx: Context, name: str, made: ast.Call, found: Bound, contiguous: bool, params: set[str]) -> None:
    last_bare = max((at for at, (label, _) in enumerate(found.dots) if label is None), default=-1)
    if last_bare >= 0 and not contiguous:
        raise UnmovedError(f"{name}() with arguments for ... behind one that is not given")
    for at, (label, node) in enumerate(found.dots):
        tree = _argument(ctx, name, "...", node)
        if label is None:
            made.args.append(tree)
        elif at < last_bare or label in params or label in [other for other, _ in found.dots[:at]]:
            made.args.append(call("r.named", constant(label), tree))
            if not contiguous:
                raise UnmovedError(f"{name}() with arguments for ... behind one that is not given")
        else:
            made.keywords.append(_keyword(label, tree))


def _argument(ctx: Context, name: str, param: str, node: Node) -> ast.expr:
    """Return an argument: a lambda where R evaluates it later, the function that a string names."""
    columns, dots = MASKED.get(name, ((), False))
    if param in columns or (param == "..." and dots):
        return masked(ctx, node)
    if param in LAZY.get(name, ()):
        return later(ctx, node)
    if isinstance(node, Text) and param in ("FUN", "what", "f", "fun") and ctx.owner(node.value) is not None:
        return ctx.name(node.value)
    return ctx.read(node)


def masked(ctx: Context, node: Node) -> ast.expr:
    """Return a lambda over the columns of a table."""
    from pyrrf.migrate.expressions import value

    name = ctx.names.fresh("m") if ctx.masks else "m"
    ctx.masks.append(name)
    ctx.in_lambda += 1
    try:
        found = value(ctx, node)
    finally:
        ctx.in_lambda -= 1
        ctx.masks.pop()
    return ast.Lambda(ast.arguments([], [ast.arg(name)], None, [], [], None, []), found)


def later(ctx: Context, node: Node) -> ast.expr:
    """Return a lambda without parameters, or a function that is written before the statement."""
    from pyrrf.migrate.expressions import value
    from pyrrf.migrate.functions import has_statements

    if not has_statements(node):
        ctx.in_lambda += 1
        found = value(ctx, node)
        ctx.in_lambda -= 1
        return ast.Lambda(ast.arguments([], [], None, [], [], None, []), found)
    return _written_before(ctx, node)


def _written_before(ctx: Context, node: Node) -> ast.expr:
    """Write statements as a function that assigns the names of the scope around it."""
    from pyrrf.migrate.statements import run_to

    if ctx.in_lambda or ctx.masks:
        raise UnmovedError("statements inside of an expression that is evaluated later")
    name = ctx.names.fresh("attempt")
    assigned = sorted(_assigned(node))
    if not ctx.at_top:
        for each in assigned:
            ctx.emit(f"{ctx.names[each]} = {ctx.names[each]} if {ctx.names[each]!r} in locals() else None")
    ctx.emit(f"def {name}():")
    ctx.blocks += 1
    with ctx.inner():
        if assigned:
            ctx.emit((ast.Global if ctx.at_top else ast.Nonlocal)([ctx.names[each] for each in assigned]))
        run_to(ctx, node, "return")
    ctx.blocks -= 1
    return ast.Name(name, ast.Load())


def _assigned(node: Node) -> set[str]:
    from pyrrf.migrate.context import assigned_by

    return set(assigned_by(node))


def _hand_over(ctx: Context, name: str, made: ast.Call, found: Bound, known: dict[str, object]) -> None:
    """Add what R's function looks up itself: the names of its arguments, the variables of a formula."""
    from pyrrf.migrate.expressions import scope_of

    if "deparsed" in known:
        bare = [node for label, node in found.dots if label is None]
        texts = [node.text if isinstance(node, Name) or name == "data.frame" else "" for node in bare]
        if any(texts):
            made.keywords.append(
                ast.keyword("deparsed", ast.List([constant(" ".join(t.split())) for t in texts], ast.Load()))
            )
    if "call" in known and found.whole_call is not None:
        made.keywords.append(ast.keyword("call", constant(found.whole_call)))
    if "scope" in known:
        formulas = [node for node in [*found.given.values(), *(n for _, n in found.dots)] if _is_formula(node)]
        scopes = [scope_of(ctx, node) for node in formulas]
        given = [scope for scope in scopes if scope is not None]
        if given:
            made.keywords.append(ast.keyword("scope", given[0]))


def _is_formula(node: Node) -> bool:
    return isinstance(node, Binary | Unary) and node.operator == "~"


# ---- functions of a kind of their own ------------------------------------------------------------


def _missing(ctx: Context, node: Call) -> ast.expr:
    name = node.args[0].value if len(node.args) == 1 else None
    if not isinstance(name, Name) or name.name not in ctx.scope.params:
        raise UnmovedError("missing() of what is no parameter")
    noted = ctx.missing.get((id(ctx.scope), name.name))
    absent = ast.Compare(ctx.name(name.name), [ast.Is()], [constant(None)]) if noted is None else dotted(noted)
    return call("r.c", absent)


def _true(ctx: Context, node: Call) -> ast.expr:
    return call("r.c", constant(True))


def _exists(ctx: Context, node: Call) -> ast.expr:
    first = node.args[0].value if node.args else None
    if not isinstance(first, Text) or len(node.args) > 1:
        raise UnmovedError("exists() of a computed name")
    if has_function(first.value):
        return call("r.c", constant(True))
    return call("r.c", ast.Compare(constant(ctx.names[first.value]), [ast.In()], [call("globals")]))


def _get(ctx: Context, node: Call) -> ast.expr:
    from pyrrf.migrate.expressions import name_value

    first = node.args[0].value if node.args else None
    if not isinstance(first, Text) or len(node.args) > 1:
        raise UnmovedError("get() of a computed name")
    return name_value(ctx, first.value)


def _match_arg(ctx: Context, node: Call) -> ast.expr:
    if len(node.args) == 1 and isinstance(node.args[0].value, Name):
        name = node.args[0].value.name
        default = ctx.defaults.get((id(ctx.scope), name))
        if default is not None:
            return call("r.match_arg", ctx.name(name), ctx.read(default))
    return library_call(ctx, "match.arg", node.args)


def _bracket(ctx: Context, node: Call) -> ast.expr:
    from pyrrf.migrate.expressions import value

    inner = node.args[0].value
    assert inner is not None
    return value(ctx, inner)


def _switch(ctx: Context, node: Call) -> ast.expr:
    """Return a switch whose alternatives are lambdas; one that is empty falls through to the next."""
    first, *rest = node.args
    if first.value is None or any(arg.value is None and arg.name is None for arg in rest):
        raise UnmovedError("switch() with these arguments")
    made = call("r.switch", ctx.read(first.value))
    assert isinstance(made, ast.Call)
    last_bare = max((at for at, arg in enumerate(rest) if arg.name is None), default=-1)
    for at, arg in enumerate(rest):
        tree = constant(None) if arg.value is None else later(ctx, arg.value)
        if arg.name is None:
            made.args.append(tree)
        elif at < last_bare or not arg.name.isidentifier() or keyword.iskeyword(arg.name) or arg.name == "EXPR":
            made.args.append(call("r.named", constant(arg.name), tree))
        else:
            made.keywords.append(ast.keyword(arg.name, tree))
    return made


def _within(ctx: Context, node: Call) -> ast.expr:
    """Return ``within(d, {...})``: its assignments make columns, the last one first, as R has them."""
    if len(node.args) != 2 or any(arg.name or arg.value is None for arg in node.args):
        raise UnmovedError("within() with these arguments")
    data, body = node.args[0].value, node.args[1].value
    assert data is not None
    steps = body.body if isinstance(body, Block) else [body]
    made = call("r.within", ctx.read(data))
    assert isinstance(made, ast.Call)
    for step in steps:
        if not isinstance(step, Assign) or not isinstance(step.target, Name):
            raise UnmovedError("within() of other than assignments to names")
        made.args.append(call("r.named", constant(step.target.name), masked(ctx, step.value)))
    return made


def _invisible(ctx: Context, node: Call) -> ast.expr:
    from pyrrf.migrate.targets import kept

    value = node.args[0].value if node.args else None
    return call("r.invisible", *([] if value is None else [kept(ctx, value)]))


def _data_value(ctx: Context, node: Call) -> ast.expr:
    raise UnmovedError("the value of data()")


def _transform(ctx: Context, node: Call) -> ast.expr:
    return library_call(ctx, "transform", node.args)


def _false(ctx: Context, node: Call) -> ast.expr:
    return call("r.c", constant(False))


_SPECIAL: dict[str, Maker] = {
    "missing": _missing,
    **dict.fromkeys(("require", "requireNamespace", "library"), _true),
    "interactive": _false,
    "exists": _exists,
    "get": _get,
    "match.arg": _match_arg,
    "(": _bracket,
    "switch": _switch,
    "invisible": _invisible,
    "data": _data_value,
    "within": _within,
}


# ---- calls that are statements -------------------------------------------------------------------


def run_call(ctx: Context, node: Call, to: str) -> bool:
    """Write a call that is a statement, if it is one of a kind of its own; whether it was."""
    name = function_name(node)
    owner = ctx.owner(name) if name else None
    if owner is not None and name in owner.functions:
        return False
    if name == "return":
        _return(ctx, node)
        return True
    if name in DROPPED or _is_dropped(node):
        return to in ("", "show")
    doer = _DOERS.get(name)
    if doer is None or to not in ("", "show"):
        return False
    return doer(ctx, node)


_AROUND = ("suppressPackageStartupMessages", "suppressMessages", "suppressWarnings")


def _is_dropped(node: Call) -> bool:
    """Whether a call holds nothing but the loading of packages."""
    if function_name(node) not in (
        "suppressPackageStartupMessages",
        "suppressMessages",
        "suppressWarnings",
        "invisible",
        "lapply",
        "sapply",
    ):
        return False
    inner = [arg.value for arg in node.args if arg.value is not None]
    loads = [n for value in inner for n in walk(value) if isinstance(n, Name) and n.name in ("library", "require")]
    return bool(loads)


def _return(ctx: Context, node: Call) -> None:
    from pyrrf.migrate.targets import kept

    if ctx.at_top and not ctx.blocks:
        raise UnmovedError("return outside of a function")
    if ctx.blocks and ctx.scopes[-1] is ctx.scopes[0]:
        raise UnmovedError("return outside of a function")
    if ctx.blocks:
        raise UnmovedError("return inside of what is evaluated later")
    value = node.args[0].value if node.args else None
    if value is None:
        ctx.emit(ast.Return(call("r.c")))
    elif isinstance(value, Assign):
        from pyrrf.migrate.statements import run_to

        run_to(ctx, value, "return")
    else:
        ctx.emit(ast.Return(kept(ctx, value)))


def _remove(ctx: Context, node: Call) -> bool:
    names = [arg.value.name for arg in node.args if arg.name is None and isinstance(arg.value, Name)]
    if any(arg.name == "list" for arg in node.args):
        return ctx.place[0] <= ctx.first_work or _refuse("rm(list =) behind the first statements")
    if ctx.at_top and names:
        ctx.emit(ast.Delete([ast.Name(ctx.names[name], ast.Del()) for name in names if ctx.owner(name) is not None]))
    return True


def _refuse(reason: str) -> bool:
    raise UnmovedError(reason)


def _data(ctx: Context, node: Call) -> bool:
    from pyrrf.migrate.expressions import is_dataset

    for arg in node.args:
        if arg.name is not None:
            continue
        name = arg.value.name if isinstance(arg.value, Name) else arg.value.value if isinstance(arg.value, Text) else ""
        if not is_dataset(name):
            raise UnmovedError(
                f"the data set {name} is not shipped; in R: saveRDS({name}, '{name}.rds'), then readRDS() it"
            )
        ctx.set(name, call("r.dataset", constant(name)))
    return True


def _attach(ctx: Context, node: Call) -> bool:
    from pyrrf.migrate.expressions import value

    if len(node.args) != 1 or node.args[0].value is None or not ctx.at_top:
        raise UnmovedError("attach() with these arguments")
    made = ctx.names.fresh("attached")
    ctx.emit(ast.Assign([ast.Name(made, ast.Store())], call("r.copy", value(ctx, node.args[0].value)), lineno=0))
    ctx.attached.append(made)
    return True


def _detach(ctx: Context, node: Call) -> bool:
    first = node.args[0].value if node.args else None
    if ctx.attached and isinstance(first, Name):
        ctx.attached.pop()
    return True


def _load(ctx: Context, node: Call) -> bool:
    if len(node.args) != 1 or node.args[0].value is None or not ctx.at_top:
        raise UnmovedError("load() with these arguments")
    ctx.emit(call("globals().update", call("r.load", ctx.read(node.args[0].value))))
    return True


def _assign_by_name(ctx: Context, node: Call) -> bool:
    from pyrrf.migrate.targets import kept

    first, *rest = [arg.value for arg in node.args]
    if not isinstance(first, Text) or len(rest) != 1 or rest[0] is None:
        raise UnmovedError("assign() to a computed name")
    ctx.scope.assigned.setdefault(first.value, node.first)
    ctx.set(first.value, kept(ctx, rest[0]))
    return True


def _source(ctx: Context, node: Call) -> bool:
    from pyrrf.migrate.parser import parse

    first = node.args[0].value if node.args else None
    file = None if ctx.folder is None or not isinstance(first, Text) else ctx.folder / first.value
    if file is None or not file.is_file() or not ctx.at_top:
        raise UnmovedError("source() of a file that is not at hand; put its lines here, or translate it, too")
    from pyrrf.migrate.scopes import changed_anywhere, script_scope

    inner = parse(file.read_text(errors="replace"))
    scope = script_scope(inner.body)
    ctx.scopes[0].assigned |= {
        name: place for name, place in scope.assigned.items() if name not in ctx.scopes[0].assigned
    }
    ctx.scopes[0].functions |= scope.functions
    ctx.changed |= changed_anywhere(inner.body)
    ctx.fixed_place = ctx.place
    try:
        for statement in inner.body:
            ctx.run(statement)
    finally:
        ctx.fixed_place = None
    return True


_DOERS: dict[str, Callable[[Context, Call], bool]] = {
    "rm": _remove, "data": _data, "attach": _attach, "detach": _detach, "load": _load, "assign": _assign_by_name,
    "source": _source,
}  # fmt: skip
