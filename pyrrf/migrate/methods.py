"""Methods that a script defines for functions of R, as ``print.fit``: R would call them, `pyrrf.r` does not."""

from __future__ import annotations

from pyrrf.migrate.context import Context
from pyrrf.migrate.library import UnmovedError, facts, has_function
from pyrrf.migrate.tree import Arg, Assign, Call, Function, Name, Node, Text, function_name, walk

_OPERATORS = set("+ - * / ^ == != < <= > >= & | ! %% %/% [ [[ $ [<- [[<- $<- Ops Math Summary".split())
# Classes of values that no script needs to make.
_MADE_HERE = set(
    """data.frame factor ordered matrix array numeric character integer double logical list function formula table Date
    difftime tbl_df tbl randomForest randomForest.formula RRF RRF.formula train train.formula confusionMatrix default
    dist rfcv by aov lm glm summary.data.frame noquote""".split()
)


def defined_methods(body: list[Node]) -> dict[str, set[str]]:
    """Return the classes for which a script defines methods, each with the functions of R that have them."""
    found: dict[str, set[str]] = {}
    for node in (inner for statement in body for inner in walk(statement)):
        if isinstance(node, Assign) and isinstance(node.value, Function) and isinstance(node.target, Name | Text):
            name = node.target.name if isinstance(node.target, Name) else node.target.value
            for at, letter in enumerate(name):
                generic, kind = name[:at], name[at + 1 :]
                if (
                    letter == "."
                    and kind
                    and (generic in _OPERATORS or has_function(generic))
                    and not has_function(name)
                ):
                    found.setdefault(kind, set()).add(generic)
    return found


def check_class(ctx: Context, value: Node) -> None:
    """Refuse to make an object of a class for which the script has methods."""
    if not ctx.methods:
        return
    words = [inner.value for inner in walk(value) if isinstance(inner, Text)]
    kind = next((word for word in words if word in ctx.methods), None)
    if kind is not None or not words:
        told = f"class {kind}" if kind else "a computed class"
        raise UnmovedError(f"an object of {told}: R would call the methods that the script has")


def sets_class(target: Node) -> bool:
    """Whether an assignment to this may give an object a class."""
    return isinstance(target, Call) and facts(f"put.{function_name(target)}").sets_class


def check_structure(ctx: Context, args: list[Arg]) -> None:
    """Refuse ``structure(x, class = "a")`` where the script has methods for the class."""
    for arg in args:
        if arg.name == "class" and arg.value is not None:
            check_class(ctx, arg.value)


def check_generic(ctx: Context, *names: str) -> None:
    """Refuse a function of R for which the script has a method for a class that R's own objects have."""
    for kind in ctx.methods.keys() & _MADE_HERE:
        for name in ctx.methods[kind] & set(names):
            raise UnmovedError(f"{name}(), for which the script has the method {name}.{kind}()")
