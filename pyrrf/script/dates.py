"""Dates: days since 1970, read, written and computed with."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from pyrrf.script.coercion import coerced, one
from pyrrf.script.looking import factor_labels, inherits, is_factor, is_missing
from pyrrf.script.values import REAL_NA, NotMovedError, RError, Value, as_value, doubles, strings

_EPOCH = datetime.date(1970, 1, 1)
_USUAL = ("%Y-%m-%d", "%Y/%m/%d")


def dates(days: Any, names: Value | None = None) -> Value:
    """Return days since 1970 as dates."""
    about = {"class": strings("Date")}
    return doubles(days, about if names is None else {"names": names, **about})


def as_Date(
    x: Any, format: Any = None, tryFormats: Any = None, optional: Any = False, origin: Any = None, *dots: Any
) -> Value:
    """Return texts, or days since 1970, as dates."""
    value = as_value(x)
    if inherits(value, "Date"):
        return value
    if inherits(value, "POSIXct"):
        return dates(np.floor(value._data / 86400))
    if value._kind in ("double", "integer", "logical") and not is_factor(value):
        begin = 0.0 if origin is None else as_Date(origin)._data[0]
        return dates(coerced(value, "double")._data + begin)
    texts = (factor_labels(value) if is_factor(value) else value)._data
    form = _usual(texts) if format is None else str(one(format, "character"))
    return dates([REAL_NA if text is None else _day(text, form) for text in texts])


def _usual(texts: Any) -> str:
    first = next((text for text in texts if text is not None), None)
    if first is None:
        return _USUAL[0]
    found = next((form for form in _USUAL if _day(first, form) == _day(first, form)), None)
    if found is None:
        raise RError("character string is not in a standard unambiguous format")
    return found


def _day(text: str, form: str) -> float:
    if not set(form.replace("%%", "")) >= {"%"}:
        return REAL_NA
    for end in range(len(text), 0, -1):
        try:
            return float((datetime.datetime.strptime(text[:end].strip(), form).date() - _EPOCH).days)
        except ValueError:
            continue
    return REAL_NA


def format_dates(x: Value, form: str = "%Y-%m-%d") -> Value:
    """Return dates as texts."""
    if inherits(x, "POSIXct"):
        return format_times(x)
    texts = [None if v != v else (_EPOCH + datetime.timedelta(days=int(np.floor(v)))).strftime(form) for v in x._data]
    return strings(texts, {"names": x._attributes["names"]} if "names" in x._attributes else None)


def format_times(x: Value, zone: bool = False) -> Value:
    """Return times of the system's zone as texts; the hours are left out if all are midnight."""
    if "tzone" in x._attributes and str(x._attributes["tzone"]._data[0]):
        raise NotMovedError("times of another zone as text")
    found = [None if v != v else datetime.datetime.fromtimestamp(int(np.floor(v))).astimezone() for v in x._data]
    midnight = all(each is None or (each.hour, each.minute, each.second) == (0, 0, 0) for each in found)
    form = ("%Y-%m-%d" if midnight else "%Y-%m-%d %H:%M:%S") + (" %Z" if zone else "")
    texts = [None if each is None else each.strftime(form) for each in found]
    return strings(texts, {"names": x._attributes["names"]} if "names" in x._attributes else None)


_UNITS = (("secs", 60.0, 1.0), ("mins", 3600.0, 60.0), ("hours", 86400.0, 3600.0), ("days", np.inf, 86400.0))


def _between(first: Value, second: Value) -> Value:
    """Return the span between times, in the units that fit the shortest."""
    found = first._data - second._data
    known = np.abs(found[~np.isnan(found)])
    unit, _, size = next(each for each in _UNITS if not len(known) or known.min() < each[1])
    return doubles(found / size, {"class": strings("difftime"), "units": strings(unit)})


def _of_times(sign: str, *values: Value) -> Value:
    from pyrrf.script.operators import plainly

    times = [inherits(value, "POSIXct") for value in values]
    if not all(times) and (sign not in ("+", "-") or any(v._kind not in ("double", "integer") for v in values)):
        raise NotMovedError(f"{sign} of times and other values")
    if any(inherits(value, "difftime") for value in values) or len(values) == 1:
        raise NotMovedError("arithmetic of times and spans")
    if all(times) and sign == "-":
        return _between(*values)
    return plainly(sign, *values)


def operated(sign: str, *values: Value) -> Value:
    """Return what an operator gives for dates and spans of time."""
    from pyrrf.script.operators import plainly

    if any(inherits(value, "POSIXct") for value in values):
        return _of_times(sign, *values)
    texts = [value._kind == "character" or is_factor(value) for value in values]
    if any(texts) and sign in ("==", "!=", "<", "<=", ">", ">="):
        values = tuple(as_Date(value) if text else value for value, text in zip(values, texts, strict=True))
    if sign == "-" and len(values) == 2 and all(inherits(value, "Date") for value in values):
        found = plainly(sign, *[Value(v._kind, v._data) for v in values])
        return doubles(found._data, {"class": strings("difftime"), "units": strings("days")})
    if sign in ("==", "!=", "<", "<=", ">", ">="):
        return plainly(sign, *values)
    if any(inherits(value, "difftime") for value in values) and any(inherits(value, "Date") for value in values):
        values = tuple(Value(v._kind, v._data) if inherits(v, "difftime") else v for v in values)
    if sign not in ("+", "-") and any(inherits(value, "Date") for value in values):
        raise RError(f'{sign} not defined for "Date" objects')
    found = plainly(sign, *values)
    return Value("double", coerced(found, "double")._data, found._attributes)


def Sys_Date() -> Value:
    """Return the day of today."""
    return dates(float((datetime.date.today() - _EPOCH).days))


def Sys_time() -> Value:
    """Return the time of now."""
    now = datetime.datetime.now(datetime.UTC).timestamp()
    return doubles(now, {"class": strings(["POSIXct", "POSIXt"])})


def difftime(time1: Any, time2: Any, tz: Any = None, units: Any = "auto") -> Value:
    """Return the span between two dates or times."""
    first, second = as_value(time1), as_value(time2)
    word = str(coerced(units, "character")._data[0])
    if inherits(first, "POSIXct") and inherits(second, "POSIXct"):
        sizes = {unit: size for unit, _, size in _UNITS}
        if word == "auto":
            return _between(first, second)
        if word not in sizes:
            raise NotMovedError(f"difftime() in {word}")
        return doubles(
            (first._data - second._data) / sizes[word], {"class": strings("difftime"), "units": strings(word)}
        )
    share = {"auto": 1.0, "days": 1.0, "weeks": 7.0}.get(word)
    if share is None:
        raise NotMovedError(f"difftime() in {word}")
    found = as_Date(first)._data - as_Date(second)._data
    return doubles(found / share, {"class": strings("difftime"), "units": strings("days" if word == "auto" else word)})


def weekdays(x: Any, abbreviate: Any = False) -> Value:
    """Return the day of the week of dates."""
    value = as_value(x)
    if bool(is_missing(value).any()) or not inherits(value, "Date"):
        raise NotMovedError("weekdays() of other than known dates")
    return format_dates(value, "%a" if bool(as_value(abbreviate)) else "%A")


def months(x: Any, abbreviate: Any = False) -> Value:
    """Return the month of dates."""
    value = as_value(x)
    if bool(is_missing(value).any()) or not inherits(value, "Date"):
        raise NotMovedError("months() of other than known dates")
    return format_dates(value, "%b" if bool(as_value(abbreviate)) else "%B")
