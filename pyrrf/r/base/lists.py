"""Lists: changed, flattened, and made into vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pyrrf.r.values.arguments import flag
from pyrrf.r.values.coercion import as_codes, coerce, factor_labels, make_factor, wider
from pyrrf.r.values.errors import NotSupportedError, RError
from pyrrf.r.values.functions import Flag, Item, r_function
from pyrrf.r.values.kinds import factor_levels, is_factor, is_list, is_null
from pyrrf.r.values.labels import names_of, names_part
from pyrrf.r.values.vector import KINDS, Value, copy, null, objects


@r_function(unsupported="keep_null")
def modifyList(x: Value, val: Item, keep_null: Flag = False) -> Value:
    """Return a list with items of another; those that are NULL there are taken away."""
    if not is_list(x) or not is_list(val):
        raise RError(f"is.list({'val' if is_list(x) else 'x'}) is not TRUE")
    made = x.copy()
    known = names_of(x) or []
    for name in filter(None, names_of(val) or []):
        item = val[[name]]
        both = name in known and is_list(made[[name]]) and is_list(item)
        made[[name]] = modifyList(made[[name]], item) if both else item
    return made


@r_function(dots_in_order=True)
def unlist(x: Item, recursive: object = True, use_names: object = True) -> Item:
    """Return the items of a list, and of its lists, as one vector; names are joined as R does it."""
    if not is_list(x):
        return x  # R does not look at the other arguments.
    named = flag(use_names)
    if not flag(recursive) and any(map(is_list, x._data)):
        return _one_level(x, named)
    leaves = list(_leaves(x))
    if any(map(_is_no_vector, leaves)):
        if any(map(is_list, x._data)) or not all(_is_no_vector(item) or _is_single(item) for item in leaves):
            raise NotSupportedError("unlist() of vectors together with code or functions")
        return x
    if not leaves:
        return null()
    labels = _labels(x) if named else None
    if all(map(is_factor, leaves)):
        return joined_factors(leaves, labels)
    kind = wider(*(item._kind for item in leaves))
    return Value(kind, np.concatenate([items_as(kind, item) for item in leaves]), names_part(labels or None))


def _is_no_vector(x: Item) -> bool:
    return not isinstance(x, Value) or x._kind not in KINDS


def _is_single(x: Value) -> bool:
    return len(x) == 1 and not x._attributes


def _one_level(x: Value, named: bool) -> Value:
    """Return a list of the items of the lists in a list, and of the vectors among them."""
    items = np.concatenate([items_as("list", item) for item in x._data])
    return Value("list", objects(map(copy, items)), names_part(_labels(x, deep=False) if named else None))


def items_as(kind: str, x: Item) -> np.ndarray:
    """Return the items of a value as those of a vector of a kind; a factor counts by its codes, also with strings."""
    if not isinstance(x, Value) or x._kind not in KINDS:
        return objects([x])
    return coerce(as_codes(x), kind)._data


def _leaves(x: Value) -> Iterator[Item]:
    """Yield the items of a list and of the lists in it, but for NULL."""
    for item in x._data:
        if is_list(item):
            yield from _leaves(item)
        elif not is_null(item):
            yield item


def joined_factors(parts: Sequence[Value], labels: Sequence[str | None] | None, ordered: bool = False) -> Value:
    """Return one factor of several, with the levels of all of them."""
    levels = list(dict.fromkeys(level for factor in parts for level in factor_levels(factor)))
    place = {level: i + 1.0 for i, level in enumerate(levels)}
    codes = [place.get(text, np.nan) for factor in parts for text in factor_labels(factor)._data]
    return make_factor(codes, levels, ordered, labels)


def joined_names(parts: Sequence[tuple[str, Item]]) -> list[str | None] | None:
    """Return the names of the items that arguments of c() have together, None if there are none."""
    tags = [tag for tag, _ in parts]
    items = objects([item for _, item in parts])
    return _labels(Value("list", items, names_part(tags if any(tags) else None)), deep=False)


# ---- names ---------------------------------------------------------------------------------------


class _Counter:
    """Counter of the items below a name that have no name of their own."""

    count = 0
    number = 0


def _labels(x: Value, deep: bool = True) -> list[str | None] | None:
    """Return the names that R gives the items of a list: those of the lists around them are put before."""
    if not _any_names(x, deep):
        return None
    out: list[str | None] = []
    counter = _Counter()
    for item, tag in _items_with_names(x):
        _name(item, "", tag, counter, out, deep)
    return out


def _items_with_names(x: Value) -> list[tuple[Item, str | None]]:
    """Return the items with their names: "" without one, None for one that is NA."""
    return list(zip(x._data, names_of(x) or [""] * len(x), strict=True))


def item_names(x: Item) -> list[str | None] | None:
    """Return the names of a value; a function has none."""
    return names_of(x) if isinstance(x, Value) else None


def _any_names(x: Item, deep: bool) -> bool:
    if item_names(x) is not None:
        return True
    return is_list(x) and any(_any_names(item, True) if deep else item_names(item) is not None for item in x._data)


def _count(x: Item, deep: bool) -> int:
    if not isinstance(x, Value):
        return 1
    return sum(_count(item, deep) for item, tag in _items_with_names(x) if tag == "") if is_list(x) and deep else len(x)


def _name(item: Item, base: str | None, tag: str | None, counter: _Counter, out: list[str | None], deep: bool) -> None:
    before = (counter.count, counter.number)
    if tag != "":
        base = _under(base, tag)
        counter.count, counter.number = _count(item, deep), 0
    if is_list(item) and deep:
        for inner, label in _items_with_names(item):
            _name(inner, base, label, counter, out, deep)
    else:
        own = (names_of(item) or [""] * len(item)) if isinstance(item, Value) else [""]
        for each in own:
            counter.number += 1
            counted = base if counter.count == 1 or base == "" else f"{_text(base)}{counter.number}"
            out.append(counted if each == "" else _under(base, each))
    if tag != "":
        counter.count = before[0]
        counter.number += before[1]


def _under(base: str | None, label: str | None) -> str | None:
    """Return a name below that of a list around it."""
    return label if base == "" else f"{_text(base)}.{_text(label)}"


def _text(name: str | None) -> str:
    return "NA" if name is None else name
