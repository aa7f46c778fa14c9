"""Methods that a script defines for functions of R, as ``print.fit``: R would call them, `pyrrf.r` does not."""

from __future__ import annotations

from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.scopes import Known

# Classes of values that no script needs to make.
_MADE_HERE = set(
    """data.frame factor ordered matrix array numeric character integer double logical list function formula table Date
    difftime tbl_df tbl randomForest randomForest.formula RRF RRF.formula train train.formula confusionMatrix default
    dist rfcv by aov lm glm summary.data.frame noquote""".split()
)


def check_class(known: Known, value: rast.Node) -> None:
    """Refuse to make an object of a class for which the script has methods."""
    if not known.methods:
        return
    words = [inner.value for inner in rast.walk(value) if isinstance(inner, rast.Text)]
    kind = next((word for word in words if word in known.methods), None)
    if kind is not None or not words:
        told = f"class {kind}" if kind else "a computed class"
        raise rast.UntranslatedError(f"an object of {told}: R would call the methods that the script has")


def sets_class(target: rast.Node) -> bool:
    """Whether an assignment to this may give an object a class."""
    return rast.bare(rast.function_name(target)) in ("attr", "attributes", "class", "oldClass")


def check_structure(known: Known, name: str, args: list[rast.Arg]) -> None:
    """Refuse ``structure(x, class = "a")`` where the script has methods for the class."""
    for arg in args if rast.bare(name) == "structure" else ():
        if arg.name == "class" and arg.value is not None:
            check_class(known, arg.value)


def check_generic(known: Known, *names: str) -> None:
    """Refuse a function of R for which the script has a method for a class that R's own objects have."""
    for kind in known.methods.keys() & _MADE_HERE:
        for name in known.methods[kind] & set(names):
            raise rast.UntranslatedError(f"{name}(), for which the script has the method {name}.{kind}()")
