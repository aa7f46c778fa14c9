"""Search path of R along a script: attached packages, and the package of a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from pyrrf.migrate.parse import rast
from pyrrf.migrate.scopes.library import entry_of
from pyrrf.r.values.packages import ALWAYS, INSTALLED, OF_STATS, WITHOUT_PIPE, attach

ATTACHING = ("library", "require", "p_load")
"""Functions that attach packages."""
_CATCHING = ("try", "tryCatch", "withCallingHandlers")
_VECTORS = ("c", "list")
_NOT_AT_ONCE = ("&&", "||", "~")
_IN_SELECTIONS = "tidyselect"
Packages = list[str | None]
"""Names of packages; None for one that is computed."""
Texts = dict[str, list[str]]
"""Names that hold strings which stand in the script."""


class Search:
    """The packages that are attached where a statement stands.

    Parameters
    ----------
    body : list of Node
        The script, with the files that it sources.

    Attributes
    ----------
    attached : list of str
        Those that surely are, the last one first.
    possible : set of str
        All that the script attaches somewhere.
    computed : bool
        Whether it attaches packages by names that it computes.
    both_forests : bool
        Whether there may be fits of both packages that have functions of the same names.
    left : bool
        Whether code that stays R may have attached others.
    looked_up : bool
        Whether a name has to be looked up when the script runs.
    catches : bool
        Whether the script may go on behind an error.
    """

    def __init__(self, body: list[rast.Node]) -> None:
        self.texts = _texts(body)
        packages = [package for node in body for package in packages_in(node, self.texts)]
        self.attached: list[str] = []
        self.possible = {package for package in packages if package}
        self.computed = None in packages
        named = {node.name.partition("::")[0] for node in rast.walk(*body) if isinstance(node, rast.Name)}
        # caret grows forests of both.
        self.both_forests = "caret" in self.possible | named or {"RRF", "randomForest"} <= self.possible | named
        self.left = self.looked_up = False
        self.catches = any(rast.function_name(node) in _CATCHING for node in rast.walk(*body))
        self._unsure: set[str] = set()
        self._detached = {*filter(None, map(detached_package, rast.walk(*body)))}
        self._early = self._before_calls(body)

    def _before_calls(self, body: list[rast.Node]) -> list[str]:
        """Return the packages attached before a function of the script can run."""
        assigned = [node for node in rast.walk(*body) if isinstance(node, rast.Assign)]
        own = {rast.word(node.target) for node in assigned if rast.defines(node)}
        packages: list[str] = []
        for node in body:
            if not rast.defines(node) and own & {rast.word(inner) for inner in rast.walk(node)}:
                break
            for package in surely_attached(node, self.texts):
                packages = attach(packages, package)
        return packages

    def pass_by(self, node: rast.Node, left: bool) -> None:
        """Note the packages that a statement attaches; the statement may have been left as R."""
        for package in surely_attached(node, self.texts):
            if package in INSTALLED or not left:
                self.attached = attach(self.attached, package)
        for gone in filter(None, map(detached_package, rast.walk(node))):
            self.attached = [package for package in self.attached if package != gone]
        packages = packages_in(node, self.texts)
        self._unsure.update(filter(None, packages))
        sources = "source" in map(rast.function_name, rast.walk(node))
        self.left = self.left or (left and (None in packages or sources))

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Be inside of code that may not run."""
        before = self.attached
        try:
            yield
        finally:
            self.attached = before

    def has_pipe(self, later: bool) -> bool:
        """Whether a package that is attached has ``%>%``, as far as that is known before the script runs.

        Raises
        ------
        UntranslatedError
            No package that may be attached has it.
        """
        there = {*self.attached} | (self.possible if later else self._unsure)
        if not self.left and there <= WITHOUT_PIPE:
            raise rast.UntranslatedError("%>%, which is of magrittr or dplyr; library() attaches these")
        early = {package for package in self._early if package in INSTALLED}
        sure = ({*self.attached} | early) - self._detached if later else {*self.attached}
        known = self.left or not sure <= WITHOUT_PIPE
        self.looked_up = self.looked_up or not known
        return known

    def home(self, name: str, later: bool, selecting: bool) -> str | None:
        """Return the package that R takes a name from; None where that is known only when the script runs.

        Parameters
        ----------
        name : str
            One that `pyrrf.r` has, too.
        later : bool
            Whether the code runs at another time than where it stands: in a function.
        selecting : bool
            Whether it is evaluated among the columns of a table.

        Raises
        ------
        UntranslatedError
            No package that the script attaches has it, or another one hides it.
        """
        entry = entry_of(name)
        assert entry is not None, name
        package, _, plain = name.rpartition("::")
        if package:
            return package
        if selecting and _IN_SELECTIONS in entry.homes:
            return _IN_SELECTIONS
        search = self._early if later and {*self.attached} <= {*self._early} else self.attached
        home = entry.home(plain, search)
        others = self.possible - {*search} if later else self._unsure - {*search}
        others |= self._detached & {*search} if later else set()
        rivals = [p for p in others if p == home or (entry.home(plain, [p]) == p and not entry.same(home, p))]
        if rivals or (self.computed and not ALWAYS.issuperset(entry.homes)):
            self.looked_up = True
            return None
        if home in entry.homes or (self.left and (not home or plain in OF_STATS)):
            return home
        where = home or f"{' or '.join(entry.homes)}, which the script has not attached here; library() does"
        raise rast.UntranslatedError(f"{plain}() of {where}")


# ---- what code attaches --------------------------------------------------------------------------


def packages_in(node: rast.Node, texts: Texts) -> Packages:
    """Return all packages that code may attach."""
    if isinstance(node, rast.For):
        texts = texts | {node.variable: strings_of(node.sequence, texts) or []}
    packages = _attached_by(node, texts) if isinstance(node, rast.Call) else []
    return packages + [package for child in rast.children(node) for package in packages_in(child, texts)]


def surely_attached(node: rast.Node, texts: Texts) -> list[str]:
    """Return the packages that are attached where a statement has run."""
    if isinstance(node, rast.Function) or (isinstance(node, rast.Binary) and node.operator in _NOT_AT_ONCE):
        return []
    if isinstance(node, rast.If):
        return surely_attached(node.condition, texts)
    if isinstance(node, rast.While):
        return []
    if isinstance(node, rast.For):
        strings = strings_of(node.sequence, texts)
        return surely_attached(node.body, texts | {node.variable: strings}) if strings else []
    own = _attached_by(node, texts) if isinstance(node, rast.Call) else []
    inner = [package for child in rast.children(node) for package in surely_attached(child, texts)]
    if rast.function_name(node) in _CATCHING:
        inner = [package for package in inner if package in INSTALLED]
    return [package for package in own if package] + inner


def _attached_by(node: rast.Call, texts: Texts) -> Packages:
    """Return the packages that the call alone attaches: of `library`, or of a function that is given `library`."""
    name = rast.bare(rast.function_name(node))
    values = rast.values(node.args)
    if name in ATTACHING:
        return named_packages(node, texts)
    if not any(isinstance(value, rast.Name) and rast.bare(value.name) in ATTACHING for value in values):
        return []
    strings: Packages = [*(strings_of(values[0], texts) or [])]
    return strings or [None]


def named_packages(node: rast.Call, texts: Texts) -> Packages:
    """Return the packages that stand in a call of `library`."""
    several = rast.bare(rast.function_name(node)) == "p_load"
    computed = any(arg.name in ("character.only", "char") for arg in node.args)
    values = [arg.value for arg in node.args if arg.name in (None, "package") and arg.value is not None]
    packages: Packages = []
    for value in values if several else values[:1]:
        if isinstance(value, rast.Text) or (isinstance(value, rast.Name) and not computed):
            packages.append(rast.word(value))
        else:
            packages += strings_of(value, texts) or [None]
    return packages or ([None] if several and computed else [])


def detached_package(node: rast.Node) -> str:
    """Return the package that a call takes from the search path; empty for other code."""
    value = rast.first_value(node) if isinstance(node, rast.Call) else None
    if value is None or rast.bare(rast.function_name(node)) != "detach":
        return ""
    text = rast.word(value) or value.text
    return text.replace(" ", "").removeprefix("package:") if "package:" in text.replace(" ", "") else ""


def _texts(body: list[rast.Node]) -> Texts:
    """Return the names that hold strings of the script, assigned once."""
    assigned = Counter(rast.target_name(node.target) for node in rast.walk(*body) if isinstance(node, rast.Assign))
    # Where the script has a c() of its own, what it gives is not known.
    texts: Texts = {f"{name}()": [] for name in _VECTORS if name in assigned}
    for node in body:
        if isinstance(node, rast.Assign) and assigned[rast.word(node.target)] == 1:
            strings = strings_of(node.value, texts)
            if strings:
                texts[rast.word(node.target)] = strings
    return texts


def strings_of(node: rast.Node, texts: Texts) -> list[str] | None:
    """Return the strings that code stands for; None where they are not in the script."""
    if isinstance(node, rast.Text):
        return [node.value]
    if isinstance(node, rast.Name):
        return texts.get(node.name)
    name = rast.function_name(node)
    if name not in _VECTORS or f"{name}()" in texts or not isinstance(node, rast.Call):
        return None
    values = rast.values(node.args)
    strings = [value.value for value in values if isinstance(value, rast.Text)]
    return strings if len(strings) == len(values) else None
