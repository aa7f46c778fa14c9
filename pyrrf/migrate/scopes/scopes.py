"""Scopes: the names that a function, or the script, reads and assigns, collected before it is translated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import has_function, may_give
from pyrrf.r.values.packages import FORESTS_OF_CARET

# Operators for which a script may define methods.
_OPERATORS = set("+ - * / ^ == != < <= > >= & | ! %% %/% [ [[ $ [<- [[<- $<- Ops Math Summary".split())


@dataclass(eq=False)
class Scope:
    """The names of a function, or of the script.

    Attributes
    ----------
    params : list of str
    assigned : dict of str to int
        Names that get a value in it, and the place in the text where they first do.
    changed : set of str
        Those of which parts are assigned.
    outer : set of str
        Those that ``<<-`` assigns.
    functions : dict of str to Function or None
        Names that hold a function; None where they hold different ones.
    calm : bool
        Whether a function that is not known, which a variable holds, surely does nothing but give a value.
    first_at_once : bool
        Whether such a function surely uses its first argument before it does anything else.
    code : list of Node
        The code of a script; `escaping` are the names that ``<<-`` assigns somewhere.
    summaries, uses, noted : dict, dict, list
        What was found out about its functions, as `decide.effects` and `decide.uses` have it.
    made_by : dict of str to set of str
        The functions whose values names hold.
    taken : set of str
        Names that hold what another name, a list or one of several pieces of code holds: a function, perhaps.
    defaults : dict of str to Node
        What parameters are that are not given.
    missing : dict of str to str
        Parameters that ``missing()`` asks for, and the names of Python that hold the answer.
    given_later : set of str
        Those of them that may be assigned before.
    used : set of str
        Names that the statements so far have.
    unsure : set of str
        Parameters that may not be given, and have no default.
    refused : set of str
        Those that go no further, since their default was not translated, or a function takes them that may skip them.
    """

    params: list[str] = field(default_factory=list)
    assigned: dict[str, int] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)
    functions: dict[str, rast.Function | None] = field(default_factory=dict)
    made_by: dict[str, set[str]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    calm: bool = False
    first_at_once: bool = False
    code: list[rast.Node] = field(default_factory=list)
    escaping: set[str] = field(default_factory=set)
    summaries: dict[int, Any] | None = None
    uses: dict[Any, Any] = field(default_factory=dict)
    noted: list[Any] | None = None
    defaults: dict[str, rast.Node] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    given_later: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)

    def has(self, name: str) -> bool:
        """Whether a name belongs to it."""
        return name in self.assigned or name in self.params

    def forget(self, calm: bool) -> None:
        """Note whether functions that are not known are calm, and look anew at those that are."""
        self.calm, self.summaries = calm, None
        self.uses.clear()

    def may_hold_function(self, name: str) -> bool:
        """Whether a name of this scope may hold a function, by the calls that gave it values."""
        if name in self.params or name in self.taken or name in self.functions:
            return True
        # Where ``roc <- roc(x)`` runs, a package has the function.
        return any(may_give(maker, "function") for maker in self.made_by.get(name, ()) if maker != name)


class Known:
    """Facts about the names of a script, and the scopes around the current code.

    Parameters
    ----------
    body : list of Node
        The script.

    Attributes
    ----------
    scopes : list of Scope
        That of the script, then those of the functions around, the innermost last.
    changed : set of str
        Names of which parts are assigned somewhere.
    outer : set of str
        Names that ``<<-`` assigns somewhere.
    changing : set of str
        Names that get more than one value.
    formulas : set of str
        Names that hold a formula.
    methods : dict of str to set of str
        Classes for which the script defines methods, each with the functions of R that have them.
    read_outside_loops : set of str
        Variables of loops that are read, or assigned, outside of the loops over them.
    """

    def __init__(self, body: list[rast.Node]) -> None:
        self.scopes = [script_scope(body)]
        self.changed: set[str] = set()
        self.outer: set[str] = set()
        self.changing: set[str] = set()
        self.formulas: set[str] = set()
        self.methods: dict[str, set[str]] = {}
        self.read_outside_loops = read_outside_loops(body)
        self.learn(body)

    def learn(self, body: list[rast.Node]) -> None:
        """Add the names of a script, or of a file that it sources."""
        assigned = [node for node in rast.walk(*body) if isinstance(node, rast.Assign)]
        parts = [node for node in assigned if not isinstance(node.target, rast.Name | rast.Text)]
        self.changed |= {rast.target_name(node.target) for node in parts}
        self.outer |= {rast.target_name(node.target) for node in assigned if node.outer}
        self.scopes[0].code += body
        self.scopes[0].escaping = self.outer
        self.formulas |= {rast.target_name(node.target) for node in assigned if rast.is_formula(node.value)}
        self.changing |= changing_names(body)
        self.methods |= defined_methods(body)

    def source(self, body: list[rast.Node]) -> None:
        """Add the names of a file that the script sources."""
        scope, top = script_scope(body), self.scopes[0]
        top.assigned |= {name: place for name, place in scope.assigned.items() if name not in top.assigned}
        top.functions |= scope.functions
        self.learn(body)
        self.expect_anything()

    def expect_anything(self) -> None:
        """Note that names may hold functions that are not known."""
        self.scopes[0].first_at_once = False
        self.scopes[0].forget(calm=False)

    @property
    def scope(self) -> Scope:
        """The innermost scope."""
        return self.scopes[-1]

    @property
    def around(self) -> tuple[Scope, ...]:
        """The scopes as they are now."""
        return tuple(self.scopes)

    def owner(self, name: str) -> Scope | None:
        """Return the scope that a name belongs to."""
        return next((scope for scope in reversed(self.scopes) if scope.has(name)), None)


def script_scope(body: list[rast.Node]) -> Scope:
    """Return the scope of a script."""
    scope = Scope()
    for node in body:
        _look(node, scope)
    for node in rast.walk(*body):
        if isinstance(node, rast.Function):
            inner = function_scope(node)
            for name in inner.outer:
                scope.assigned.setdefault(name, node.first)
            scope.changed |= inner.outer & inner.changed
    return scope


def function_scope(function: rast.Function) -> Scope:
    """Return the scope of a function."""
    scope = Scope(params=function.words)
    _look(function.body, scope)
    for node in rast.walk(function.body):
        if isinstance(node, rast.Assign) and node.outer and not isinstance(node.target, rast.Name | rast.Text):
            scope.changed |= {rast.target_name(node.target)} & {*scope.params}
    return scope


def _look(node: rast.Node, scope: Scope) -> None:
    if isinstance(node, rast.Function):
        return
    if isinstance(node, rast.Assign):
        _look_at_assignment(node, scope)
    elif isinstance(node, rast.For):
        scope.assigned.setdefault(node.variable, node.first)
    elif isinstance(node, rast.Call) and rast.function_name(node) in ("data", "load"):
        for arg in node.args:
            if arg.name is None and isinstance(arg.value, rast.Name | rast.Text):
                scope.assigned.setdefault(rast.word(arg.value), node.first)
    for child in rast.children(node):
        _look(child, scope)


def _look_at_assignment(node: rast.Assign, scope: Scope) -> None:
    name, value = rast.target_name(node.target), node.value
    if not name:
        return
    whole = isinstance(node.target, rast.Name | rast.Text)
    if not whole:
        scope.changed.add(name)
    if node.outer:
        scope.outer.add(name)
        return
    if whole:
        if isinstance(value, rast.Call):
            scope.made_by.setdefault(name, set()).add(value.function.text)
        elif isinstance(value, rast.Index | rast.Member | rast.If | rast.Block) or (
            isinstance(value, rast.Name) and value.name.rpartition(":")[2] != name
        ):
            scope.taken.add(name)
        function = value if isinstance(value, rast.Function) else None
        other = scope.functions.get(name, function) is not function or (name in scope.assigned and function is None)
        if function is not None or name in scope.functions:
            scope.functions[name] = None if other or name in scope.assigned else function
    scope.assigned.setdefault(name, node.first)


def changing_names(body: list[rast.Node]) -> set[str]:
    """Return the names that get more than one value somewhere in a script: assigned twice, by ``<<-``, or in a loop."""
    counts: dict[str, int] = {}
    for statement in body:
        _count(statement, counts, 1)
    return {name for name, times in counts.items() if times > 1}


def _count(node: rast.Node, counts: dict[str, int], times: int) -> None:
    if isinstance(node, rast.Assign):
        name = rast.target_name(node.target)
        counts[name] = counts.get(name, 0) + times + node.outer
    elif isinstance(node, rast.For):
        counts[node.variable] = 2
    elif isinstance(node, rast.Function):
        for name in node.words:
            counts[name] = counts.get(name, 0) or 1
    times = 2 if isinstance(node, rast.For | rast.While) else times
    for child in rast.children(node):
        _count(child, counts, times)


def asked_for(node: rast.Function) -> set[str]:
    """Return the parameters that ``missing()`` asks for."""
    calls = [n for n in rast.walk(node.body) if isinstance(n, rast.Call) and len(n.args) == 1]
    asked = [rast.first_value(n) for n in calls if n.function.text == "missing"]
    return {value.name for value in asked if isinstance(value, rast.Name)}


_GROWING = ("RRF", "randomForest", "tuneRRF", "tuneRF")
# Functions that neither return an argument nor keep the call.
_USING = frozenset(
    """predict importance varImpPlot plot getTree varUsed treesize margin outlier MDSplot partialPlot varImp names class
    inherits length is.null rm""".split()
)


@dataclass
class Fits:
    """The forests of a script.

    Attributes
    ----------
    hidden : set of int
        The `id` of each call that grows one of which the script never shows the call.
    calls : dict of str to list of Call
        What grows those that a name may hold.
    """

    hidden: set[int]
    calls: dict[str, list[rast.Call]]


def grown_forests(body: list[rast.Node]) -> Fits:
    """Return the forests that a script grows, and whether it shows their calls."""
    seen = {node.name for node in body if isinstance(node, rast.Name)}
    grown: list[tuple[str, rast.Call]] = []
    for node in rast.walk(*body):
        for child in rast.children(node):
            hidden = _hides(node, child)
            if isinstance(child, rast.Call) and rast.bare(rast.function_name(child)) in _GROWING:
                name = rast.word(node.target) if isinstance(node, rast.Assign) else "." if hidden else ""
                grown += [(name, child)] if name else []
            elif not hidden:
                seen.add(rast.target_name(child.target) if isinstance(child, rast.Assign) else rast.word(child))
        last = rast.last_values(node.body) if isinstance(node, rast.Function) else []
        seen |= {rast.target_name(value.target) for value in last if isinstance(value, rast.Assign)}
    calls: dict[str, list[rast.Call]] = {}
    for name, call in grown:
        calls.setdefault(name, []).append(call)
    return Fits({id(call) for name, call in grown if name not in seen}, calls)


def grows_forest(node: rast.Node) -> bool:
    """Whether code grows a forest."""
    return any(_calls_forest(inner) for inner in rast.walk(node) if isinstance(inner, rast.Call))


def _calls_forest(node: rast.Call) -> bool:
    name = rast.bare(rast.function_name(node))
    return name in _GROWING or (name == "train" and method_of(node) in FORESTS_OF_CARET)


def method_of(node: rast.Call) -> str:
    """Return the method of a call of caret's `train`; nothing where it is computed."""
    given = next((arg.value for arg in node.args if arg.name == "method"), None)
    if given is None:
        return "rf"
    return given.value if isinstance(given, rast.Text) else ""


def _hides(node: rast.Node, child: rast.Node) -> bool:
    """Whether the call of a fit is not seen where a piece of code holds it."""
    if isinstance(node, rast.Assign):
        return child is node.target
    if isinstance(node, rast.Member):
        return not node.name.startswith("ca")
    if isinstance(node, rast.Call):
        return child is node.function or rast.bare(rast.function_name(node)) in _USING
    return isinstance(node, rast.Block | rast.If | rast.For | rast.While) and isinstance(child, rast.Assign)


def read_outside_loops(body: list[rast.Node]) -> set[str]:
    """Return the variables of loops that are read, or assigned, outside of the loops over them."""
    nodes = rast.walk(*body)
    loops = [node.variable for node in nodes if isinstance(node, rast.For)]
    variables = {*loops}
    names = variables & {n.target.name for n in nodes if isinstance(n, rast.Assign) and isinstance(n.target, rast.Name)}
    names |= {name for name in variables if loops.count(name) > 1}
    for statement in body:
        _reads(statement, variables, names)
    return names


def _reads(node: rast.Node, variables: set[str], names: set[str]) -> None:
    if isinstance(node, rast.Name) and node.name in variables:
        names.add(node.name)
    if isinstance(node, rast.For):
        _reads(node.sequence, variables, names)
        _reads(node.body, variables - {node.variable}, names)
        return
    if isinstance(node, rast.Function):
        variables = variables - {*node.words}
    if isinstance(node, rast.Assign) and isinstance(node.target, rast.Name):
        _reads(node.value, variables, names)
        return
    for child in rast.children(node):
        _reads(child, variables, names)


def only_expression(body: rast.Node) -> rast.Node | None:
    """Return the one expression that a body is, None if it is more."""
    while isinstance(body, rast.Block) and len(body.body) == 1:
        body = body.body[0]
    if isinstance(body, rast.Call) and rast.function_name(body) == "return":
        inner = rast.first_value(body) if len(body.args) == 1 else None
        return None if inner is None else only_expression(inner)
    return None if isinstance(body, rast.Block | rast.For | rast.While | rast.Jump | rast.Assign) else body


def has_statements(node: rast.Node) -> bool:
    """Whether an expression needs a statement in Python."""
    if isinstance(node, rast.Function):
        return only_expression(node.body) is None
    if isinstance(node, rast.Assign | rast.For | rast.While | rast.Jump):
        return True
    if (isinstance(node, rast.Block) and len(node.body) > 1) or rast.function_name(node) in ("return", "missing"):
        return True
    if isinstance(node, rast.If) and node.otherwise is None:
        return False
    return any(map(has_statements, rast.children(node)))


def defined_methods(body: list[rast.Node]) -> dict[str, set[str]]:
    """Return the classes for which a script defines methods, each with the functions of R that have them."""
    methods: dict[str, set[str]] = {}
    for node in rast.walk(*body):
        name = rast.word(node.target) if isinstance(node, rast.Assign) else ""
        if not isinstance(node, rast.Assign) or not isinstance(node.value, rast.Function) or has_function(name):
            continue
        for index, letter in enumerate(name):
            generic, kind = name[:index], name[index + 1 :]
            if letter == "." and kind and (generic in _OPERATORS or has_function(generic)):
                methods.setdefault(kind, set()).add(generic)
    return methods
