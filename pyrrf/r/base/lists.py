"""Lists: changed, flattened, and made into vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrrf.r.values.arguments import flag
from pyrrf.r.values.attributes import factor_labels, factor_levels, is_factor, is_list, names_of
from pyrrf.r.values.coercion import coerced, wider
from pyrrf.r.values.functions import r_function
from pyrrf.r.values.vector import KINDS, NotMovedError, RError, Value, as_value, copy, null, objects, strings


def modifyList(x: Any, val: Any, keep_null: Any = False) -> Any:
    """Return a list with items of another; those that are NULL there are taken away."""
    made, new = as_value(x).copy(), as_value(val)
    if not is_list(made) or not is_list(new):
        raise RError(f"is.list({'val' if is_list(made) else 'x'}) is not TRUE")
    if flag(keep_null):
        raise NotMovedError("modifyList() with keep.null")
    known = names_of(made) or []
    for name in names_of(new) or []:
        if not name:
            continue
        item = new[[name]]
        both = name in known and is_list(made[[name]]) and is_list(item)
        made[[name]] = modifyList(made[[name]], item) if both else item
    return made


@r_function(dots_in_order=True)
def unlist(x: Any, recursive: Any = True, use_names: Any = True) -> Any:
    """Return the items of a list, and of its lists, as one vector; names are joined as R does it."""
    value = as_value(x)
    if not is_list(value):
        return value
    if not len(value):
        return null()
    if not flag(recursive) and any(is_list(item) for item in value._data):
        return _one_level(value, flag(use_names))
    leaves: list[tuple[str, Any]] = []
    _walk(value, "", leaves)
    items = [item for _, item in leaves]
    if any(not isinstance(item, Value) or item._kind not in KINDS for item in items):
        return value
    if not items:
        return null()
    labels = _labels(value) if flag(use_names) else None
    if all(is_factor(item) for item in _tips(value)) and _tips(value):
        return _factors(_tips(value), labels)
    kind = wider("NULL", *(item._kind for item in items))
    data = np.concatenate([coerced(item, kind)._data for item in items])
    return Value(kind, data, {"names": strings(labels)} if labels else {})


def _one_level(x: Value, named: bool) -> Value:
    """Return a list of the items of the lists in a list, and of the vectors beside them."""
    items: list[Any] = []
    for item in x._data:
        bare = Value("integer", item._data) if is_factor(item) else item
        items += list(coerced(bare, "list")._data) if isinstance(bare, Value) else [bare]
    labels = _labels(x, deep=False) if named else None
    return Value("list", objects([copy(item) for item in items]), {} if labels is None else {"names": strings(labels)})


def _tips(x: Value) -> list[Value]:
    """Return the vectors in a list, and in its lists."""
    found: list[Value] = []
    for item in x._data:
        if is_list(item):
            found += _tips(item)
        elif isinstance(item, Value) and item._kind != "NULL":
            found.append(item)
    return found


def _walk(x: Value, base: str, leaves: list[tuple[str, Any]]) -> None:
    for item in x._data:
        if is_list(item):
            _walk(item, base, leaves)
        elif not isinstance(item, Value):
            leaves.append((base, item))
        elif item._kind != "NULL":
            # A factor beside other vectors counts by its codes; beside strings, too.
            leaves.append((base, Value("integer", item._data) if is_factor(item) else item))


def _factors(parts: list[Value], labels: list[str | None] | None) -> Value:
    levels = list(dict.fromkeys(level for part in parts for level in factor_levels(part)))
    place = {level: at + 1.0 for at, level in enumerate(levels)}
    codes = [np.nan if text is None else place[text] for part in parts for text in factor_labels(part)._data]
    about = {"levels": strings(levels), "class": strings("factor")}
    if labels is not None:
        about["names"] = strings(labels)
    return Value("integer", np.array(codes, dtype=np.float64), about)


# ---- names ---------------------------------------------------------------------------------------


class _Counter:
    """How many items below a name are not named themselves, and how far they are counted."""

    count = 0
    number = 0


def _labels(x: Value, deep: bool = True) -> list[str | None] | None:
    """Return the names that R gives the items of a list: those of the lists around them are put before."""
    if not _any_names(x, deep):
        return None
    out: list[str | None] = []
    counter = _Counter()
    for item, tag in _tagged(x):
        _name(item, "", tag, counter, out, deep)
    return out


def _tagged(x: Value) -> list[tuple[Any, str | None]]:
    """Return the items with their names: "" without one, None for one that is NA."""
    return list(zip(x._data, names_of(x) or [""] * len(x), strict=True))


def _any_names(x: Any, deep: bool) -> bool:
    if not isinstance(x, Value):
        return False
    if names_of(x) is not None:
        return True
    return is_list(x) and any(_any_names(item, True) if deep else _named(item) for item in x._data)


def _named(x: Any) -> bool:
    return isinstance(x, Value) and names_of(x) is not None


def _count(x: Any, deep: bool) -> int:
    if not isinstance(x, Value):
        return 1
    return sum(_count(item, deep) for item, tag in _tagged(x) if tag == "") if is_list(x) and deep else len(x)


def _name(item: Any, base: str | None, tag: str | None, counter: _Counter, out: list[str | None], deep: bool) -> None:
    before = (counter.count, counter.number)
    if tag != "":
        base = tag if base == "" else f"{_text(base)}.{_text(tag)}"
        counter.count, counter.number = _count(item, deep), 0
    if is_list(item) and deep:
        for inner, label in _tagged(item):
            _name(inner, base, label, counter, out, deep)
    else:
        own = (names_of(item) or [""] * len(item)) if isinstance(item, Value) else [""]
        for each in own:
            counter.number += 1
            out.append(_made(base, each, counter))
    if tag != "":
        counter.count = before[0]
        counter.number += before[1]


def _made(base: str | None, label: str | None, counter: _Counter) -> str | None:
    if base == "":
        return label
    if label != "":
        return f"{_text(base)}.{_text(label)}"
    return base if counter.count == 1 else f"{_text(base)}{counter.number}"


def _text(name: str | None) -> str:
    return "NA" if name is None else name
