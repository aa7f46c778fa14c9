"""Reads the cases of `cases/*.txt`: a line is a name, a data set and steps, as `name | data | step | step`.

A step is a word of `WORDS` and its arguments, by pyrrf's names::

    mtry_one | two | seed 1 | RRF ntree=20 mtry=1
    refused_flagreg | two | seed 2 | RRF flagReg=2 ! flagReg: flagReg must be 0 or 1 | runif 1

- ``$x`` is a part of the data set and ``@fit`` the result of an earlier step. ``$xtest`` alone is ``xtest=$xtest``,
  ``@fit`` alone the object that is asked, and ``importance`` alone ``importance=True``.
- A value is a number, a word, True, False, None, nan, inf, a list ``[1,2]``, a vector with names ``{a:0.3,b:0.7}``,
  code in backticks, or made by one of `MADE`. It has no spaces, but between backticks.
- ``first: RRF`` names the result, ``-> votes mtry`` says which components of a fit are answered, and
  ``! argument: message`` that both sides refuse: R with these words, pyrrf with a ValueError about the argument
  (``! x (TypeError): message`` for another error).
- ``name*`` is a case of randomForest(), too, called forest_name. ``data in en_US`` sorts strings as that locale does.
- A line that begins with a space goes on the line before; ``# `` begins a comment.
- ``&name | step | step`` are steps that several cases share: there ``&name`` stands for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parity.derived import for_random_forest
from parity.draws import LAWS
from parity.steps import Bare, Case, Column, Labels, Named, Part, Positions, Ref, Refusal, Step

WORDS = {
    "seed": "seed: set_seed seed=?",
    "RRF": "fit: RRF x=$x y=$y",
    "RRF.formula": "fit: RRF formula=? data=$data",
    "randomForest": "fit: randomForest x=$x y=$y",
    "ordinary": "fit: ordinary x=$x y=$y",
    "GRRF": "guided: GRRF x=$x y=$y",
    "predict": "prediction: predict object=@fit",
    "importance": "imp: importance x=@fit",
    "getTree": "tree: getTree rfobj=@fit",
    "treesize": "sizes: treesize x=@fit",
    "varUsed": "used: varUsed x=@fit",
    "margin": "margin: margin x=@fit",
    "print": "print: print x=@fit",
    "combine": "both: combine",
    "grow": "grown: grow x=@fit how_many=?",
    "outlier": "outlier: outlier x=@fit",
    "plot": "errors: plot x=@fit",
    "varImpPlot": "shown: varImpPlot x=@fit",
    "partialPlot": "curve: partialPlot x=@fit pred_data=$x x_var=? plot=False",
    "partialPlot.default": "curve: partialPlot x=? pred_data=$x x_var=?",
    "na_roughfix": "fixed: na_roughfix object=$x",
    "rrfImpute": "full: rrfImpute x=$x y=$y",
    "rrfImpute.formula": "full: rrfImpute x=? data=$holed iter=2 ntree=8",
    "tuneRRF": "tuned: tuneRRF x=$x y=$y plot=False ntreeTry=8",
    "rrfcv": "cv: rrfcv trainx=$x trainy=$y",
    "MDSplot": "scaling: MDSplot rf=@fit",
    "compute": "value: compute what=?",
    "runif": "u: runif n=?",
    "rnorm": "z: rnorm n=?",
    "sample": "s: sample",
    "sample_int": "s: sample_int n=?",
    "RNGkind": "kinds: RNGkind",
    "RNGversion": "version: RNGversion vstr=?",
    "get_random_seed": "state: get_random_seed",
    "set_random_seed": "set: set_random_seed words=?",
} | {law: f"{law}: {law} n=?" for law in LAWS}
"""The step that a word stands for: the name of its result, and its arguments where the line gives no others."""

MADE: dict[str, Any] = {
    "positions": lambda values: Positions(tuple(values)),
    "column": lambda values: Column(tuple(values)),
    "labels": lambda values, levels: Labels(tuple(values), tuple(levels)),
    "range": lambda *limits: [*range(*limits)],
    "weights": lambda n: [((i * 37) % 101 + 1) / 7 for i in range(n)],
    "powers": lambda n: [10.0 ** (i % 13 - 6) for i in range(n)],
}
"""Values that are made: column positions from 0, a matrix of one column, a factor; weights of many sizes, and of sizes
far apart."""

_CONSTANTS = {"True": True, "False": False, "None": None, "nan": float("nan"), "inf": float("inf")}
_FIELDS = re.compile(r"(?:`[^`]*`|[^|`])+")
_TOKENS = re.compile(r"(?:`[^`]*`|\S)+")
_WORD = re.compile(r"[A-Za-z][\w.]*")
_GIVEN = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_REFUSAL = re.compile(r"(.+?)(?: \((\w+)\))?: (.*)")


class CaseError(ValueError):
    """A line that is not a case; the message says where it stands."""


def read_cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file, each with that of randomForest() after it where there is one."""
    shared: dict[str, list[Step]] = {}
    for number, line in lines_of(path.read_text()):
        try:
            if line.startswith("&"):
                name, *parts = fields(line)
                shared[name] = [step for text in parts for step in _steps(text, shared)]
            else:
                yield from _cases(line, shared)
        except ValueError as error:
            raise CaseError(f"{path.name}:{number}: {error}") from error


def read_steps(text: str) -> tuple[Step, ...]:
    """Return the steps of a text such as ``seed 1 | RRF ntree=5 | predict newdata=$x``."""
    return tuple(step for part in fields(text) for step in _steps(part, {}))


def read_step(text: str) -> Step:
    """Return the step of a text such as ``first: RRF ntree=5``."""
    text, _, refusal = text.partition(" ! ")
    text, _, keep = text.partition(" -> ")
    tokens = _TOKENS.findall(text)
    name = tokens.pop(0) if tokens and tokens[0].endswith(":") else ""
    word = tokens.pop(0) if tokens else ""
    if word not in WORDS:
        raise CaseError(f"{word!r} is not a step; known are {', '.join(WORDS)}")
    called, verb, *defaults = WORDS[word].split()
    args = read_arguments(tokens, dict(default.split("=") for default in defaults), verb)
    stated = _refusal(refusal) if refusal else None
    return Step(verb, args, (name or called).removesuffix(":"), tuple(keep.split()) or None, stated)


# ---- lines ---------------------------------------------------------------------------------------


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield each case as one line, with the number of its first one."""
    cases: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(" ") and cases:
            cases[-1] = (cases[-1][0], f"{cases[-1][1]} {line.strip()}")
        elif line and not line.startswith("#"):
            cases.append((number, line))
    yield from cases


def fields(line: str) -> list[str]:
    """Return the fields between the | of a line."""
    if line.count("`") % 2:
        raise CaseError("a backtick is missing")
    return [field.strip() for field in _FIELDS.findall(line)]


def _cases(line: str, shared: Mapping[str, list[Step]]) -> Iterator[Case]:
    name, *rest = fields(line)
    if len(rest) < 2 or not all(rest):
        raise CaseError(f"{name!r} is not a case: a name, a data set and steps, with | between them")
    data, _, locale = rest[0].partition(" in ")
    steps = tuple(step for text in rest[1:] for step in _steps(text, shared))
    made = Case(name.removesuffix("*"), data, steps, locale or "C")
    yield made
    if name.endswith("*"):
        yield for_random_forest(made)


def _steps(text: str, shared: Mapping[str, list[Step]]) -> list[Step]:
    if not text.startswith("&"):
        return [read_step(text)]
    if text not in shared:
        raise CaseError(f"no steps are called {text}; known are {', '.join(shared) or 'none'}")
    return shared[text]


def _refusal(text: str) -> Refusal:
    match = _REFUSAL.fullmatch(text)
    if match is None:
        raise CaseError(f"{text!r} is not `argument: message`")
    return Refusal(match[1], match[3], match[2] or "ValueError")


# ---- arguments -----------------------------------------------------------------------------------


def read_arguments(given: list[str], args: dict[str, str] | None = None, verb: str = "the line") -> dict[str, Any]:
    """Return the arguments of a step by name: those of its word, in their places, then the others of the line."""
    args = args or {}
    for text in given:
        named = _GIVEN.fullmatch(text)
        name, value = (named[1], named[2]) if named else _placed(verb, args, text)
        args[name] = value
    open_ones = [name for name, value in args.items() if value == "?"]
    if open_ones:
        raise CaseError(f"{verb} needs {', '.join(open_ones)}")
    return {name: read_value(value) for name, value in args.items()}


def _placed(verb: str, args: dict[str, str], text: str) -> tuple[str, str]:
    """Return the name and the value of an argument that stands without its name."""
    if text.startswith("@") and verb == "combine":
        return f"fit{len(args)}", text
    for name, value in args.items():
        if value == "?" or (text.startswith("@") and value.startswith("@")):
            return name, text
    if text.startswith("$"):
        return text[1:], text
    if not _WORD.fullmatch(text):
        raise CaseError(f"{verb} has no place for {text!r}")
    return text, "True"


class _Names(dict[str, Any]):
    """Names in a value: an unknown name is a word."""

    def __missing__(self, name: str) -> str:
        return name


def read_value(text: str) -> Any:
    """Return the value of a text."""
    if text[:1] in ("$", "@"):
        return Part(text[1:]) if text[0] == "$" else Ref(text[1:])
    if text.startswith("`"):
        return Bare(text[1:-1])
    if text in _CONSTANTS or not _WORD.fullmatch(text):
        try:
            value = eval(text, {"__builtins__": {}}, _Names(MADE | _CONSTANTS))
        except (SyntaxError, TypeError, ValueError, AttributeError) as error:
            raise CaseError(f"{text!r} is not a value: {error}") from error
        return Named(value) if isinstance(value, dict) else value
    return text
