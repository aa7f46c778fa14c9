"""Which parameters the body of a function surely uses, in what order, before it does anything else."""

from __future__ import annotations

from collections.abc import Callable

from pyrrf.migrate.effects import Scopes, acts, call_name, called, found_in, has_effect
from pyrrf.migrate.library import facts, has_function
from pyrrf.migrate.scopes import function_scope, names_in, target_name
from pyrrf.migrate.tree import (
    Assign,
    Binary,
    Call,
    For,
    Function,
    If,
    Index,
    Jump,
    Member,
    Name,
    Node,
    While,
    children,
)


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
    found : list of str
        The names that are surely used, in order, before anything draws, prints, assigns to outside or returns.
    """

    def __init__(self, scopes: Scopes, asked: set[str], defaults: dict[str, Node] | None = None) -> None:
        self.scopes, self.asked, self.defaults = scopes, asked, defaults or {}
        self.found: list[str] = []
        self.inside: frozenset[int] = frozenset()

    def walk(self, node: Node) -> bool:
        """Go through a piece of code; whether it is sure what comes behind it."""
        return _STEPS.get(type(node), Uses._parts)(self, node)

    def _all(self, nodes: list[Node]) -> bool:
        return all(self.walk(node) for node in nodes)

    def _parts(self, node: Node) -> bool:
        return self._all(children(node))

    def _member(self, node: Member) -> bool:
        return self.walk(node.of)

    def _name(self, node: Name) -> bool:
        if node.name in self.asked and node.name not in self.found:
            self.found.append(node.name)
        default = self.defaults.pop(node.name, None)
        if default is None:
            return True
        return not has_effect(self.scopes, default) and self.walk(default)

    def _function(self, node: Function) -> bool:
        return True

    def _jump(self, node: Jump) -> bool:
        return False

    def _assign(self, node: Assign) -> bool:
        if not self.walk(node.value) or node.outer:
            return False
        if isinstance(node.target, Name):
            return node.target.name not in self.asked - {*self.found}
        name = target_name(node.target)
        return not self._may_use(node.target) and name is not None and not _replaced(self.scopes, node.target)

    def _if(self, node: If) -> bool:
        if not self.walk(node.condition):
            return False
        sides = [self._aside(node.then), self._aside(node.otherwise)]
        (sure, used), (other_sure, other) = sides
        for left, right in zip(used, other, strict=False):
            if left != right:
                break
            self.found.append(left)
        return sure and other_sure and used == other

    def _aside(self, node: Node | None) -> tuple[bool, list[str]]:
        """Return how a piece that may run comes out, and what it uses."""
        if node is None:
            return True, []
        kept, defaults = list(self.found), dict(self.defaults)
        sure = self.walk(node)
        used, self.found = self.found[len(kept) :], kept
        if len(self.defaults) < len(defaults):
            sure, self.defaults = False, defaults
        return sure, used

    def _optional(self, node: Node | None) -> bool:
        """Go through what may not run, or more than once: it is sure only if it neither uses nor does anything."""
        sure, used = self._aside(node)
        return sure and not used

    def _for(self, node: For) -> bool:
        if isinstance(node.sequence, Binary) and node.sequence.operator == ":":
            # One turn is sure.
            return self.walk(node.sequence) and node.variable not in self.asked and self.walk(node.body) and False
        return self.walk(node.sequence) and node.variable not in self.asked and self._optional(node.body)

    def _while(self, node: While) -> bool:
        if node.condition is None:
            self.walk(node.body)
            return False
        return self.walk(node.condition) and self._optional(node.body)

    def _binary(self, node: Binary) -> bool:
        if node.operator == "~":
            return not self._may_use(node)
        if node.operator in ("&&", "||"):
            return self.walk(node.left) and self._optional(node.right)
        if node.operator.startswith("%") and found_in(self.scopes, node.operator) is not None:
            return not self._may_use(node) and not acts(self.scopes, node)
        return self.walk(node.left) and self.walk(node.right)

    def _may_use(self, node: Node) -> bool:
        return bool(names_in(node) & (self.asked - {*self.found} | self.defaults.keys()))

    # ---- calls -----------------------------------------------------------------------------------

    def _call(self, node: Call) -> bool:
        name = call_name(node)
        values = [arg.value for arg in node.args if arg.value is not None]
        if name == "return":
            self._all(values)
            return False
        if name in ("missing", "quote"):
            return True
        found = called(self.scopes, node)
        if found is not None or not name:
            return self._own(node, found)
        if facts(name).chooses:
            return self._all(values[:1]) and all(self._optional(value) for value in values[1:])
        return self._arguments(name, node, values) and not acts(self.scopes, node)

    def _arguments(self, name: str, node: Call, values: list[Node]) -> bool:
        """Go through the arguments of a function of R."""
        special = facts(name).evaluates or facts(name).may_skip
        using = [value for value in values if self._may_use(value)]
        if not using:
            return self._all(values)
        if special or not (has_function(name) or name in ("(", "invisible")):
            return False
        inner = [value for value in using if isinstance(value, Function)]
        late = facts(name).repeats and any(value is not values[0] for value in using)
        if inner or late or (len(using) > 1 and not facts(name).in_order):
            if facts(name).repeats:
                self.walk(values[0])
            return False
        return self._all(values)

    def _own(self, node: Call, found: tuple[Scopes, Function | None] | None) -> bool:
        """Go through the arguments of a function of the script in the order in which it surely uses them."""
        function = None if found is None else found[1]
        given = None if function is None else _places(function, node)
        if function is None and self._stranger(node, found):
            return self.walk(node.args[0].value or node) and self.scopes[0].calm
        if found is None or function is None or given is None or id(function) in self.inside:
            return not self._may_use(node) and found is not None and not acts(self.scopes, node)
        inner = Uses((*found[0], function_scope(function)), set(given), _defaults(function, set(given)))
        inner.inside = self.inside | {id(function)}
        sure = inner.walk(function.body)
        for param in inner.found:
            if not self.walk(given[param]):
                return False
        rest = [value for param, value in given.items() if param not in inner.found]
        return (sure or not acts(self.scopes, node)) and not any(
            self._may_use(value) or has_effect(self.scopes, value) for value in rest
        )

    def _stranger(self, node: Call, found: tuple[Scopes, Function | None] | None) -> bool:
        """Whether a function that is not known takes one argument, which it uses at once."""
        plain = found is None or not has_function(call_name(node))
        return plain and self.scopes[0].first_at_once and len(node.args) == 1 and node.args[0].name is None


_STEPS: dict[type[Node], Callable[..., bool]] = {
    Name: Uses._name, Function: Uses._function, Jump: Uses._jump, Assign: Uses._assign, If: Uses._if, For: Uses._for,
    While: Uses._while, Binary: Uses._binary, Call: Uses._call, Member: Uses._member,
}  # fmt: skip


def _replaced(scopes: Scopes, target: Node) -> bool:
    """Whether a function of the script, or one that acts, stands in what is assigned to."""
    while isinstance(target, Index | Member | Call):
        inner = target.args if isinstance(target, Index | Call) else []
        if any(arg.value is not None and has_effect(scopes, arg.value) for arg in inner):
            return True
        if isinstance(target, Call) and found_in(scopes, f"{call_name(target)}<-") is not None:
            return True
        target = target.of if isinstance(target, Index | Member) else target.args[0].value or Name(0, 0, "", "")
    return False


def _defaults(function: Function, given: set[str]) -> dict[str, Node]:
    return {p.name or "": p.value for p in function.params if p.value is not None and p.name not in given}


def _places(function: Function, node: Call) -> dict[str, Node] | None:
    """Return the arguments of a call by parameter; None where dots or parts of names make that less plain."""
    words = [param.name or "" for param in function.params]
    given: dict[str, Node] = {}
    bare: list[Node] = []
    for arg in node.args:
        if arg.value is None or (arg.name is not None and arg.name not in words) or "..." in words:
            return None
        if arg.name is None:
            bare.append(arg.value)
        else:
            given[arg.name] = arg.value
    free = [word for word in words if word not in given]
    if len(bare) > len(free) or any(isinstance(value, Name) and value.name == "..." for value in bare):
        return None
    return {**given, **dict(zip(free, bare, strict=False))}


def sure_uses(scopes: Scopes, function: Function, asked: set[str], given: set[str]) -> list[str]:
    """Return the parameters among those asked for that a function surely uses before it does anything else, in order.

    Parameters
    ----------
    scopes : tuple of Scope
        Where the function is defined.
    given : set of str
        The parameters that the call gives.
    """
    uses = Uses((*scopes, function_scope(function)), asked, _defaults(function, given))
    uses.walk(function.body)
    return uses.found
