"""Requests to the session of R: variables that have changed are sent, values are received."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any, NoReturn

import numpy as np

from pyrrf.r.base.conditions import warn_as_r
from pyrrf.r.bridge.session import RSessionError, Session, session
from pyrrf.r.files.files import word_of
from pyrrf.r.files.recorded import items_of, stream_words, texts_of
from pyrrf.r.files.robjects import from_robject, object_of
from pyrrf.r.indexing.subscripts import is_all
from pyrrf.r.values import arguments
from pyrrf.r.values.classes import KNOWN_IN_R
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import AWAY, REST
from pyrrf.r.values.held import Handle, handle_of, held_value
from pyrrf.r.values.methods import name_in_r, parameters_of
from pyrrf.r.values.options import OPTIONS
from pyrrf.r.values.packages import FORESTS_OF_CARET, SEARCH, python_word
from pyrrf.r.values.placeholder import Placeholder
from pyrrf.r.values.vector import Value, as_value, objects
from pyrrf.r.values.visibility import invisible
from pyrrf.random import get_random_seed, set_random_seed
from pyrrf.rbase.collate import set_collate
from pyrrf.rds import build
from pyrrf.rds.encode import encode
from pyrrf.rds.parsed import deep_recursion, parse
from pyrrf.rlang.deparse import string_text

GROWING = frozenset("randomForest RRF grow rfcv rrfcv tuneRF tuneRRF rfImpute rrfImpute train".split())
"""Functions that grow forests: R must not do so unnoticed."""
_OWN = ("assigned", "call", "deparsed", "scope")
"""Arguments that the translator adds, and R's functions have not."""
VALUE = ".value"
"""Asks, among names of variables, for the value of the code."""


@dataclass(eq=False)
class Link:
    """A session of R, and the variables it already holds, which are not sent again."""

    running: Session
    sent: dict[str, Any] = field(default_factory=dict)
    seed: np.ndarray | None = None
    folder: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    order: str = ""
    packages: list[str] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def forget(self) -> None:
        """Forget the variables that R holds; the next request sends all of them."""
        self.sent, self.seed, self.folder, self.options, self.packages = {}, None, "", {}, []

    def find(self, name: str, package: str = "") -> Any:
        """Return a function of R by its name."""
        if name in GROWING:
            raise NotSupportedError(f"{name}() by R")
        return compute(f"{package}::`{name}`" if package else f"`{name}`", inside=True)

    def load(self, file: Any) -> dict[str, Any]:
        """Load a file, and return its objects by their Python names."""
        self.sent.clear()  # the file may hold others under these names
        names = tuple(texts_of(compute(f"load({string_text(arguments.text(file))})")))
        values = compute("", names)
        return dict(zip(map(word_of, names), [values] if len(names) == 1 else values, strict=True))

    def call(self, name: str, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """Call a function of R by its name in `pyrrf.r`, or an operator, on objects that R holds.

        Raises
        ------
        NotSupportedError
            It grows forests.
        """
        if grows(name, args, named):
            raise NotSupportedError(f"{name}() of data that R holds; as.data.frame() in by_r() makes a table of them")
        if name == "Ops":
            name, *args = args  # type: ignore[assignment]
        if name == "save":  # it takes the names of variables, not their values
            variables = dict(zip(named["deparsed"], args, strict=True))
            code = f"save({', '.join(f'`{each}`' for each in variables)}, file = .file)"
            return compute(code, variables={**variables, ".file": named["file"]}, inside=True)
        words = {word: _name_of_keyword(word).replace("_", ".") for word in parameters_of(name)}
        own = {word: value for word, value in named.items() if word not in _OWN}
        labels = _labels(args, named.get("deparsed") or ())
        code, variables = code_of_call(f"`{_IN_R.get(name) or name_in_r(name)}`", args, own, words, labels)
        return compute(code, variables=variables, inside=True)


def grows(name: str, args: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
    """Whether a call grows a forest, as far as is known."""
    if name != "train":
        return name in GROWING
    method = as_value(named.get("method", args[2] if len(args) > 2 else "rf"))
    return not isinstance(method, Value) or not FORESTS_OF_CARET.isdisjoint(texts_of(method)) or not texts_of(method)


# R's names and operators that `pyrrf.r` spells differently.
_IN_R = {
    "show": "print",
    "in_": "%in%", "component": "$", "element": "[[", "taken": "[",
    "put_component": "$<-", "put_element": "[[<-", "put": "[<-",
}  # fmt: skip
_LINKS: list[Link] = []
"""That of this process, once R was asked."""
_LOCK = [threading.RLock()]
"""Held by the thread that asks R."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _LOCK.__setitem__(0, threading.RLock()))


def link() -> Link:
    """Return the link to the session of this process, which is started where there is none."""
    running = session(" ".join(KNOWN_IN_R))
    if not _LINKS or _LINKS[0].running is not running:
        if AWAY:
            raise RSessionError("R has ended, and with it its random stream, which was of another kind than those here")
        _LINKS[:] = [Link(running)]
    return _LINKS[0]


def remove(names: tuple[str, ...]) -> None:
    """Let R, if it runs, remove variables with its next request."""
    for each in _LINKS:
        each.removed += names
        each.sent = {name: value for name, value in each.sent.items() if name not in names}


# ---- code ----------------------------------------------------------------------------------------


def code_of_call(
    function: str, args: tuple[Any, ...], named: Mapping[str, Any], words: Mapping[str, str], labels: Sequence[str] = ()
) -> tuple[str, dict[str, Any]]:
    """Return the code that calls a function, and its variables: .1, .2 by position or their labels, .x by name.

    Parameters
    ----------
    function : str
        Its spelling in the code.
    args, named : tuple, mapping
    words : mapping of str to str
        R's names of arguments by those here; those of others are R's.
    labels : sequence of str, optional
        Names of the variables by position.
    """
    placed = {(labels[number - 1] if labels else f".{number}"): arg for number, arg in enumerate(args, 1)}
    variables = {name: arg for name, arg in placed.items() if not is_all(arg)}  # an empty subscript
    code = [f"`{name}`" if name in variables else "" for name in placed]
    if function.startswith("`$"):  # it takes the name unevaluated
        code[-1] = string_text(str(args[-1]))
    if function.endswith("<-`"):  # the value comes second here, and last in R
        code = [code[0], *code[2:], f"value = {code[1]}"]
    code += [f"`{words.get(word, word)}` = `.{word}`" for word in named]
    return f"{function}({', '.join(code)})", variables | {f".{word}": arg for word, arg in named.items()}


def _labels(args: tuple[Any, ...], texts: Sequence[str]) -> list[str]:
    """Return the script's names of positional arguments, R's labels of tables; none if one is unnamed."""
    words = [text for text in texts if text.isidentifier() and text != "..."]
    return words if len({*words}) == len(args) == len(texts) and not any(map(is_all, args)) else []


def _name_of_keyword(word: str) -> str:
    """Return R's name of a Python keyword argument: ``class_`` is ``class``."""
    return word[:-1] if word.endswith("_") and iskeyword(word[:-1]) else word


def _code(text: str, of_function: bool) -> Any:
    """Return a symbol with code of R, or R's name of a function, which R parses."""
    if of_function and text.split("`")[1] in GROWING:
        raise NotSupportedError(f"{text} by R")
    return build.symbol(f".pyrrf_code {'f' if of_function else 'c'}{text}")


# ---- one request ---------------------------------------------------------------------------------


def compute(
    code: str, names: tuple[str, ...] = (), variables: Mapping[str, Any] | None = None, inside: bool = False
) -> Any:
    """Let R compute the values of some names, or that of the code, as `by_r` documents.

    Parameters
    ----------
    code : str
    names : tuple of str
    variables : mapping of str to value, optional
    inside : bool, default False
        Whether these are local variables of a function, and not of the script.
    """
    named = {_name_of_keyword(word): value for word, value in (variables or {}).items() if _has_value(value)}
    held = {name: handle for name, value in named.items() if (handle := handle_of(value)) is not None}
    values = {name: as_value(value) for name, value in named.items() if name not in held}
    task = {"code": build.texts([code]), "names": build.texts(names), "inside": build.logicals([int(inside)])}
    with _LOCK[0]:
        there = link()
        answer = _ask(there, task, values, held, keeps=not inside)
        answers = [_value(piece, there) if len(piece) else None for piece in answer["values"]._data]
        if not inside:
            there.sent.update({name: _snapshot(value) for name, value in zip(names, answers, strict=False)})
    if not answer["visible"]._data[0] and names[-1:] in ((), (VALUE,)):
        answers[-1] = invisible(answers[-1])
    if names:
        answers = [_Missing(name) if value is None else value for name, value in zip(names, answers, strict=True)]
    return answers[0] if len(answers) == 1 else tuple(answers)


def _ask(
    there: Link, task: dict[str, Any], values: Mapping[str, Any], held: Mapping[str, Handle], keeps: bool
) -> dict[str, Any]:
    """Send a request with the changed variables, and return R's answer."""
    stale = [name for name, value in held.items() if value.owner is not there]
    if stale:
        raise RSessionError(f"what R held as {stale[0]} is gone: R has ended since; compute it again")
    new = {name: value for name, value in values.items() if not (keeps and _is_same(there.sent.get(name), value))}
    request = {**task, **_changes(there), "values": build.named_list({name: _object(name, new[name]) for name in new})}
    request["held"] = build.named_list({name: build.texts([str(value.number)]) for name, value in held.items()})
    with deep_recursion():
        content = encode(build.named_list(request))
    try:
        answer = items_of(from_robject(parse(there.running.ask(content), max_bytes=1 << 40)))
        if keeps:
            there.sent.update({name: _snapshot(value) for name, value in values.items()})
        _take_over(answer, there)
        return answer
    except BaseException:
        there.forget()  # R's progress is unknown
        raise


def _object(name: str, value: Any) -> Any:
    """Return a variable as R's object."""
    try:
        return object_of(value, _code)
    except TypeError:
        if isinstance(value, Value):
            raise NotSupportedError(f"{name} is a list that holds what R alone has, or a function") from None
        raise NotSupportedError(f"{name} is a function of Python, which R cannot call") from None


def _changes(there: Link) -> dict[str, Any]:
    """Return changed settings: the random stream, the folder, packages, options, and unused objects."""
    changes = {}
    seed = get_random_seed()
    if not AWAY and (there.seed is None or not np.array_equal(seed, there.seed)):
        changes["seed"] = build.integers(seed)
    if (folder := os.getcwd()) != there.folder:
        changes["folder"] = build.texts([folder])
    if there.packages != SEARCH:
        changes["packages"] = build.texts(SEARCH[::-1])
        there.packages = [*SEARCH]
    options = {name: value for name, value in OPTIONS.items() if name != "encoding"}
    if options != there.options:
        changes["options"] = build.named_list({name: object_of(value) for name, value in options.items()})
        there.options = options
    if there.dropped:
        changes["drop"] = build.texts(map(str, there.dropped))
        there.dropped = []
    if there.removed:
        changes["remove"] = build.texts(there.removed)
        there.removed = []
    return changes


# ---- its answer ----------------------------------------------------------------------------------


def _take_over(answer: dict[str, Any], there: Link) -> None:
    """Adopt R's changed settings and output; raise its error."""
    if "quit" in answer:
        raise SystemExit(there.running.quit())
    if "interrupted" in answer:
        raise KeyboardInterrupt
    _take_stream(answer, there)
    for folder in texts_of(answer.get("folder")):
        if folder != os.getcwd():
            os.chdir(folder)
        there.folder = folder
    _take_settings(answer, there)
    for text in texts_of(answer.get("warnings")):
        warn_as_r(text)
    if "error" in answer:
        raise RError("".join(texts_of(answer["error"])))
    changed = [name for name in texts_of(answer.get("changed")) if name in there.sent]
    if changed:
        raise NotSupportedError(f"the code changed {', '.join(changed)} in R, too; ask for the value by its name")


def _take_settings(answer: dict[str, Any], there: Link) -> None:
    for name, value in items_of(answer.get("options")).items():
        OPTIONS[name] = there.options[name] = value
    for order in texts_of(answer.get("order")):
        if there.order or REST:  # the script chose it, or has R's
            set_collate(order)
        there.order = order


def _take_stream(answer: dict[str, Any], there: Link) -> None:
    words = stream_words(answer.get("seed"))
    if words is None or not len(words):
        return
    if not np.array_equal(words, get_random_seed()):
        try:
            set_random_seed(words)
        except ValueError as error:
            AWAY[:] = [f"R draws by another generator now: {str(error).removeprefix('words: ')}"]
            return
    AWAY.clear()
    there.seed = words


def _value(piece: Value, there: Link) -> Any:
    """Return a received value, or a proxy for an object that stays in R; a function of R can be called."""
    first, *rest = piece._data
    if not rest:
        return first
    handle, kind = Handle(int(first._data[0]), there), "".join(texts_of(rest[1]))
    if kind not in ("closure", "builtin", "special"):
        return held_value(handle, texts_of(rest[0]), kind)
    words = {python_word(name): name for name in texts_of(rest[2])}

    def function(*args: Any, **named: Any) -> Any:
        """Call a function that R holds."""
        code, variables = code_of_call(".f", args, named, words)
        return compute(code, variables={**variables, ".f": function}, inside=True)

    own_class = texts_of(rest[0])
    vars(function).update(held_by_r=handle, class_in_r=[] if own_class == ["function"] else own_class)
    return function


class _Missing(Placeholder):
    """A variable that the code of R has not assigned."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")

    def _refuse(self, *_: Any) -> NoReturn:
        raise RError(f"object '{self._name}' not found")


def _has_value(value: Any) -> bool:
    """Whether a variable has a value: those that R's code has not assigned are not sent."""
    return value is not None and not isinstance(value, _Missing)


# ---- what R has already --------------------------------------------------------------------------


def _snapshot(value: Any) -> Any:
    """Return a copy that shares the data, to see later whether the value has changed."""
    if not isinstance(value, Value):
        return value
    data = objects(map(_snapshot, value._data)) if value._kind == "list" else value._data
    return Value(value._kind, data, value._attributes)


def _is_same(old: Any, new: Any) -> bool:
    """Whether a value has not been changed since, as far as can be seen without looking at its data."""
    if not (isinstance(old, Value) and isinstance(new, Value)):
        return False
    if old._kind != new._kind or old._attributes.keys() != new._attributes.keys():
        return False
    if old._kind == "list":
        if len(old) != len(new) or not all(map(_is_same, old._data, new._data)):
            return False
    elif old._data is not new._data:
        return False
    return all(_is_same(attribute, new._attributes[name]) for name, attribute in old._attributes.items())
