"""Order in which the body of a function uses its parameters, as far as it is sure."""

from __future__ import annotations

from collections.abc import Callable

from pyrrf.migrate.decide.effects import Scopes, acts, call_name, find_callee, find_name, has_effect
from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import bind_own, facts, has_function, parameters
from pyrrf.migrate.scopes.scopes import function_scope


class Uses:
    """A walk through code in the order in which R evaluates it, as far as that is sure.

    Parameters
    ----------
    scopes : tuple of Scope
    asked : set of str
        The names whose use is noted.
    defaults : dict of str to Node
        Parameters that are not given, and what they are then.

    Attributes
    ----------
    used : list of str
        The names that are surely used, in order, before anything draws, prints, assigns to outside or returns.
    """

    def __init__(self, scopes: Scopes, asked: set[str], defaults: dict[str, rast.Node] | None = None) -> None:
        self.scopes, self.asked, self.defaults = scopes, asked, defaults or {}
        self.used: list[str] = []
        self.inside: frozenset[int] = frozenset()
        self.cut = False

    def walk(self, node: rast.Node) -> bool:
        """Go through a piece of code; return whether the code behind it runs for sure."""
        return _STEPS.get(type(node), Uses._parts)(self, node)

    def _all(self, nodes: list[rast.Node]) -> bool:
        return all(self.walk(node) for node in nodes)

    def _parts(self, node: rast.Node) -> bool:
        return self._all(rast.children(node))

    def _member(self, node: rast.Member) -> bool:
        return self.walk(node.of)

    def _name(self, node: rast.Name) -> bool:
        if node.name in self.asked and node.name not in self.used:
            self.used.append(node.name)
        default = self.defaults.pop(node.name, None)
        if default is None:
            return True
        return not has_effect(self.scopes, default) and self.walk(default)

    def _function(self, node: rast.Function) -> bool:
        return True

    def _jump(self, node: rast.Jump) -> bool:
        return False

    def _assign(self, node: rast.Assign) -> bool:
        if not self.walk(node.value) or node.outer:
            return False
        if isinstance(node.target, rast.Name):
            return node.target.name not in self.asked - {*self.used}
        name = rast.target_name(node.target)
        return not self._may_use(node.target) and name is not None and not _target_acts(self.scopes, node.target)

    def _if(self, node: rast.If) -> bool:
        if not self.walk(node.condition):
            return False
        sides = [self._aside(node.then), self._aside(node.otherwise)]
        (sure, used), (other_sure, other) = sides
        for left, right in zip(used, other, strict=False):
            if left != right:
                break
            self.used.append(left)
        return sure and other_sure and used == other

    def _aside(self, node: rast.Node | None) -> tuple[bool, list[str]]:
        """Go through a piece that may not run; return whether the code behind it is sure, and the names used."""
        if node is None:
            return True, []
        kept, defaults = list(self.used), dict(self.defaults)
        sure = self.walk(node)
        used, self.used = self.used[len(kept) :], kept
        if len(self.defaults) < len(defaults):
            sure, self.defaults = False, defaults
        return sure, used

    def _optional(self, node: rast.Node | None) -> bool:
        """Go through code that may not run, or run again: it is sure only if it neither uses nor does anything."""
        sure, used = self._aside(node)
        return sure and not used

    def _for(self, node: rast.For) -> bool:
        if isinstance(node.sequence, rast.Binary) and node.sequence.operator == ":":
            # One turn is sure.
            return self.walk(node.sequence) and node.variable not in self.asked and self.walk(node.body) and False
        return self.walk(node.sequence) and node.variable not in self.asked and self._optional(node.body)

    def _while(self, node: rast.While) -> bool:
        if node.condition is None:
            self.walk(node.body)
            return False
        return self.walk(node.condition) and self._optional(node.body)

    def _binary(self, node: rast.Binary) -> bool:
        if rast.is_formula(node):
            return not self._may_use(node)
        if node.operator in ("&&", "||"):
            return self.walk(node.left) and self._optional(node.right)
        if node.operator.startswith("%") and find_name(self.scopes, node.operator) is not None:
            return not self._may_use(node) and not acts(self.scopes, node)
        return self.walk(node.left) and self.walk(node.right)

    def _may_use(self, node: rast.Node) -> bool:
        return bool(rast.names_in(node) & (self.asked - {*self.used} | self.defaults.keys()))

    # ---- calls -----------------------------------------------------------------------------------

    def _call(self, node: rast.Call) -> bool:
        name = call_name(node)
        values = rast.values(node.args)
        if name == "return":
            self._all(values)
            return False
        if name in ("missing", "quote"):
            return True
        callee = find_callee(self.scopes, node)
        if callee is not None or not name:
            return self._own(node, callee)
        return self._arguments(name, node, values) and not acts(self.scopes, node)

    def _arguments(self, name: str, node: rast.Call, values: list[rast.Node]) -> bool:
        """Go through the arguments of a function of R."""
        told = facts(name)
        using = [value for value in values if self._may_use(value)]
        if not using:
            return self._all(values)
        if told.may_skip:
            first = next(iter(parameters(name)))
            named = [arg.name for arg in node.args if arg.name is not None and first.startswith(arg.name)]
            sure = first not in told.may_skip and node.args[0].name is None and not named
            return sure and self._all(values[:1]) and all(map(self._optional, values[1:]))
        if told.evaluates or not (has_function(name) or name == "("):
            return False
        inner = [value for value in using if isinstance(value, rast.Function)]
        late = told.repeats and any(value is not values[0] for value in using)
        if inner or late or (len(using) > 1 and not told.in_order):
            if told.repeats:
                self.walk(values[0])
            return False
        return self._all(values)

    def _own(self, node: rast.Call, callee: tuple[Scopes, rast.Function | None] | None) -> bool:
        """Go through the arguments of a function of the script in the order in which it surely uses them."""
        function = None if callee is None else callee[1]
        given = None if function is None else _places(function, node)
        if function is None and self._stranger(node, callee):
            return self.walk(node.args[0].value or node) and self.scopes[0].calm
        if callee is None or function is None or given is None or id(function) in self.inside:
            self.cut = self.cut or (function is not None and id(function) in self.inside)
            return not self._may_use(node) and callee is not None and not acts(self.scopes, node)
        used, sure = self._used_by(callee[0], function, frozenset(given))
        for param in used:
            if not self.walk(given[param]):
                return False
        rest = [value for param, value in given.items() if param not in used]
        return (sure or not acts(self.scopes, node)) and not any(
            self._may_use(value) or has_effect(self.scopes, value) for value in rest
        )

    def _used_by(self, place: Scopes, function: rast.Function, given: frozenset[str]) -> tuple[list[str], bool]:
        """Return the arguments that a function surely uses, in order, and whether all that it does is sure."""
        memory, key = self.scopes[0].uses, (id(function), given)
        if key in memory:
            used, certain = memory[key]
            return used, certain
        inner = Uses((*place, function_scope(function)), {*given}, _defaults(function, {*given}))
        inner.inside = self.inside | {id(function)}
        sure = inner.walk(function.body)
        if not inner.cut:  # otherwise what was found depends on where the walk began
            memory[key] = inner.used, sure
        self.cut = self.cut or inner.cut
        return inner.used, sure

    def _stranger(self, node: rast.Call, callee: tuple[Scopes, rast.Function | None] | None) -> bool:
        """Whether a function that is not known takes one argument, which it uses at once."""
        plain = callee is None or not has_function(call_name(node))
        return plain and self.scopes[0].first_at_once and len(node.args) == 1 and node.args[0].name is None


_STEPS: dict[type[rast.Node], Callable[..., bool]] = {
    rast.Name: Uses._name,
    rast.Function: Uses._function,
    rast.Jump: Uses._jump,
    rast.Assign: Uses._assign,
    rast.If: Uses._if,
    rast.For: Uses._for,
    rast.While: Uses._while,
    rast.Binary: Uses._binary,
    rast.Call: Uses._call,
    rast.Member: Uses._member,
}


def _target_acts(scopes: Scopes, target: rast.Node) -> bool:
    """Whether an assignment to a target calls a function of the script, or one with side effects."""
    for piece in rast.targets(target):
        inner = [] if isinstance(piece, rast.Member) else rast.values(piece.args)
        if any(has_effect(scopes, value) for value in inner):
            return True
        if isinstance(piece, rast.Call) and find_name(scopes, f"{call_name(piece)}<-") is not None:
            return True
    return False


def _defaults(function: rast.Function, given: set[str]) -> dict[str, rast.Node]:
    return {name: value for name, value in function.defaults.items() if name not in given}


def _places(function: rast.Function, node: rast.Call) -> dict[str, rast.Node] | None:
    """Return the arguments of a call by parameter; None where dots or abbreviated names make the match uncertain."""
    words = function.words
    if "..." in words or any(arg.name is not None and arg.name not in words for arg in node.args):
        return None
    try:
        bound = bind_own("", function, node.args)
    except rast.UntranslatedError:
        return None
    return None if bound.spread else bound.given


def sure_uses(scopes: Scopes, function: rast.Function, asked: set[str], given: set[str]) -> list[str]:
    """Return the parameters, of those asked for, that a function surely uses before anything else, in order.

    Parameters
    ----------
    scopes : tuple of Scope
        Where the function is defined.
    given : set of str
        The parameters that the call gives.
    """
    uses = Uses((*scopes, function_scope(function)), asked, _defaults(function, given))
    uses.walk(function.body)
    return uses.used


# ---- what happens first to a name ------------------------------------------------------------------


def flow(node: rast.Node, name: str) -> str:
    """Return the first use of a name: "read", "set" or "" if nothing is sure."""
    if isinstance(node, rast.Function):
        return ""
    if isinstance(node, rast.Name):
        return "read" if node.name == name else ""
    if isinstance(node, rast.Assign):
        return _flow_of_assignment(node, name)
    if isinstance(node, rast.If):
        return _flow_of_choice(node, name)
    if isinstance(node, rast.For):
        first = flow(node.sequence, name) or ("set" if node.variable == name else "")
        return first or _only_read(node.body, name)
    if isinstance(node, rast.While):
        return "read" if any(_only_read(child, name) for child in rast.children(node)) else ""
    return next((use for use in (flow(child, name) for child in rast.children(node)) if use), "")


def _only_read(node: rast.Node, name: str) -> str:
    """Return "read" if code that may not run reads a name first."""
    return "read" if flow(node, name) == "read" else ""


def _flow_of_assignment(node: rast.Assign, name: str) -> str:
    first = flow(node.value, name)
    if first:
        return first
    if isinstance(node.target, rast.Name):
        return "set" if node.target.name == name and not node.outer else ""
    return "read" if name in rast.names_in(node.target) else ""


def _flow_of_choice(node: rast.If, name: str) -> str:
    first = flow(node.condition, name)
    branches = [flow(node.then, name), "" if node.otherwise is None else flow(node.otherwise, name)]
    if first or "read" in branches:
        return first or "read"
    return "set" if branches == ["set", "set"] else ""
