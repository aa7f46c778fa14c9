"""State of a translation: its names, the lines written, the parts that stay R."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from pyrrf.migrate.parse import rast
from pyrrf.migrate.parse.sourcing import Sources
from pyrrf.migrate.scopes.library import CALM, function_of, has_function
from pyrrf.migrate.scopes.names import Names
from pyrrf.migrate.scopes.scopes import Known, Scope, grown_forests, grows_forest
from pyrrf.migrate.scopes.search import Search, packages_in
from pyrrf.migrate.write.lines import Code, Comment, Line, assignment, call, code_of_r, constant
from pyrrf.r.values.packages import INSTALLED


@dataclass(frozen=True)
class LeftOver:
    """A piece of the script that stays R.

    Attributes
    ----------
    first, last : int
        Its lines.
    reason : str
    code : str
    grows : bool
        Whether it grows a forest.
    """

    first: int
    last: int
    reason: str
    code: str
    grows: bool = False


class Context(Known):
    """A script that is being translated.

    Parameters
    ----------
    script : Script
    sources : Sources
        Where the files are that it sources.
    steps : mapping of str to callable
        How pieces of R are translated: each is a method of the context, by which modules below know it.

    Attributes
    ----------
    lines : list of Line
        The Python so far.
    left : list of LeftOver
        What stays R.
    depth : int
        How deep the line that is written stands.
    place : tuple of int
        The lines of R that it stands for; `fixed_place` in a file that is sourced.
    prints : bool
        Whether values that stand alone are printed: not in a file that is sourced.
    masks : list of str
        Names of Python for the tables among whose columns an expression is evaluated, the innermost last.
    in_lambda : int
        In how many functions of one expression it stands.
    blocks : int
        In how many functions that are written for what is evaluated later.
    loops : list of int
        For each loop around, how many of these are around it.
    done, begun : set of str
        Names that the script has surely assigned so far; those that it may have.
    attached, datasets : list, set of str
        Tables that are attached; data sets that are used.
    attached_by_r : bool
        Whether R has attached a table.
    loads : bool
        Whether the script has loaded files, whose names are not known.
    search : Search
        The packages that are attached.
    fits : Fits
        The forests of the script.
    with_r, charts_by_r : bool
        Whether R computes what is not translated, when the file runs; and whether it draws all charts.
    fits_by_r, from_r : set of str
        Fits of caret's ``train`` that R makes, since it needs them; names that what R computes is assigned to.
    held_functions : set of str
        The script's functions of which R computes the whole; `functions_of_script` has all, by name: of two the one
        that was assigned last.
    """

    read: Callable[[rast.Node], ast.expr]
    """An expression, which may be a literal of Python."""
    value: Callable[[rast.Node], ast.expr]
    """An expression whose value is one of R, no literal."""
    held_value: Callable[..., ast.expr]
    """A value that a name is to hold: a copy where that matters."""
    function: Callable[[rast.Function], ast.expr]
    """A function without a name."""
    write_function: Callable[[str, rast.Function], None]
    """Write a function under a name of Python."""
    run: Callable[[rast.Node], None]
    """Move a statement, or those in braces."""
    run_to: Callable[[rast.Node, str], None]
    """Move statements whose value is returned, shown, dropped or assigned."""
    give_to_r: Callable[[rast.Node, str, str], None]
    """Write a statement as one that R computes."""

    def __init__(
        self,
        script: rast.Script,
        sources: Sources,
        steps: Mapping[str, Callable[..., object]],
        with_r: bool = False,
        charts_by_r: bool = False,
        fits_by_r: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(script.body)
        self.with_r, self.charts_by_r, self.fits_by_r = with_r, charts_by_r, fits_by_r
        for word, step in steps.items():
            setattr(self, word, partial(step, self))
        self.script = script
        self.sources = sources
        whole = sources.expand_sources(script.body)
        self.search = Search(whole)
        self.fits = grown_forests(whole)
        self.names = Names()
        self.lines: list[Line] = []
        self.left: list[LeftOver] = []
        self.depth = 0
        self.place = (0, 0)
        self.prints = True
        self.fixed_place: tuple[int, int] | None = None
        self.masks: list[str] = []
        self.in_lambda = 0
        self.blocks = 0
        self.loops: list[int] = []
        self.done: set[str] = set()
        self.begun: set[str] = set()
        self.attached: list[str] = []
        self.attached_by_r = False
        self.datasets: set[str] = set()
        self.loads = False
        self.held_functions: set[str] = set()
        self.from_r: set[str] = set()
        self.functions_of_script = {
            rast.target_name(node.target): node.value
            for node in reversed(rast.walk(*script.body))
            if isinstance(node, rast.Assign) and isinstance(node.value, rast.Function)
        }

    # ---- names -----------------------------------------------------------------------------------

    @property
    def at_top(self) -> bool:
        """Whether this is the top level of the script."""
        return len(self.scopes) == 1

    @property
    def surely_runs(self) -> bool:
        """Whether this is the top level, and in no loop or choice."""
        return self.at_top and not self.depth

    def waits(self, name: str) -> bool:
        """Whether a name belongs to the script, which may not have assigned it where this statement stands."""
        return self.owner(name) is self.scopes[0] and name not in self.done

    def surely_waits(self, name: str) -> bool:
        """Whether a name is one of R where this statement runs: the script assigns it later."""
        return self.surely_runs and self.waits(name) and name not in self.begun

    def unsure_scope(self, node: rast.Node) -> Scope | None:
        """Return the scope of a name, if that is a parameter which may not be given."""
        owner = self.owner(node.name) if isinstance(node, rast.Name) else None
        return owner if owner is not None and rast.word(node) in owner.unsure else None

    def name(self, name: str) -> ast.expr:
        """Return a name of the script."""
        return ast.Name(self.names[name], ast.Load())

    # ---- lines -----------------------------------------------------------------------------------

    def emit(self, code: Code | ast.expr) -> None:
        """Write a line."""
        statement = ast.Expr(code) if isinstance(code, ast.expr) else code
        self.lines.append(Line(self.depth, statement, *self.place))

    def set(self, name: str, value: ast.expr) -> None:
        """Write an assignment to a name of R."""
        self.put(name, value)
        self.note_given(name)

    def put(self, name: str, value: ast.expr) -> None:
        """Write the assignment of a value that the script does not assign."""
        self.emit(assignment(self.names[name], value))
        self.begun |= {name} if self.at_top else set()
        self.done |= {name} if self.surely_runs else set()

    def note_given(self, name: str) -> None:
        """Write that a parameter that was assigned is not missing, where ``missing()`` asks for that later."""
        if name in self.scope.given_later:
            self.emit(assignment(self.scope.missing[name], constant(False)))

    @contextmanager
    def inner(self) -> Iterator[None]:
        """Write lines one step deeper."""
        self.depth += 1
        before = len(self.lines)
        try:
            with self.search.inside():
                yield
            if all(isinstance(line.code, Comment) for line in self.lines[before:]):
                self.emit(ast.Pass())
        finally:
            self.depth -= 1

    @contextmanager
    def evaluated_later(self, *masks: str) -> Iterator[None]:
        """Be inside of a function of one expression, among the columns of some tables."""
        self.in_lambda += 1
        self.masks += masks
        try:
            with self.search.inside():
                yield
        finally:
            self.in_lambda -= 1
            del self.masks[len(self.masks) - len(masks) :]

    # ---- what stays R ----------------------------------------------------------------------------

    def attempt(self, node: rast.Node, work: Callable[[], None], to: str = "") -> None:
        """Move a statement; where that cannot be done, leave it as R with the reason.

        Parameters
        ----------
        node : Node
        work : callable
        to : {"return", "show", ""} or a name behind "="
            What becomes of the value of the statement.
        """
        before, place, depth, scopes = len(self.lines), self.place, self.depth, len(self.scopes)
        left, masks, lambdas, loops = len(self.left), len(self.masks), self.in_lambda, list(self.loops)
        self.place = self.fixed_place or (node.first, node.last)
        try:
            if self.with_r:
                self.check_for_r(node)
            work()
        except rast.UntranslatedError as error:
            reason = str(error)
        except RecursionError:
            reason = "it is nested too deeply"
        else:
            self.place = place
            self.search.pass_by(node, left=len(self.left) > left)
            return
        del self.lines[before:], self.left[left:], self.scopes[scopes:], self.masks[masks:]
        self.depth, self.in_lambda, self.loops, self.place = depth, lambdas, loops, place
        if self.at_top and self.loops and leaves_loop(node):
            raise rast.UntranslatedError(reason)  # a loop that is not left, or not gone on with, is another one
        self.place = self.fixed_place or (node.first, node.last)
        self.leave(node, reason, to)
        self.search.pass_by(node, left=True)
        self.place = place

    def check_for_r(self, node: rast.Node) -> None:
        """Refuse a statement that only R can compute.

        It draws where R draws others, or calls a function which R computes, and which uses variables of the script.
        """
        compound = isinstance(node, rast.For | rast.While | rast.If | rast.Block) or rast.defines(node)
        if self.charts_by_r and not compound and draws_chart(node):
            raise rast.UntranslatedError("R draws the charts")
        if not compound:
            self._check_fits(node)
        for name in [] if compound else filter(has_function, map(rast.function_name, rast.walk(node))):
            if hasattr(function_of(name), "refuses") and self.owner(name) is None:
                raise rast.UntranslatedError(f"{name}() is not supported")
        if not self.at_top:
            return
        if self.surely_runs and not rast.defines(node):
            self._check_names_of_functions(node)
        for name in sorted(rast.names_in(node) & self.held_functions - {*rast.assigned_names(node)}):
            function = self.functions_of_script[name]
            of_script = self.scopes[0].assigned.keys() & (rast.names_in(function.body) - {*function.words} - {name})
            if of_script or any(rast.function_name(inner) == "UseMethod" for inner in rast.walk(function.body)):
                raise rast.UntranslatedError(f"{name}(), which R computes")

    def _check_names_of_functions(self, node: rast.Node) -> None:
        """Refuse calls of functions that name a variable assigned later: R finds another object, or stops."""
        used, called = rast.names_in(node), dict[str, rast.Function]()
        while new := used & self.functions_of_script.keys() - called.keys():
            called |= {name: self.functions_of_script[name] for name in new}
            used = set().union(*(rast.free_names(called[name]) for name in new))
        if any(map(grows_forest, called.values())):
            return
        for name, function in called.items():
            for late in sorted(rast.free_names(function) & self.scopes[0].assigned.keys() - self.begun):
                raise rast.UntranslatedError(f"{name}() uses {late}, which has no value yet")

    def _check_fits(self, node: rast.Node) -> None:
        """Refuse calls that only R can show, with the names in them, and those that need a fit of caret's `train`."""
        for inner in rast.walk(node):
            name = rast.bare(rast.function_name(inner)) if isinstance(inner, rast.Call) else ""
            if name == "summary" and isinstance(inner, rast.Call) and rast.word(rast.first_value(inner)) in self.from_r:
                raise rast.UntranslatedError("summary() of what R has computed")
            if name == "train" and isinstance(node, rast.Assign) and rast.target_name(node.target) in self.fits_by_r:
                raise rast.UntranslatedError("train(), of which R needs the fit")

    def leave(self, node: rast.Node, reason: str, to: str = "") -> None:
        """Let R compute a statement, if there is R, or keep it as a comment."""
        if self.with_r and not isinstance(node, rast.Damaged):
            self.give_to_r(node, reason, to)
        else:
            self._keep_as_comment(node, reason, to)
            self._note_packages(node)
        self.left.append(LeftOver(node.first, node.last, reason, node.text, grows_forest(node)))

    def _note_packages(self, node: rast.Node) -> None:
        """Write the packages that R may have attached where a statement is left."""
        for package in packages_in(node, self.search.texts) if self.at_top else []:
            if package is not None and package not in INSTALLED:
                self.emit(call("r.unsure", constant(package)))

    def _keep_as_comment(self, node: rast.Node, reason: str, to: str) -> None:
        """Write a statement as a comment; the names that it would have assigned hold the reason."""
        also = to[1:] if to.startswith("=") else ""
        more = "; if it draws random numbers, what follows draws others than in R" if _may_draw(node) else ""
        self.emit(Comment(f"not translated: {reason}{more}"))
        for comment in code_of_r(node.text):
            self.emit(comment)
        for name in dict.fromkeys([*rast.assigned_names(node), *([also] if also else [])]):
            if self.at_top or name in self.outer:  # Python wants to see that a name is there
                self.set(name, call("r.not_translated", constant(name), constant(f"line {node.first}: {reason}")))
        if not self.at_top or self.with_r:
            self.emit(ast.Raise(call("r.NotSupportedError", constant(f"line {node.first}: {reason}")), None))


_CHARTS = frozenset(
    """abline arrows axis barplot boxplot contour curve dev.off dotchart ggplot ggsave grid hist image jpeg layout
    legend lines matplot mosaicplot mtext pairs par pdf persp pie plot plot.new png points polygon qplot rect rug
    segments stripchart svg symbols text tiff title varImpPlot MDSplot partialPlot""".split()
)


def draws_chart(node: rast.Node) -> bool:
    """Whether code draws a chart, or asks for a device."""
    return any(rast.bare(rast.function_name(inner)) in _CHARTS for inner in rast.walk(node))


def leaves_loop(node: rast.Node) -> bool:
    """Whether a piece of code has a ``break`` or ``next`` of a loop around it."""
    closed = rast.For | rast.While | rast.Function
    return isinstance(node, rast.Jump) or (not isinstance(node, closed) and any(map(leaves_loop, rast.children(node))))


def _may_draw(node: rast.Node) -> bool:
    """Whether a function that is called, and not known here, may take numbers from R's stream."""
    called = filter(None, map(rast.function_name, rast.walk(node)))
    return any(not (name in CALM or has_function(name) or _is_layer(name)) for name in called)


def _is_layer(name: str) -> bool:
    return name.startswith(("geom_", "scale_", "theme")) and name != "geom_jitter"
