"""Operators on moved values: recycling, rows that go together, labels of factors, ranges."""

from __future__ import annotations

import ast
from dataclasses import replace

from pyrrf.migrate import python as py
from pyrrf.migrate.context import UnmovedError, Value
from pyrrf.migrate.types import INTS, STR, Type, elem_of

ARITHMETIC = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "%%": ast.Mod, "%/%": ast.FloorDiv}
COMPARISONS = {"==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE}


def count_up(left: Value, right: Value) -> Value:
    """Return ``a:b``: NumPy's range where it is known to count up."""
    start, stop = left.type.constant, right.type.constant
    up = start is not None and (
        (stop is not None and start <= stop) or (stop is None and start <= 1 and right.type.positive)
    )
    whole = left.type.elem == "int" and right.type.elem == "int"
    type_ = replace(INTS, full=True, positive=bool(left.type.positive and (up or right.type.positive)))
    if not (up and whole):
        elem = "int" if left.type.elem == "int" else "unknown"
        return Value(py.call("r.colon", left.py, right.py), replace(type_, elem=elem))
    return Value(py.call("np.arange", left.py, py.shifted(right.py, 1)), type_)


def arithmetic(left: Value, right: Value, operator: str) -> Value:
    """Return a sum, difference, product, quotient, remainder or power."""
    for side in (left, right):
        if side.type.kind in ("list", "dict", "fit", "function", "none") or side.type.elem == "str":
            raise UnmovedError(f"{operator} of a {side.type.kind} of {side.type.elem}")
        if side.type.kind == "factor":
            raise UnmovedError(f"{operator} of a factor is NA in R")
    left, right = on_same_rows(left, right)
    type_ = replace(shape_of(left.type, right.type), what="")
    if operator == "^":
        return _power(left, right, type_)
    if operator not in ARITHMETIC:
        raise UnmovedError(f"the operator {operator} is not known")
    if left.type.elem == right.type.elem == "bool" and not (left.type.single and right.type.single):
        # NumPy's sum of two logicals is a logical.
        left = Value(
            py.fill("_0.astype(int)" if not left.type.single else "int(_0)", left.py), replace(left.type, elem="int")
        )
    elem = (
        "float"
        if operator == "/"
        else elem_of(*("int" if t.elem == "bool" else t.elem for t in (left.type, right.type)))
    )
    tree: ast.expr = ast.BinOp(left.py, ARITHMETIC[operator](), right.py)
    if operator == "/" and left.type.single and right.type.single and not _is_not_zero(right):
        tree = py.call("r.divide", left.py, right.py)
    a, b = left.type.constant, right.type.constant
    positive = operator in "+*" and left.type.positive and right.type.positive
    known = None
    if a is not None and b is not None and elem == "int" and operator in "+-*":
        known = {"+": a + b, "-": a - b, "*": a * b}[operator]
        positive = known >= 1
    return Value(tree, replace(type_, elem=elem, constant=known, positive=positive, zero=False))


def _is_not_zero(found: Value) -> bool:
    """Whether Python can divide by a number as R does, which has no error for 0."""
    known = found.type.constant
    counted = isinstance(found.py, ast.Call) and ast.unparse(found.py.func) == "len"
    return found.type.positive or counted or (known is not None and known != 0)


def _power(left: Value, right: Value, type_: Type) -> Value:
    """Return a power; R squares by multiplying, as NumPy does, and leaves others to the C library."""
    type_ = replace(type_, elem="float", constant=None, positive=False, zero=False)
    if right.type.constant == 2 and left.type.kind != "unknown":
        return Value(ast.BinOp(left.py, ast.Pow(), right.py), replace(type_, elem=left.type.elem))
    return Value(py.call("r.power", left.py, right.py), type_)


def shape_of(a: Type, b: Type) -> Type:
    """Return the type of an operation on two values, as far as its shape goes."""
    missing = a.missing or b.missing
    for kind in ("unknown", "frame", "matrix"):
        for side in (a, b):
            if side.kind == kind:
                return replace(side, missing=missing, constant=None, positive=False, item=None)
    if a.single and b.single:
        return Type("scalar", full=True, missing=missing)
    wide = a if not a.single else b
    if not a.single and not b.single and b.series and not a.series:
        wide = b
    full = wide.full and (a.full or a.single) and (b.full or b.single)
    return Type("vector", series=wide.series, rows=wide.rows, missing=missing, full=full, parts=())


def on_same_rows(left: Value, right: Value) -> tuple[Value, Value]:
    """Return two operands that pandas and NumPy put together item by item, as R does."""
    if "one" in (left.type.what, right.type.what):
        left, right = (_single(side) for side in (left, right))
    a, b = left.type, right.type
    if a.kind == b.kind == "matrix" or a.single or b.single or "unknown" in (a.kind, b.kind):
        return left, right
    if "frame" in (a.kind, b.kind) or "matrix" in (a.kind, b.kind):
        return _with_column(left, right)
    if a.series and b.series and (a.rows is None or a.rows != b.rows):
        return left, as_array(right)
    return left, right


def _single(found: Value) -> Value:
    """Return a vector of one item as that item."""
    if found.type.what != "one":
        return found
    type_ = replace(found.type, kind="scalar", series=False, rows=None, what="", full=True)
    return Value(py.fill("_0.iloc[0]" if found.type.series else "_0[0]", found.py), type_)


def _with_column(left: Value, right: Value) -> tuple[Value, Value]:
    """Return a matrix and a vector; R goes down the columns, NumPy along the rows."""
    if right.type.kind == "vector" and not left.type.series:
        return left, Value(py.fill("_0[:, None]", as_array(right).py), right.type)
    if left.type.kind == "vector" and not right.type.series:
        return Value(py.fill("_0[:, None]", as_array(left).py), left.type), right
    if left.type.kind == right.type.kind:
        return left, right
    raise UnmovedError("a table and a vector are combined; R recycles down the columns")


def as_array(found: Value) -> Value:
    """Return a vector without the labels that pandas would match."""
    if not found.type.series:
        return found
    return Value(py.fill("_0.to_numpy()", found.py), replace(found.type, series=False, rows=None))


def compared(left: Value, right: Value, operator: str) -> Value:
    """Return a comparison; labels of factors are strings."""
    left, right = _as_label(left, right), _as_label(right, left)
    if left.type.missing or right.type.missing or "unknown" in (left.type.kind, right.type.kind):
        return _compared_by_rule(left, right, operator)
    if operator in ("<", "<=", ">", ">=") and "str" in (left.type.elem, right.type.elem):
        raise UnmovedError("the order of strings depends on the locale of R")
    kinds = {left.type.kind, right.type.kind}
    if kinds == {"factor", "vector"} or (kinds == {"factor"} and left.type.series != right.type.series):
        return Value(
            ast.Compare(labels_of(left), [COMPARISONS[operator]()], [labels_of(right)]), replace(INTS, elem="bool")
        )
    if kinds == {"factor"} and left.type.series and (left.type.rows is None or left.type.rows != right.type.rows):
        return Value(
            ast.Compare(labels_of(left), [COMPARISONS[operator]()], [labels_of(right)]), replace(INTS, elem="bool")
        )
    left, right = on_same_rows(left, right)
    type_ = replace(shape_of(left.type, right.type), elem="bool")
    return Value(ast.Compare(left.py, [COMPARISONS[operator]()], [right.py]), type_)


def _compared_by_rule(left: Value, right: Value, operator: str) -> Value:
    """Leave a comparison of what may be NA, or of unknown kind, to R's rules when the script runs."""
    known = "unknown" not in (left.type.kind, right.type.kind)
    kind = "vector" if known else "unknown"
    if left.type.single and right.type.single:
        kind = "scalar"
    if (known and "matrix" in (left.type.kind, right.type.kind)) or "frame" in (left.type.kind, right.type.kind):
        raise UnmovedError("comparison of table cells that may be NA")
    missing = left.type.missing or right.type.missing
    tree = py.call("r.compare", left.py, py.constant(operator), right.py)
    return Value(tree, Type(kind, "bool", missing=missing, full=left.type.full and right.type.full))


def labels_of(found: Value) -> ast.expr:
    """Return a factor or a column as an array of its labels."""
    if found.type.kind == "factor" and not found.type.series:
        return py.call("np.asarray", found.py)
    return as_array(found).py


def _as_label(found: Value, other: Value) -> Value:
    """Return a number that is compared with labels or strings as the text that R makes of it."""
    if other.type.elem != "str" or found.type.elem == "str":
        return found
    if found.type.constant is not None:
        return Value(py.constant(format(found.type.constant, ".15g")), STR)
    if found.type.numeric:
        return Value(py.call("r.as_character", found.py), replace(found.type, elem="str"))
    return found
