"""Calls of functions of the script and of `pyrrf.r`, with their arguments in place."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Mapping
from itertools import takewhile

from pyrrf.migrate.decide.effects import find_name
from pyrrf.migrate.decide.laziness import acting, check_library, check_own, check_unknown
from pyrrf.migrate.decide.methods import check_generic, check_structure
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import Bound, bind, bind_own, facts, parameters
from pyrrf.migrate.scopes.names import is_word
from pyrrf.migrate.scopes.scopes import Scope, asked_for
from pyrrf.migrate.write.arguments import later, mask_lambda, tidy_argument
from pyrrf.migrate.write.context import Context
from pyrrf.migrate.write.lines import call, constant, dotted_name
from pyrrf.migrate.write.lookup import function_named, may_be_invisible, of_r, scope_of
from pyrrf.r.values.packages import FORESTS_OF_CARET, python_word


def call_of_value(ctx: Context, node: rast.Call) -> ast.expr:
    """Return a call of a function that has no name of its own: written there, returned, or held by a list."""
    function = node.function
    if not isinstance(function, rast.Function | rast.Call | rast.Index | rast.Member | rast.Block):
        raise rast.UntranslatedError(f"a call of {function.text[:40]}")
    if isinstance(function, rast.Function):
        check_own(ctx, "a function", ctx.around, function, bind_own("a function", function, node.args))
    else:
        check_unknown(ctx, node.args)
    return _plain_call(ctx, ctx.value(function), node.args)


# ---- functions of the script ---------------------------------------------------------------------


def own_call(ctx: Context, node: rast.Call, name: str, owner: Scope) -> ast.expr:
    """Return a call of a function of the script."""
    if ctx.with_r and ctx.at_top and owner is ctx.scopes[0] and name not in ctx.begun:
        raise rast.UntranslatedError(f"{name}(), which the script defines later")
    known = owner.functions.get(name)
    if known is None:
        check_unknown(ctx, node.args)
        return _plain_call(ctx, ctx.name(name), node.args, _parameters(ctx, name))
    bound = bind_own(name, known, node.args)
    place = find_name(ctx.around, name)
    check_own(ctx, name, ctx.around if place is None else place[0], known, bound)
    _check_dots(ctx, bound.spread)
    guarded = _unsure_parameters(ctx, known, bound)
    for scope, param in guarded:
        scope.refused.add(param)
    made = _own_call_tree(ctx, name, known, bound)
    for scope, param in guarded:
        scope.refused.remove(param)
    if not bound.spread:
        made.keywords += [_keyword(ctx.names[param], dotted_name("r.absent")) for param in _lacking_words(known, bound)]
    return made


def _unsure_parameters(ctx: Context, known: rast.Function, bound: Bound) -> list[tuple[Scope, str]]:
    """Return the parameters that may not be given, and go no further: the function does not ask whether they are."""
    asked = asked_for(known)
    handed = [(ctx.unsure_scope(node), rast.word(node)) for param, node in bound.given.items() if param not in asked]
    return [(scope, name) for scope, name in dict.fromkeys(handed) if scope is not None and name not in scope.refused]


def _check_dots(ctx: Context, spread: bool) -> None:
    if spread and not any("..." in scope.params for scope in ctx.scopes):
        raise rast.UntranslatedError("... outside of a function that has it")


def _lacking_words(known: rast.Function, bound: Bound) -> list[str]:
    """Return the parameters that are not given, and that Python asks for: R does when the function uses them."""
    words = list(takewhile(lambda param: param.value is None and param.name != "...", known.params))
    asked = asked_for(known)
    lacking = [word.name or "" for word in words if word.name not in asked and word.name not in bound.given]
    return [word for word in lacking if word not in _bare_names(known.body)]


def _bare_names(node: rast.Node) -> set[str]:
    """Return the names that stand alone in a body: in R, an argument that is not given stops there."""
    inside = {id(child) for inner in rast.walk(node) if _takes_value(inner) for child in rast.children(inner)}
    return {inner.name for inner in rast.walk(node) if isinstance(inner, rast.Name) and id(inner) not in inside}


def _takes_value(node: rast.Node) -> bool:
    """Whether an operator, a subscript or a call computes with its direct operands."""
    if isinstance(node, rast.Call):
        return not facts(rast.function_name(node)).hands_on
    return isinstance(node, rast.Binary | rast.Unary | rast.Index | rast.Member)


def _parameters(ctx: Context, name: str) -> set[str]:
    """Return the parameters of all functions to which the script gives a name."""
    assigned = (node for node in rast.walk(*ctx.scopes[0].code) if isinstance(node, rast.Assign) and rast.defines(node))
    functions = (node.value for node in assigned if rast.target_name(node.target) == name)
    return {word for function in functions if isinstance(function, rast.Function) for word in function.words}


def _plain_call(
    ctx: Context, function: ast.expr, args: list[rast.Arg], params: Container[str] = frozenset()
) -> ast.expr:
    """Return a call of a function that may be one of several; `params` are those of functions of the script."""
    made = ast.Call(function, [], [])
    spread: int | None = None
    for arg in args:
        if arg.value is None:
            raise rast.UntranslatedError("an empty argument")
        if rast.is_dots(arg.value):
            _check_dots(ctx, True)
            spread = len(made.args)
        elif arg.name is None:
            if made.keywords:
                raise rast.UntranslatedError(
                    "an argument without a name after one with a name, of a function that is not known"
                )
            made.args.append(ctx.value(arg.value))
        else:
            word = ctx.names[arg.name] if arg.name in params else python_word(arg.name)
            made.keywords.append(_keyword(word, ctx.value(arg.value)))
    return made if spread is None else _spread(made, len(made.args) - spread)


def _spread(made: ast.Call, behind: int = 0, words: Iterable[str] = (), place: int | None = None) -> ast.Call:
    """Add the dots of the function around a call, before some arguments without names.

    Behind them R would have the names among the dots: only those of parameters may be there.
    """
    made.args.insert(len(made.args) - behind, ast.Starred(dotted_name("dots"), ast.Load()))
    names: ast.expr = dotted_name("named")
    if behind:
        names = call("r.only", names, *map(constant, words))
    made.keywords.insert(len(made.keywords) if place is None else place, ast.keyword(None, names))
    return made


def _keyword(name: str, value: ast.expr) -> ast.keyword:
    """Return ``name=value``; a name that Python cannot spell goes by ``**{"n.tree": value}``."""
    if is_word(name):
        return ast.keyword(name, value)
    return ast.keyword(None, ast.Dict([constant(name)], [value]))


def _own_call_tree(ctx: Context, name: str, known: rast.Function, bound: Bound) -> ast.Call:
    """Return a call of a function of the script."""
    made = ast.Call(ctx.name(name), [], [])
    contiguous = True
    before = known.before_dots
    words = {param: ctx.names[param] for param in known.words}
    out = {rast.word(_inner(value)) for value in rast.last_values(known.body)}
    trees = {param: _forward_argument(ctx, node, param in out) for param, node in bound.given.items()}
    for param in [*before, *(param for param in bound.given if param not in before)]:
        contiguous = contiguous and param in bound.given and param in before
        if contiguous:
            made.args.append(trees[param])
        elif param in bound.given:
            made.keywords.append(_keyword(words[param], trees[param]))
    full = all(param in bound.given for param in before)
    for label, node in bound.dots:
        if label is not None:
            made.keywords.append(_keyword(python_word(label), ctx.value(node)))
        elif full:
            made.args.append(ctx.value(node))
        else:
            raise rast.UntranslatedError("arguments for ... behind one that is not given")
    behind = sum(label is None for label, _ in bound.dots[bound.ahead :])
    return _spread(made, behind, words.values()) if bound.spread else made


def _forward_argument(ctx: Context, node: rast.Node, out: bool) -> ast.expr:
    """Return an argument that may be the value of the call: R shows the value of a name, not of an assignment."""
    tree = ctx.value(node)
    if isinstance(node, rast.Assign):
        return call("r.invisible", tree)
    return call("r.copy", tree) if out and may_be_invisible(ctx, node) else tree


def _inner(node: rast.Node) -> rast.Node:
    """Return the first argument of a call that may give it back, and other code as it is."""
    first = rast.first_value(node) if isinstance(node, rast.Call) else None
    return first if first is not None and facts(rast.function_name(node)).hands_on else node


# ---- functions of pyrrf.r -------------------------------------------------------------------


def call_text(name: str, args: list[rast.Arg]) -> str:
    """Return a call of a forest as R stores it: with the names of all arguments, formula first."""
    first = args[0].value if args and args[0].name is None else None
    told = facts(rast.function_name(first))
    made = told.gives == "formula" and not told.hands_on
    formula = (
        made or any(map(rast.is_formula, rast.values(args))) or any(arg.name in ("formula", "data") for arg in args)
    )
    words = ["formula", "data"] if formula else ["x", "y", "xtest", "ytest", "ntree", "mtry"]
    free = [word for word in words if word not in {arg.name for arg in args}]
    given: list[tuple[str, str]] = []
    for arg in args:
        label = arg.name or (free.pop(0) if free else "")
        text = "." if arg.piped else " ".join(arg.value.text.split()) if arg.value is not None else ""
        given.append((label, text))
    order = sorted(given, key=lambda pair: words.index(pair[0]) if pair[0] in words else len(words))
    return f"{name}({', '.join(f'{label} = {text}' if label else text for label, text in order)})"


def library_call(ctx: Context, name: str, args: list[rast.Arg], node: rast.Node | None = None) -> ast.expr:
    """Return a call of a function of `pyrrf.r`."""
    known = parameters(name)
    bound = bind(name, args)
    check_library(ctx, name, args, bound)
    _check_supported(name, bound)
    _check_dots(ctx, bound.spread)
    check_generic(ctx, name)
    check_structure(ctx, name, args)
    handed = [param for param in known.values() if param.name == "call" and param.kind == param.KEYWORD_ONLY]
    if handed and node is not None and id(node) not in ctx.fits.hidden:
        # The call recorded by R has dots in it, which depend on the arguments.
        bound.whole_call = "" if bound.spread else call_text(rast.bare(name), args)
    before = [key for key, param in known.items() if param.kind == param.POSITIONAL_OR_KEYWORD]
    made = ast.Call(of_r(ctx, name, [*bound.given.values()][:1] or [value for _, value in bound.dots]), [], [])
    contiguous = True
    for param in before:
        if param not in bound.given:
            contiguous = False
        elif contiguous:
            made.args.append(_argument(ctx, name, param, bound.given[param]))
        else:
            made.keywords.append(_keyword(param, _argument(ctx, name, param, bound.given[param])))
    behind, labelled = _put_dots(ctx, name, made, bound, contiguous, set(known))
    place = len(made.keywords) - labelled if labelled else None
    for param, node in bound.given.items():
        if param not in before:
            made.keywords.append(_keyword(param, _argument(ctx, name, param, node)))
    _hand_over(ctx, name, made, bound, known, {arg.value for arg in args if arg.piped})
    words = [word for word, param in known.items() if param.kind in (param.KEYWORD_ONLY, param.POSITIONAL_OR_KEYWORD)]
    return _spread(made, behind, words, place) if bound.spread else made


def _check_supported(name: str, bound: Bound) -> None:
    """Refuse an argument that the function does not support, if its value is not R's default."""
    method = bound.given.get("method") if rast.bare(name) == "train" else None
    if isinstance(method, rast.Text) and method.value not in FORESTS_OF_CARET:
        raise rast.UntranslatedError(f"train() with the method {method.value}")
    for param in facts(name).unsupported.split():
        node, usual = bound.given.get(param), parameters(name)[param].default
        given = (
            _LITERALS.get(node.text, node.text) if isinstance(node, rast.Constant) else getattr(node, "value", usual)
        )
        given = node.text if isinstance(node, rast.Call) and rast.function_name(node) == "c" and node.args else given
        if given != usual:
            raise rast.UntranslatedError(f"{name}() with {param}")


_LITERALS: dict[str, object] = {"TRUE": True, "FALSE": False, "NULL": None}


def _put_dots(
    ctx: Context, name: str, made: ast.Call, bound: Bound, contiguous: bool, params: set[str]
) -> tuple[int, int]:
    """Add the arguments for the dots of a function, and return the numbers of those behind dots that are handed on.

    That is how many arguments without keywords, and how many with them.
    """
    labels = [label for label, _ in bound.dots]
    last_bare = max((index for index, label in enumerate(labels) if label is None), default=-1)
    # Keywords come behind: what goes without one takes those before it along.
    bare = [index for index, word in enumerate(labels) if word is None or word in {*params, *labels[:index]}]
    last_named = max(bare, default=-1)
    if bound.spread and facts(name).dots_in_order:
        last_named = max(last_named, bound.ahead - 1)
    if last_bare >= 0 and not contiguous:
        raise rast.UntranslatedError(f"{name}() with arguments for ... behind one that is not given")
    for index, (label, node) in enumerate(bound.dots):
        tree = _argument(ctx, name, "...", node)
        if label is None:
            made.args.append(tree)
        elif index <= last_named:
            made.args.append(call("r.named", constant(label), tree))
            if not contiguous:
                raise rast.UntranslatedError(f"{name}() with arguments for ... behind one that is not given")
        else:
            made.keywords.append(_keyword(label, tree))
    if not bound.spread:
        return 0, 0
    return max(0, last_named + 1 - bound.ahead), len(labels) - max(bound.ahead, last_named + 1)


def _argument(ctx: Context, name: str, param: str, node: rast.Node) -> ast.expr:
    """Return an argument: a lambda where R evaluates it later, the function that a string names."""
    special = tidy_argument(ctx, name, param, node)
    if special is not None:
        return special
    traits = facts(name)
    if param in traits.masked:
        return mask_lambda(ctx, node)
    if param in traits.later and (param not in traits.may_skip or acting(ctx, node)):
        return later(ctx, node)
    if param not in traits.called:
        return ctx.read(node)
    if isinstance(node, rast.Text) and ctx.owner(node.value) is not None:
        hidden = function_named(ctx, node.value)
        return ctx.name(node.value) if hidden is None else hidden
    hidden = function_named(ctx, node.name) if isinstance(node, rast.Name) else None
    return ctx.read(node) if hidden is None else hidden


def _hand_over(
    ctx: Context,
    name: str,
    made: ast.Call,
    bound: Bound,
    known: Mapping[str, object],
    piped: set[rast.Node | None],
) -> None:
    """Add the arguments that R's function looks up: the names of its arguments, the variables of a formula."""
    if "deparsed" in known:
        bare = [node for label, node in bound.dots if label is None]
        texts = ["." if node in piped else _label(name, node) for node in bare] + ["..."] * bound.spread
        if any(texts):
            made.keywords.append(ast.keyword("deparsed", ast.List([constant(t) for t in texts], ast.Load())))
    if "call" in known and bound.whole_call is not None:
        made.keywords.append(ast.keyword("call", constant(bound.whole_call)))
    formulas = [node for node in [*bound.given.values(), *(n for _, n in bound.dots)] if rast.is_formula(node)]
    if formulas and ctx.masks and "scope" not in known and "data" not in bound.given:
        raise rast.UntranslatedError(f"{name}() of columns that a formula names")
    if "scope" in known:
        data = bound.given.get("data")
        scopes = [scope_of(ctx, node, data) for node in formulas]
        given = [scope for scope in scopes if scope is not None]
        if given:
            made.keywords.append(ast.keyword("scope", given[0]))


def _label(name: str, node: rast.Node) -> str:
    """Return the code of an argument where it may become a label, "" elsewhere."""
    # A name in brackets labels no row of rbind(); data frames make a label of any text.
    alone = isinstance(node, rast.Name) and not node.text.startswith("(")
    return _in_one_line(node.text) if alone or facts(name).labels_code else ""


def _in_one_line(text: str) -> str:
    """Return code without the ends of lines; '' if they may stand in a string."""
    if "\n" not in text:
        return text
    return "" if any(mark in text for mark in "\"'`#") else " ".join(text.split())
