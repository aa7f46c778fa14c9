"""What R computes: code of R, the variables that it gets, and the values that come back."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any, NoReturn

import numpy as np

from pyrrf.r.base.conditions import warn_as_r
from pyrrf.r.bridge.session import RSessionError, Session, session
from pyrrf.r.files.robjects import from_robject, object_of
from pyrrf.r.values.classes import KNOWN_IN_R
from pyrrf.r.values.functions import REST
from pyrrf.r.values.held import Handle, handle_of, held_value
from pyrrf.r.values.methods import name_in_r, parameters_of
from pyrrf.r.values.options import OPTIONS
from pyrrf.r.values.packages import SEARCH, python_word
from pyrrf.r.values.placeholder import Placeholder
from pyrrf.r.values.vector import NotSupportedError, RError, Value, as_value, objects
from pyrrf.r.values.visibility import forget_invisible, invisible, is_invisible
from pyrrf.random import get_random_seed, set_random_seed
from pyrrf.rds import build
from pyrrf.rds.encode import encode
from pyrrf.rds.parsed import deeply, parse


@dataclass(eq=False)
class _Link:
    """A session of R, and what it already has, so that it is not sent again."""

    running: Session
    sent: dict[str, Any] = field(default_factory=dict)
    seed: np.ndarray | None = None
    folder: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    packages: list[str] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def found(self, name: str, package: str = "") -> Any:
        """Return a function of R by its name."""
        if name in _GROWING:
            raise NotSupportedError(f"{name}() by R")
        return _by_r(f"{package}::`{name}`" if package else f"`{name}`", (), {}, inside=True)

    def forget(self) -> None:
        """Take nothing for sent."""
        self.sent, self.seed, self.folder, self.options, self.packages = {}, None, "", {}, []

    def call(self, name: str, args: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        """Call a function of R by its name in `pyrrf.r`, or an operator, with what R holds among the arguments.

        Raises
        ------
        NotSupportedError
            It grows forests, which R must not do unnoticed.
        """
        if name in _GROWING:
            raise NotSupportedError(f"{name}() of data that R holds; as.data.frame() in by_r() makes a table of them")
        if name == "found":  # a function, by its name and perhaps its package
            return self.found(*args)
        if name in _AS_THEY_ARE:
            return args[0].copy()
        if name == "show":
            shows = not is_invisible(args[0])
            forget_invisible()
            if not shows:
                return None
            name = "print"
        if name == "Ops":
            name, *args = args  # type: ignore[assignment]
        function = _SIGNS.get(name) or name_in_r(name)
        places = {f".{at}": arg for at, arg in enumerate(args, 1)}
        code = [f"`.{at}`" for at in range(1, len(args) + 1)]
        if function.startswith("$"):  # which takes the name as it stands there
            code[-1] = _literal(str(args[-1]))
        if function.endswith("<-"):  # the value comes second here, and last in R
            code = [code[0], *code[2:], f"value = {code[1]}"]
        names = _names_in_r(parameters_of(name))
        code += [f"`{names.get(word, word)}` = `.{word}`" for word in named]
        places |= {f".{word}": arg for word, arg in named.items()}
        return _by_r(f"`{function}`({', '.join(code)})", (), places, inside=True)


# What a forest must not be grown by, since nobody would see it.
_GROWING = frozenset("randomForest RRF grow rfcv rrfcv tuneRF tuneRRF rfImpute rrfImpute train".split())
_AS_THEY_ARE = ("copy",)
_OWN = ("assigned", "call", "deparsed", "scope")
"""What the translator hands over, and R's functions do not know."""
_SIGNS = {
    "in_": "%in%", "component": "$", "element": "[[", "taken": "[",
    "put_component": "$<-", "put_element": "[[<-", "put": "[<-",
}  # fmt: skip


def _names_in_r(words: Iterable[str]) -> dict[str, str]:
    """Return the names of arguments in R by those of a function here; names of other arguments are R's."""
    return {word: _name_in_r(word).replace("_", ".") for word in words}


def _literal(text: str) -> str:
    """Return a string as R's code has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


_LINKS: list[_Link] = []
"""That of this process, once R was asked."""

_LOCK = [threading.RLock()]
"""Held by the thread that asks R."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _LOCK.__setitem__(0, threading.RLock()))


def by_r(code: str, /, *names: str, **variables: Any) -> Any:
    """Let R compute a value.

    One session of R runs for this process, from the first call on. It has the random stream of `pyrrf.r`, the working
    directory, and the packages that `library` has attached. What it prints goes to standard output.

    Parameters
    ----------
    code : str
        Expressions of R.
    *names : str
        Variables of which the values are wanted; by default the value of the last expression, also called ``.value``.
    **variables : value
        What the code uses, by R's names; ``class_`` is R's ``class``, and None no variable. Arrays, Series and
        DataFrames are converted as everywhere in `pyrrf.r`. R keeps them: what has not changed is not sent again.

    Returns
    -------
    Value, function, or a tuple of them for several names
        What Python cannot hold, such as a fit of ``lm``, stays in R: functions of `pyrrf.r` and operators that get it
        let R compute.

    Raises
    ------
    RError
        The code stops, with R's message. A variable that it has not made raises one when it is used.
    RSessionError
        There is no R, or it ended; the variables are as they were.
    NotSupportedError
        A variable has no counterpart in R; or the code changed another one than `names` asks for.

    Examples
    --------
    >>> from pyrrf import r
    >>> y = [1.0, 2.0, 4.0]
    >>> r.by_r("coef(lm(y ~ x))", x=[1.0, 2.0, 3.0], y=y).to_pandas().round(2)  # doctest: +SKIP
    (Intercept)   -0.67
    x              1.50
    dtype: float64
    """
    return _by_r(code, names, variables, inside=False)


def by_r_inside(code: str, /, *names: str, **variables: Any) -> Any:
    """Let R compute a value as `by_r`, among variables that are those of a function."""
    return _by_r(code, names, variables, inside=True)


def forget_by_r(*names: str) -> None:
    """Let R, if it runs, remove variables that a script has removed."""
    if _LINKS:
        _LINKS[0].removed += names
        _LINKS[0].sent = {name: value for name, value in _LINKS[0].sent.items() if name not in names}


def rest_by_r() -> None:
    """Let R compute, from now on, each call of a function of `pyrrf.r` that is not supported here; but no forest."""
    REST[:] = [_call_anew]


def _call_anew(name: str, args: tuple[Any, ...], named: Mapping[str, Any], error: NotSupportedError) -> Any:
    """Let R compute a call; raise what Python has raised where R cannot have its arguments."""
    if isinstance(error, RSessionError) or name in _GROWING or any(map(_is_of_python, (*args, *named.values()))):
        raise error
    return _link().call(name, args, {word: value for word, value in named.items() if word not in _OWN})


def _is_of_python(x: Any) -> bool:
    """Whether R cannot have a value: a function of the script, or a list that holds one."""
    if isinstance(x, Value):
        return x._kind == "list" and any(map(_is_of_python, x._data))
    return callable(x) and handle_of(x) is None


by_r.takes_held = by_r_inside.takes_held = forget_by_r.takes_held = rest_by_r.takes_held = True  # type: ignore[attr-defined]


def _by_r(code: str, names: tuple[str, ...], variables: dict[str, Any], inside: bool) -> Any:
    if not isinstance(code, str):
        raise TypeError(f"code must be a text of R, not {type(code).__name__}")
    named = {_name_in_r(word): value for word, value in variables.items() if _is_there(value)}
    held = {name: handle for name, value in named.items() if (handle := handle_of(value)) is not None}
    values = {name: as_value(value) for name, value in named.items() if name not in held}
    asked = {"code": build.texts([code]), "names": build.texts(names), "inside": build.logicals([int(inside)])}
    with _LOCK[0]:
        found, visible = _ask(asked, values, held, keeps=not inside)
        return _given_back(found, visible, names, inside)


def _given_back(found: list[Any], visible: bool, names: tuple[str, ...], inside: bool) -> Any:
    """Return the values of the names, or that of the code."""
    if names:
        if not inside:
            _LINKS[0].sent.update({name: _snapshot(value) for name, value in zip(names, found, strict=True)})
        if names[-1] == ".value" and not visible:
            found[-1] = invisible(found[-1])
        found = [_Missing(name) if value is None else value for name, value in zip(names, found, strict=True)]
        return found[0] if len(found) == 1 else tuple(found)
    return found[0] if visible else invisible(found[0])


def _is_there(value: Any) -> bool:
    """Whether a variable has a value: R is not told of one that its own code has not given any."""
    return value is not None and not isinstance(value, _Missing)


class _Missing(Placeholder):
    """A variable to which R's code has given no value."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")

    def _refuse(self, *_: Any) -> NoReturn:
        raise RError(f"object '{self._name}' not found")


def _name_in_r(word: str) -> str:
    return word[:-1] if word.endswith("_") and iskeyword(word[:-1]) else word


# ---- one request ---------------------------------------------------------------------------------


def _ask(
    asked: dict[str, Any], values: Mapping[str, Any], held: Mapping[str, Handle], keeps: bool = False
) -> tuple[list[Any], bool]:
    """Send a request with the variables that R has not, and return the values of its answer, and whether R shows it."""
    link = _link()
    stale = [name for name, value in held.items() if value.owner is not link]
    if stale:
        raise RSessionError(f"what R held as {stale[0]} is gone: R has ended since; compute it again")
    new = {name: value for name, value in values.items() if not (keeps and _is_same(link.sent.get(name), value))}
    try:
        sent = {name: object_of(value, _code) for name, value in new.items()}
    except TypeError:
        what = next((name for name, value in new.items() if not isinstance(value, Value)), "")
        why = (
            f"{what} is a function of Python, which R cannot call"
            if what
            else "a list holds what R alone has, or a function"
        )
        raise NotSupportedError(why) from None
    numbers = {name: build.texts([str(value.number)]) for name, value in held.items()}
    request = {**asked, **_surroundings(link), "values": build.listed(sent), "held": build.listed(numbers)}
    if link.dropped:
        request["drop"] = build.texts(map(str, link.dropped))
        link.dropped = []
    if link.removed:
        request["remove"] = build.texts(link.removed)
        link.removed = []
    with deeply():
        content = encode(build.listed(request))
    try:
        answer = _items(from_robject(parse(link.running.ask(content), max_bytes=1 << 40)))
        if keeps:
            link.sent.update({name: _snapshot(value) for name, value in values.items()})
        return _read(answer, link)
    except BaseException:
        link.forget()  # how far R came is not known
        raise


def _code(text: str) -> Any:
    """Return what stands for code until R has read it."""
    return build.symbol(f".pyrrf_code {text}")


def _link() -> _Link:
    running = session(" ".join(KNOWN_IN_R))
    if not _LINKS or _LINKS[0].running is not running:
        _LINKS[:] = [_Link(running)]
    return _LINKS[0]


def _surroundings(link: _Link) -> dict[str, Any]:
    """Return what has changed around the code: the stream, the working directory, packages, options."""
    found = {}
    seed = get_random_seed()
    if link.seed is None or not np.array_equal(seed, link.seed):
        found["seed"] = build.integers(seed)
    if (folder := os.getcwd()) != link.folder:
        found["folder"] = build.texts([folder])
    if link.packages != SEARCH:
        found["packages"] = build.texts(SEARCH[::-1])
        link.packages = [*SEARCH]
    options = {name: value for name, value in OPTIONS.items() if name != "encoding"}
    if options != link.options:
        found["options"] = build.listed({name: object_of(value) for name, value in options.items()})
        link.options = options
    return found


def _items(value: Value) -> dict[str, Any]:
    names = value._attributes.get("names")
    return {} if names is None else dict(zip(names._data, value._data, strict=True))


def _texts(value: Value | None) -> list[str]:
    return [] if value is None else [str(text) for text in value._data]


def _read(answer: dict[str, Any], link: _Link) -> tuple[list[Any], bool]:
    """Take over what R left behind, and return the values."""
    if "quit" in answer:
        raise SystemExit(link.running.quit())
    if "interrupted" in answer:
        raise KeyboardInterrupt
    _take_over(answer, link)
    for text in _texts(answer.get("warnings")):
        warn_as_r(text)
    if "error" in answer:
        raise RError("".join(_texts(answer["error"])))
    changed = [name for name in _texts(answer.get("changed")) if name in link.sent]
    for name in changed:
        del link.sent[name]
    if changed:
        raise NotSupportedError(f"the code changed {', '.join(changed)} in R, too; ask for the value by its name")
    parts = answer.get("values")
    values = [] if parts is None else [_value(part, link) if len(part) else None for part in parts._data]
    return values, bool(answer["visible"]._data[0]) if "visible" in answer else False


def _take_over(answer: dict[str, Any], link: _Link) -> None:
    seed = answer.get("seed")
    if seed is not None and len(seed):
        # The least of R's integers is NA, and a word of the stream.
        words = np.where(np.isnan(seed._data), -(2.0**31), seed._data).astype(np.int32)
        if not np.array_equal(words, get_random_seed()):
            try:
                set_random_seed(words)
            except ValueError as error:
                raise NotSupportedError(f"R draws by another generator now: {error}") from None
        link.seed = words
    for folder in _texts(answer.get("folder")):
        if folder != os.getcwd():
            os.chdir(folder)
        link.folder = folder
    for name, value in _items(answer["options"]).items() if "options" in answer else ():
        OPTIONS[name] = link.options[name] = value


def _value(part: Value, link: _Link) -> Any:
    """Return a value that came back, or what stands for one that did not; a function of R can be called."""
    first, *rest = part._data
    if not rest:
        return first
    handle, kind = Handle(int(first._data[0]), link), "".join(_texts(rest[1]))
    arguments = {python_word(name): name for name in _texts(rest[2])}
    if kind not in ("closure", "builtin", "special"):
        return held_value(handle, _texts(rest[0]), kind)

    def function(*args: Any, **named: Any) -> Any:
        """Call a function that R holds."""
        places = {f".{at}": arg for at, arg in enumerate(args, 1)}
        by_name = [f"`{arguments.get(name, name)}` = `.{name}`" for name in named]
        given = [*(f"`{name}`" for name in places), *by_name]
        variables = {**places, **{f".{name}": arg for name, arg in named.items()}, ".f": function}
        return _by_r(f".f({', '.join(given)})", (), variables, inside=True)

    function.held_by_r = handle  # type: ignore[attr-defined]
    return function


# ---- what R has already --------------------------------------------------------------------------


def _snapshot(value: Any) -> Any:
    """Return what shows later whether a value has changed: a copy, which shares the data until then."""
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
    return all(_is_same(part, new._attributes[name]) for name, part in old._attributes.items())
