"""Random formulas on random tables, as programs of both languages that differ in nothing but spelling."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

# ---- tables --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column: R's type, pandas' dtype, values with None where missing, levels of a factor."""

    kind: str
    dtype: str
    values: tuple[Any, ...]
    levels: tuple[str, ...] = ()

    def rows(self, keep: list[int]) -> Column:
        return replace(self, values=tuple(self.values[i] for i in keep))

    def in_r(self) -> str:
        if self.kind in ("factor", "ordered"):
            values = ", ".join("NA" if v is None else json.dumps(v) for v in self.values)
            levels = ", ".join(json.dumps(level) for level in self.levels)
            return f"factor(c({values}), levels = c({levels}), ordered = {str(self.kind == 'ordered').upper()})"
        made = "c(" + ", ".join(_R_VALUE[self.kind](v) for v in self.values) + ")"
        return made if any(v is not None for v in self.values) else f"as.{self.kind}({made})"

    def in_python(self) -> str:
        whole = self.dtype == "category of int"
        values = "[" + ", ".join(_python_value(int(v) if whole and v else v) for v in self.values) + "]"
        if self.kind in ("factor", "ordered"):
            levels = list(map(int, self.levels)) if whole else list(self.levels)
            return f"pd.Categorical({values}, {levels}, ordered={self.kind == 'ordered'})"
        return f"pd.Series({values}, dtype={self.dtype!r})"


def _python_value(value: Any) -> str:
    return f"float({str(value)!r})" if isinstance(value, float) and not math.isfinite(value) else repr(value)


def _r_double(value: Any) -> str:
    if value is None:
        return "NA_real_"
    if not math.isfinite(value):
        return {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}[str(value)]
    return value.hex().replace("0x1.", "0x1.")


_R_VALUE: dict[str, Callable[[Any], str]] = {
    "logical": lambda v: "NA" if v is None else str(v).upper(),
    "integer": lambda v: "NA_integer_" if v is None else f"{v}L",
    "double": _r_double,
    "character": lambda v: "NA_character_" if v is None else json.dumps(v),
}
_FEW = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0)
_ODD = (
    math.inf,
    -math.inf,
    1e300,
    -1e300,
    1e-300,
    5e-324,
    1e16,
    -1e16,
    2147483647.0,
    2147483648.0,
    0.1,
    0.30000000000000004,
)
_BIG = (2147483647, -2147483647, 2147483646, 65536, 46341, -46341, 46340, 1, 0, -1, 1290, 1073741824)
_WORDS = ("u", "v", "wide", "10", "1", "TRUE", "x y")


def random_table(choose: Random) -> dict[str, Column]:
    """Columns of each type under names that formulas may hold."""
    n = choose.choice((1, 2, 5, 8, 12, 20, 30, 40, 40))
    columns = {}
    for name, make in _COLUMNS.items():
        columns[name] = _holed(choose, make(choose, n))
    return columns


def _holed(choose: Random, column: Column) -> Column:
    if choose.random() < 0.85 or "nullable" in column.dtype or len(column.values) < 2:
        return column
    share = choose.choice((0.1, 0.3))
    values = tuple(None if choose.random() < share else v for v in column.values)
    dtype = {"bool": "boolean", "int8": "Int8", "uint8": "Int64", "int32": "Int32", "int64": "Int64"}
    if None in values and column.kind == "integer" and choose.random() < 0.2:
        return replace(column, values=values, dtype="object")
    return replace(
        column, values=values, dtype=dtype.get(column.dtype, column.dtype) if None in values else column.dtype
    )


def _column(kind: str, dtypes: tuple[str, ...], value: Callable[[Random], Any]) -> Callable[[Random, int], Column]:
    return lambda choose, n: Column(kind, choose.choice(dtypes), tuple(value(choose) for _ in range(n)))


def _of_levels(kind: str) -> Callable[[Random, int], Column]:
    def make(choose: Random, n: int) -> Column:
        levels = choose.choice((("lo", "mid", "hi"), ("b", "a"), ("1", "2", "10"), ("u", "v", "wide", "x y")))
        dtype = "category of int" if "10" in levels and choose.random() < 0.5 else "category"
        return Column(kind, dtype, tuple(choose.choice(levels) for _ in range(n)), levels)

    return make


_COLUMNS: dict[str, Callable[[Random, int], Column]] = {
    "l": _column("logical", ("bool", "bool", "boolean", "object"), lambda c: c.random() < 0.5),
    "new.one": _column("logical", ("bool",), lambda c: c.random() < 0.2),
    "k": _column("integer", ("int64", "int32", "int8", "uint8", "Int64", "object"), lambda c: c.randrange(4)),
    "z": _column("integer", ("int64", "int32", "int8"), lambda c: c.randrange(-9, 10)),
    "big": _column("integer", ("int64", "Int64", "int32"), lambda c: c.choice(_BIG)),
    "a": _column("double", ("float64",), lambda c: round(c.uniform(-1, 3), c.choice((1, 2, 15)))),
    "b": _column("double", ("float64", "float64", "Float64"), lambda c: c.uniform(0, 1)),
    "few": _column("double", ("float64", "float32"), lambda c: c.choice(_FEW)),
    "odd": _column("double", ("float64",), lambda c: c.choice(_ODD) if c.random() < 0.2 else c.uniform(-5, 5)),
    "f": _of_levels("factor"),
    "o": _of_levels("ordered"),
    "s": _column("character", ("object", "str"), lambda c: c.choice(_WORDS)),
}
_LOGICAL, _INTEGER, _DOUBLE = ("l", "new.one"), ("k", "z", "big"), ("a", "b", "few", "odd")

# ---- expressions ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tree:
    """An expression: pieces of text between its parts; `kind` says what may stand in its place."""

    kind: str
    pieces: tuple[str, ...]
    parts: tuple[Tree, ...] = ()

    def __str__(self) -> str:
        out = self.pieces[0]
        for inner, piece in zip(self.parts, self.pieces[1:], strict=True):
            out += str(inner) + piece
        return out

    def columns(self) -> set[str]:
        if not self.parts:
            return {self.pieces[0]} & _COLUMNS.keys()
        return {name for part in self.parts for name in part.columns()}

    @property
    def has_rows(self) -> bool:
        """Whether it gives a value for each row, and not one for all."""
        if not self.parts:
            return self.pieces[0] in _COLUMNS
        if self.pieces[0].rstrip("(") in _SUMMARIES:
            return False
        return any(part.has_rows for part in self.parts[: 1 if self.pieces[0] == "ifelse(" else None])

    def smaller(self) -> Iterator[Tree]:
        """Yield trees with a part in the place of the whole, or a leaf in the place of a part."""
        for inner in self.parts:
            if inner.kind == self.kind or {inner.kind, self.kind} <= {"number", "logical"}:
                yield inner
        for index, inner in enumerate(self.parts):
            for less in [*inner.smaller(), *_PLAIN.get(inner.kind, ())]:
                if len(str(less)) < len(str(inner)):
                    yield replace(self, parts=(*self.parts[:index], less, *self.parts[index + 1 :]))


def leaf(kind: str, text: str) -> Tree:
    return Tree(kind, (text,))


_SUMMARIES = ("mean", "sd", "var", "median", "min", "max", "sum")
_PLAIN = {
    "number": (leaf("number", "1"), leaf("number", "k"), leaf("number", "a")),
    "logical": (leaf("logical", "TRUE"), leaf("logical", "l")),
    "string": (leaf("string", '"u"'), leaf("string", "s")),
    "factor": (leaf("factor", "f"),),
}
_LITERALS = (
    *("1L", "2L", "0L", "3L", "100000L", "0x10L", "1", "2", "0", "3", ".5", "1e5", "100000", "0x10", "1e-300", "0.1"),
    *("0.30000000000000004", "0.1234567890123456789", "2147483647L", "2147483647", "1e5L", "5.", "TRUE", "FALSE", "T"),
    *("pi", "1e15", "123456", "0.0001", "1e-5", "2.50"),
)
_MISSING = ("NA", "Inf", "NA_integer_", "NA_real_", "-Inf")
_ARITHMETIC = ("+", "-", "*", "/", "^", "%%", "%/%", "+", "-", "*", "**")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_OF_ONE = ("abs", "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "tanh", "floor")
_OF_ONE += ("ceiling", "round", "trunc", "sign", "signif", "as.integer", "as.numeric", "I")


class Grower:
    """Grows expressions at random."""

    def __init__(self, choose: Random) -> None:
        self.choose = choose

    def grow(self, kind: str, depth: int) -> Tree:
        """Return an expression of a kind: "number", "logical", "string" or "factor"."""
        return getattr(self, f"_{kind}")(depth)

    def rows(self, kind: str, depth: int) -> Tree:
        """Return an expression that gives a value for each row."""
        while True:
            tree = self.any_number(depth) if kind == "any" else self.grow(kind, depth)
            if tree.has_rows:
                return tree

    def any_number(self, depth: int) -> Tree:
        return self.grow("logical" if self.choose.random() < 0.3 else "number", depth)

    def settled(self, depth: int) -> Tree:
        """Return numbers of which none is NaN, which to R's factors and texts is another value than NA."""
        c = self.choose
        if depth <= 0 or c.random() < 0.5:
            return leaf("number", c.choice(("k", "z", "l", "a", "b", "few", "k", "big", "1L", "2.5", "1e5")))
        return self._join("number", c.choice("+-*"), self.settled(depth - 1), self.settled(depth - 1))

    def _text_of(self, depth: int, *kinds: str) -> Tree:
        kind = self.choose.choice(kinds)
        return self.settled(min(depth, 1)) if kind == "number" else self.grow(kind, min(depth, 1))

    def _join(self, kind: str, sign: str, left: Tree, right: Tree) -> Tree:
        space = " " if sign in ("<", "<=", ">", ">=") or self.choose.random() < 0.6 else ""
        return Tree(kind, ("", space + sign + space, ""), (self._maybe(left), self._maybe(right)))

    def _maybe(self, part: Tree, share: float = 0.35) -> Tree:
        """Return a part in brackets or not; R and pyrrf must read what is not by the same precedences."""
        compares = any(sign in piece for piece in part.pieces for sign in ("<", ">", "==", "!="))
        if (part.parts and compares) or self.choose.random() < share * (1 if part.parts else 0.2):
            return Tree(part.kind, ("(", ")") if self.choose.random() < 0.9 else ("( ", " )"), (part,))
        return part

    def _called(self, kind: str, function: str, *parts: Tree, last: str = "") -> Tree:
        comma = self.choose.choice((", ", ","))
        pieces = [f"{function}(", *[comma] * (len(parts) - 1), last + ")"]
        return Tree(kind, tuple(pieces), parts)

    def _number(self, depth: int) -> Tree:
        c = self.choose
        if depth <= 0 or c.random() < 0.12:
            names = c.choice((_INTEGER, _DOUBLE, _DOUBLE, _LOGICAL)) if c.random() < 0.75 else _LITERALS
            names = _MISSING if c.random() < 0.004 else names
            return leaf("number", c.choice(names))
        way = c.random()
        if way < 0.55:
            return self._join("number", c.choice(_ARITHMETIC), self.any_number(depth - 1), self.any_number(depth - 1))
        if way < 0.68:
            sign = c.choice(("-", "-", "- ", "+", "--", "-+"))
            return Tree("number", (sign, ""), (self._maybe(self.any_number(depth - 1)),))
        if way < 0.84:
            return self._called("number", c.choice(_OF_ONE), self.any_number(depth - 1))
        return self._of_several(depth)

    def _of_several(self, depth: int) -> Tree:
        c = self.choose
        way = c.randrange(7)
        if way < 2:
            return self._called("number", "ifelse", self.rows("logical", depth - 1), *self._two(depth))
        if way == 2:
            last = c.choice(("", "", ", na.rm = TRUE"))
            return self._called("number", c.choice(("pmin", "pmax")), *self._two(depth), last=last)
        if way == 3:
            digits = leaf("number", c.choice(("1", "0", "2L", "-1", "digits = 1")))
            return self._called("number", c.choice(("round", "signif")), self.any_number(depth - 1), digits)
        if way == 4:
            return self._called(
                "number", "log", self.any_number(depth - 1), leaf("number", c.choice(("2", "base = 10", "3L")))
            )
        if way == 5:
            function = c.choice(("as.numeric", "as.integer"))
            return self._called("number", function, self.grow(c.choice(("factor", "string")), depth - 1))
        return self._called(
            "number", c.choice(_SUMMARIES), self.any_number(depth - 1), last=c.choice(("", ", na.rm = TRUE"))
        )

    def _two(self, depth: int) -> tuple[Tree, Tree]:
        return self.any_number(depth - 1), self.any_number(depth - 1)

    def _logical(self, depth: int) -> Tree:
        c = self.choose
        if depth <= 0 or c.random() < 0.12:
            return leaf("logical", c.choice((*_LOGICAL * 5, "TRUE", "F", "NA" if c.random() < 0.05 else "FALSE")))
        way = c.random()
        if way < 0.35:
            return self._join("logical", c.choice(_COMPARISONS), *self._two(depth))
        if way < 0.6:
            return self._join("logical", c.choice("&|"), *self._two(depth))
        if way < 0.74:
            return Tree(
                "logical", (c.choice(("!", "!", "! ", "!!", "-!")), ""), (self._maybe(self.any_number(depth - 1)),)
            )
        if way < 0.82:
            kind = c.choice(("string", "factor", "number"))
            return self._called("logical", c.choice(("is.na", "is.na", "as.logical")), self.grow(kind, depth - 1))
        if way < 0.9:
            return self._within(depth)
        kinds = c.choice((("factor", "string"), ("string", "string"), ("string", "number"), ("factor", "number")))
        sign = c.choice(_COMPARISONS if "factor" not in kinds or c.random() < 0.1 else ("==", "!="))
        return self._join("logical", sign, *(self._text_of(depth - 1, kind) for kind in kinds))

    def _within(self, depth: int) -> Tree:
        texts, numbers = ('c("u", "hi")', 'c("1","a",NA)'), ("c(1, 2, .5)", "c(0L,1L)", "c(k, 3)", "z")
        kind = self.choose.choice(("number", "string", "factor"))
        table = leaf("table", self.choose.choice(numbers if kind == "number" else texts + numbers[:1]))
        sign, left = self.choose.choice((" %in% ", "%in%")), self._text_of(depth - 1, kind)
        if "NA" in str(table):
            # In brackets, so that what stands before has no NaN.
            return Tree("logical", ("((", ")" + sign, ")"), (left, table))
        return Tree("logical", ("", sign, ""), (self._maybe(left), table))

    def _string(self, depth: int) -> Tree:
        c = self.choose
        if depth <= 0 or c.random() < 0.5:
            return leaf("string", c.choice(("s", "s", '"u"', "'v'", '"10"', '"mid"')))
        if c.random() < 0.5:
            return self._called("string", "as.character", self._text_of(depth - 1, "number", "logical", "factor"))
        return self._called(
            "string", "ifelse", self.rows("logical", depth - 1), *(self.grow("string", 0) for _ in "12")
        )

    def _factor(self, depth: int) -> Tree:
        c = self.choose
        if depth <= 0 or c.random() < 0.4:
            return leaf("factor", c.choice("ffo"))
        if c.random() < 0.2:
            limits = c.choice(
                ("3", "c(-1,0,.5,1,10)", "c(-Inf, 0, Inf)", "c(0, 1, 2), include.lowest = TRUE", "4, right=FALSE")
            )
            return Tree(
                "factor",
                ("cut(", f", {limits})"),
                (leaf("number", c.choice(("a", "b", "k", "few", "z", "a + b", "k*k"))),),
            )
        text = self._text_of(depth - 1, "number", "logical", "string", "factor")
        return self._called("factor", c.choice(("factor", "as.factor", "ordered")), text)


# ---- programs ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """A formula, a condition and a table."""

    response: Tree | None
    terms: tuple[Tree, ...]
    subset: Tree | None
    na_action: str
    table: dict[str, Column]
    package: str = "RRF"
    signs: tuple[str, ...] = field(default=())

    @property
    def formula(self) -> str:
        right = "".join(f"{sign}{term}" for sign, term in zip(self.signs, self.terms, strict=True))
        return f"{self.response or ''} ~ {right.removeprefix(' + ')}"

    @property
    def condition(self) -> str:
        return "" if self.subset is None else str(self.subset)

    def columns(self) -> set[str]:
        trees = [*self.terms, *[t for t in (self.response, self.subset) if t]]
        return {name for tree in trees for name in tree.columns()}

    def table_in_r(self) -> str:
        columns = ", ".join(f"{name} = {column.in_r()}" for name, column in self.table.items())
        return f"d <- data.frame({columns}, stringsAsFactors = FALSE)"

    def table_in_python(self) -> str:
        columns = ", ".join(f"{name!r}: {column.in_python()}" for name, column in self.table.items())
        return f"pd.DataFrame({{{columns}}})"

    def script(self) -> str:
        """The program in R and in Python."""
        given = f", subset = {self.condition}" if self.subset else ""
        python = f", subset={self.condition!r}" if self.subset else ""
        return (
            f"# R\nlibrary({self.package})\n{self.table_in_r()}\n"
            f"{self.package}({self.formula}, data = d{given}, na.action = {self.na_action}, ntree = 3)\n"
            f"# Python\nimport pandas as pd, pyrrf\nd = {self.table_in_python()}\n"
            f"pyrrf.{self.package}({self.formula!r}, d{python}, na_action={self.na_action!r}, ntree=3)\n"
        )

    def smaller(self) -> Iterator[Program]:
        """Yield programs with less in them, those that lose most first."""
        yield from self._fewer_rows()
        if self.subset is not None:
            yield replace(self, subset=None)
        for index in range(len(self.terms) if len(self.terms) > 1 else 0):
            terms, signs = self.terms[:index] + self.terms[index + 1 :], self.signs[:index] + self.signs[index + 1 :]
            yield replace(self, terms=terms, signs=signs)
        for name in self.table.keys() - self.columns() if "." not in map(str, self.terms) else ():
            yield replace(self, table={key: column for key, column in self.table.items() if key != name})
        yield from self._smaller_trees()

    def _fewer_rows(self) -> Iterator[Program]:
        n = len(next(iter(self.table.values())).values)
        for size in (n // 2, n // 4, 1):
            for start in range(0, n, max(1, size)) if 0 < size < n else ():
                keep = [i for i in range(n) if not start <= i < start + size]
                yield replace(self, table={name: column.rows(keep) for name, column in self.table.items()})

    def _smaller_trees(self) -> Iterator[Program]:
        for index, term in enumerate(self.terms):
            for less in term.smaller():
                yield replace(self, terms=(*self.terms[:index], less, *self.terms[index + 1 :]))
        for less in self.response.smaller() if self.response else ():
            yield replace(self, response=less)
        for less in self.subset.smaller() if self.subset else ():
            yield replace(self, subset=less)


def random_program(seed: int | str, number: int) -> Program:
    """The program of that number; the same for the same seed."""
    choose = Random(f"{seed}/{number}")
    grower, table = Grower(choose), random_table(choose)
    terms = [_term(grower) for _ in range(choose.choice((1, 1, 2, 2, 3)))]
    # R builds predictors a second time from the columns of its frame, where a column that is no term is missing.
    used = sorted({name for term in terms for name in term.columns()})
    plain = [leaf("term", name) for name in used if choose.random() < 0.99] or [leaf("term", "a")]
    if choose.random() < 0.06:
        plain = [leaf("term", ".")]
    if choose.random() < 0.15:
        plain += [_algebra(choose)]
    subset = _wrapped(grower.rows("logical", choose.randint(1, 3))) if choose.random() < 0.25 else None
    every = [*terms, *plain]
    choose.shuffle(every)
    signs = [
        " - " if str(term) == "b" and choose.random() < 0.1 else choose.choice((" + ", " + ", "+")) for term in every
    ]
    signs[0] = " + "
    return Program(
        _response(grower),
        tuple(every),
        subset,
        choose.choice(("na.omit",) * 16 + ("na.fail", "na.fail", "na.pass", "na.roughfix")),
        table,
        choose.choice(("RRF", "randomForest")),
        tuple(signs),
    )


def _wrapped(tree: Tree) -> Tree:
    return Tree(tree.kind, ("", ""), (tree,))


def _term(grower: Grower) -> Tree:
    way, depth = grower.choose.random(), grower.choose.randint(1, 4)
    if way < 0.7:
        return Tree("term", ("I(", ")"), (grower.rows("any", depth),))
    if way < 0.8:
        tree = grower.rows("any", depth)
        return grower._called("term", grower.choose.choice(("log", "sqrt", "abs", "as.numeric", "round")), tree)
    if way < 0.93:
        return Tree("term", ("factor(", ")"), (grower.rows("factor", depth),))
    return Tree("term", ("ifelse(", ", ", ", ", ")"), (grower.rows("logical", depth), *grower._two(depth)))


def _algebra(choose: Random) -> Tree:
    return leaf(
        "term",
        choose.choice(("a:k", "a*b", "(a + b + k)^2", "a %in% k", "offset(few)", "a:b:k", "l/k", "(a+b):k", "1", "0")),
    )


def _response(grower: Grower) -> Tree | None:
    way, depth = grower.choose.random(), grower.choose.randint(1, 4)
    if way < 0.04:
        return None
    if way < 0.45:
        return leaf("response", grower.choose.choice(("a", "k", "f", "b", "few", "z")))
    if way < 0.6:
        return Tree("response", ("", ""), (grower.rows("factor", depth),))
    if way < 0.75:
        return Tree("response", ("", ""), (grower.rows("any", depth),))
    return Tree("response", ("I(", ")"), (grower.rows("any", depth),))
