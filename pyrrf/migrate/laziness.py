"""Arguments that draw, print or assign: R does so when a function uses them, Python before the call.

Where both may come in another order, the call is left.
"""

from __future__ import annotations

from pyrrf.migrate.context import Context
from pyrrf.migrate.later import LATER_IF_DRAWN, LAZY, MASKED
from pyrrf.migrate.library import Bound, UnmovedError, has_function
from pyrrf.migrate.tree import (
    Assign,
    Binary,
    Call,
    For,
    Function,
    If,
    Member,
    Name,
    Node,
    While,
    children,
    function_name,
)

DRAWING = set(
    """sample sample.int runif rnorm rbinom rpois rexp rgamma rbeta rt rchisq rlnorm rlogis rweibull rcauchy rgeom
    rnbinom rmultinom rf createDataPartition createFolds createMultiFolds createResample sample.split sample_n
    sample_frac slice_sample RRF randomForest tuneRF tuneRRF rfcv rrfcv rfImpute rrfImpute train upSample downSample
    set.seed grow predict partialPlot kmeans jitter""".split()
)
_SYNTAX = set("( function missing return UseMethod on.exit invisible stop warning library quote".split())
_SHOWING = {"print", "cat", "message", "warning", "show", "write", "writeLines", "assign", "readline"}
# Functions that use all their arguments, in the order in which they stand.
_IN_ORDER = set(
    """c list data.frame cbind rbind paste paste0 cat print matrix array table tibble factor sum max min range rep seq
    sprintf sample sample.int runif rnorm rbinom rpois rexp rgamma rbeta expand.grid identical append union setdiff
    intersect confusionMatrix postResample cor mean stopifnot pmin pmax round rev crossprod message""".split()
)
# Arguments that a function may not use.
_CONDITIONAL = {"coalesce": ("...",), "if_else": ("true", "false"), "case_when": ("...",)}
_LATER = "which R does when the function uses them; give them names before"
# Functions that use further arguments only while they go over their first one.
_REPEATING = set(
    """sapply lapply vapply apply tapply Map mapply outer aggregate by ave Reduce Filter map map_dbl map_chr map_int
    map_lgl map2 sweep""".split()
)


def has_effect(ctx: Context, node: Node, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the value of an expression draws, prints or assigns on its way."""
    if isinstance(node, Function):
        return False
    if isinstance(node, Assign):
        return True
    if isinstance(node, Call) and (
        _acts(ctx, node, seen) or any(_hands_over(ctx, part, seen) for part in children(node))
    ):
        return True
    return any(has_effect(ctx, child, seen) for child in children(node))


def _hands_over(ctx: Context, node: Node, seen: frozenset[str]) -> bool:
    """Whether a call may run a function that acts: one that is written there, or one of the script by its name."""
    if isinstance(node, Function):
        return _body_acts(ctx, node.body, seen)
    owner = ctx.owner(node.name) if isinstance(node, Name) else None
    known = owner.functions.get(node.name) if owner is not None and isinstance(node, Name) else None
    return known is not None and _body_acts(ctx, known.body, seen)


def _acts(ctx: Context, node: Call, seen: frozenset[str]) -> bool:
    """Whether a call itself, without its arguments, draws, prints or assigns."""
    name = function_name(node).rpartition(":")[2]
    owner = ctx.owner(name) if name else None
    if owner is None:
        # What is neither of the script nor known here may be a function inside of one.
        return name in DRAWING or name in _SHOWING or bool(name and not _is_known(name))
    known = owner.functions.get(name)
    if known is None or name in seen:
        return name not in seen
    return _body_acts(ctx, known.body, seen | {name})


def _is_known(name: str) -> bool:
    return has_function(name) or name in _SYNTAX


def _body_acts(ctx: Context, node: Node, seen: frozenset[str]) -> bool:
    """Whether a function draws, prints or assigns outside of it; its own assignments are no effect."""
    if isinstance(node, Assign):
        return node.outer or _body_acts(ctx, node.value, seen)
    if isinstance(node, Call) and _acts(ctx, node, seen):
        return True
    return any(_body_acts(ctx, child, seen) for child in children(node))


# ---- calls ---------------------------------------------------------------------------------------


def check_own(ctx: Context, name: str, known: Function, found: Bound) -> None:
    """Refuse arguments of a function of the script that act, unless it begins by using the only one."""
    acting = [param for param, node in found.given.items() if has_effect(ctx, node)]
    dots = any(has_effect(ctx, node) for _, node in found.dots)
    if not acting and not dots:
        return
    defaults = any(param.value is not None and has_effect(ctx, param.value) for param in known.params)
    if dots or defaults or len(acting) > 1 or _first_event(ctx, known.body, acting[0]) != "used":
        raise UnmovedError(f"{name}() of an argument that draws or prints, {_LATER}")


def check_library(ctx: Context, name: str, found: Bound) -> None:
    """Refuse arguments that act where R may use them in another order, or not at all."""
    if name in LAZY or name in MASKED or name in LATER_IF_DRAWN:
        return  # they have rules of their own
    acting = [param for param, node in found.given.items() if has_effect(ctx, node)]
    acting += ["..." for _, node in found.dots if has_effect(ctx, node)]
    conditional = any(param in _CONDITIONAL.get(name, ()) for param in acting)
    first = next(iter(found.given), "")
    inner = name in _REPEATING and any(param != first for param in acting)
    if conditional or inner or (len(acting) > 1 and name not in _IN_ORDER):
        raise UnmovedError(f"{name}() of arguments that draw or print, {_LATER}")


def _first_event(ctx: Context, node: Node, param: str) -> str:
    """Return what a body surely does first: "used" of a parameter, "acts", or "" if it does neither for sure."""
    if isinstance(node, Name):
        return "used" if node.name == param else ""
    if isinstance(node, Call):
        return _of_call(ctx, node, param)
    if isinstance(node, If):
        return _first_event(ctx, node.condition, param) or _either(ctx, node, param)
    sure, unsure = _parts(node)
    found = next(filter(None, (_first_event(ctx, part, param) for part in sure)), "")
    outer = "acts" if isinstance(node, Assign) and node.outer else ""
    return found or next(filter(None, (_undecided(ctx, part, param) for part in unsure)), outer)


def _parts(node: Node) -> tuple[list[Node], list[Node]]:
    """Return the parts of an expression that are evaluated, in order, and those that may not be."""
    if isinstance(node, Function):
        return [], []
    if isinstance(node, For):
        return [node.sequence], [node.body]
    if isinstance(node, While):
        return ([] if node.condition is None else [node.condition]), [node.body]
    if isinstance(node, Binary) and node.operator in ("&&", "||"):
        return [node.left], [node.right]
    if isinstance(node, Assign):
        return [node.value], []
    return ([node.of] if isinstance(node, Member) else children(node)), []


def _of_call(ctx: Context, node: Call, param: str) -> str:
    name = function_name(node).rpartition(":")[2]
    own = ctx.owner(name) is not None if name else True
    lazy = own or name in _CONDITIONAL or name in ("missing", "switch", "quote")
    for at, arg in enumerate(node.args):
        if arg.value is None:
            continue
        surely = not lazy and (name != "ifelse" or at == 0)
        found = _first_event(ctx, arg.value, param) if surely else _undecided(ctx, arg.value, param)
        if found:
            return found
    return "acts" if _acts(ctx, node, frozenset()) else ""


def _either(ctx: Context, node: If, param: str) -> str:
    """Return what both branches do first; where one may do nothing, whether the other does anything."""
    sides = [_first_event(ctx, side, param) if side is not None else "" for side in (node.then, node.otherwise)]
    if sides[0] == sides[1]:
        return sides[0]
    return "acts"


def _undecided(ctx: Context, node: Node, param: str) -> str:
    """Return "acts" where a part that may not run would use the parameter or act."""
    return "acts" if _first_event(ctx, node, param) else ""
