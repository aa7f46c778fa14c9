"""Dates: days since 1970, read, written and computed with."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pyrrf.r.arithmetic.operators import plainly
from pyrrf.r.base.vectors import seq
from pyrrf.r.values.arguments import text
from pyrrf.r.values.attributes import bare, factor_labels, inherits, is_factor, is_missing, kept, without
from pyrrf.r.values.coercion import coerced
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.methods import default
from pyrrf.r.values.vector import NUMBERS, NotSupportedError, RError, Value, doubles, is_null, strings
from pyrrf.rbase.vectors import REAL_NA

_EPOCH = datetime.date(1970, 1, 1)
_USUAL = ("%Y-%m-%d", "%Y/%m/%d")


def dates(days: Sequence[float] | np.ndarray | float, about: Mapping[str, Value] | None = None) -> Value:
    """Return days since 1970 as dates, with other attributes if they are given."""
    return doubles(days, {**(about or {}), "class": strings("Date")})


@r_function(unsupported="tryFormats optional dots")
def as_Date(
    x: Value,
    format: object = None,
    tryFormats: object = None,
    optional: Flag = False,
    origin: object = None,
    *dots: object,
) -> Value:
    """Return texts, or days since 1970, as dates."""
    if inherits(x, "Date"):
        return x
    if inherits(x, "POSIXct"):
        return dates(np.floor(x._data / 86400))
    if x._kind in NUMBERS and not is_factor(x):
        begin = 0.0 if origin is None else as_Date(origin)._data[0]
        return dates(coerced(x, "double")._data + begin, kept(x, "names"))
    texts = (factor_labels(x) if is_factor(x) else x)._data
    form = _usual(texts) if format is None else text(format)
    return dates([REAL_NA if day is None else _day(day, form) for day in texts], kept(x, "names"))


def _usual(texts: Iterable[str | None]) -> str:
    first = next((text for text in texts if text is not None), None)
    form = next((form for form in _USUAL if first is None or not np.isnan(_day(first, form))), None)
    if form is None:
        raise RError("character string is not in a standard unambiguous format")
    return form


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
    return strings(texts, kept(x, "names"))


def format_times(x: Value, zone: bool = False) -> Value:
    """Return times of the system's zone as texts; the hours are left out if all are midnight."""
    if "tzone" in x._attributes and str(x._attributes["tzone"]._data[0]):
        raise NotSupportedError("times of another zone as text")
    found = [None if v != v else datetime.datetime.fromtimestamp(int(np.floor(v))).astimezone() for v in x._data]
    midnight = all(each is None or (each.hour, each.minute, each.second) == (0, 0, 0) for each in found)
    form = ("%Y-%m-%d" if midnight else "%Y-%m-%d %H:%M:%S") + (" %Z" if zone else "")
    texts = [None if each is None else each.strftime(form) for each in found]
    return strings(texts, kept(x, "names"))


# What a unit of time has in seconds, and below how many seconds R takes it by itself.
_SECONDS = {"secs": 1.0, "mins": 60.0, "hours": 3600.0, "days": 86400.0, "weeks": 604800.0}
_BELOW = {"secs": 60.0, "mins": 3600.0, "hours": 86400.0, "days": np.inf}


def _between(first: Value, second: Value) -> Value:
    """Return the span between times, in the units that fit the shortest."""
    found = first._data - second._data
    known = np.abs(found[~np.isnan(found)])
    unit = next(unit for unit, below in _BELOW.items() if not len(known) or known.min() < below)
    return _spans(doubles(found / _SECONDS[unit]), unit)


def _of_times(sign: str, *values: Value) -> Value:
    times = [inherits(value, "POSIXct") for value in values]
    if not all(times) and (sign not in ("+", "-") or any(v._kind not in ("double", "integer") for v in values)):
        raise NotSupportedError(f"{sign} of times and other values")
    if any(inherits(value, "difftime") for value in values) or len(values) == 1:
        raise NotSupportedError("arithmetic of times and spans")
    if all(times) and sign == "-":
        return _between(*values)
    return plainly(sign, *values)


def operated_dates(sign: str, *values: Value) -> Value:
    """Return what an operator gives for dates and spans of time."""
    if any(inherits(value, "POSIXct") for value in values):
        return _of_times(sign, *values)
    if sign not in ("==", "!=", "<", "<=", ">", ">="):
        return (_of_days if any(inherits(value, "Date") for value in values) else _of_spans)(sign, *values)
    values = tuple(as_Date(value) if value._kind == "character" or is_factor(value) else value for value in values)
    kinds = {name for value in values for name in ("Date", "difftime") if inherits(value, name)}
    if len(kinds) > 1 or len(_units(*values)) > 1:
        raise NotSupportedError("dates combined with spans of other units")
    return plainly(sign, *values)


def _units(*values: Value) -> set[str]:
    return {text(value._attributes["units"]) for value in values if inherits(value, "difftime")}


def _bare(value: Value) -> Value:
    """Return the numbers without what makes them dates or spans."""
    return without(value, "class", "units")


def _of_days(sign: str, *values: Value) -> Value:
    """Return days shifted by a number or a span, or the days between two dates."""
    both = len(values) == 2 and all(inherits(value, "Date") for value in values)
    if sign == "-" and both:
        return _spans(plainly(sign, *[_bare(value) for value in values]), "days")
    if sign not in ("+", "-"):
        raise RError(f'{sign} not defined for "Date" objects')
    if len(values) == 1 and sign == "+":
        return values[0]
    if len(values) == 1 or both:
        raise RError(f'{"unary" if len(values) == 1 else "binary"} {sign} is not defined for "Date" objects')
    if sign == "-" and not inherits(values[0], "Date"):
        raise RError('can only subtract from "Date" objects')
    found = coerced(plainly(sign, *[_days(v) if inherits(v, "difftime") else _bare(v) for v in values]), "double")
    return Value("double", found._data, found._attributes | {"class": strings("Date")})


def _days(span: Value) -> Value:
    unit = text(span._attributes["units"])
    days = span._data * 7 if unit == "weeks" else span._data / (_SECONDS["days"] / _SECONDS[unit])
    return doubles(np.round(days))


def _of_spans(sign: str, *values: Value) -> Value:
    """Return spans added, or made longer by a number."""
    spans = [inherits(value, "difftime") for value in values]
    if len(_units(*values)) > 1:
        raise NotSupportedError("spans of different units together")
    if sign not in ("+", "-", "*", "/"):
        raise RError(f"'{sign}' not defined for \"difftime\" objects")
    if sign == "/" and spans[1]:
        raise RError('second argument of / cannot be a "difftime" object')
    if sign == "*" and all(spans):
        raise RError('both arguments of * cannot be "difftime" objects')
    return _spans(plainly(sign, *[_bare(value) for value in values]), *_units(*values))


def _spans(found: Value, unit: str) -> Value:
    about = {"class": strings("difftime"), "units": strings(unit)}
    return Value("double", coerced(found, "double")._data, found._attributes | about)


def Sys_Date() -> Value:
    """Return the day of today."""
    return dates(float((datetime.date.today() - _EPOCH).days))


def Sys_time() -> Value:
    """Return the time of now."""
    now = datetime.datetime.now(datetime.UTC).timestamp()
    return doubles(now, {"class": strings(["POSIXct", "POSIXt"])})


@r_function()
def difftime(time1: Value, time2: Value, tz: object = None, units: Text = "auto") -> Value:
    """Return the span between two dates or times."""
    times = inherits(time1, "POSIXct") and inherits(time2, "POSIXct")
    if times and units == "auto":
        return _between(time1, time2)
    unit = "days" if units == "auto" else units
    sizes = _SECONDS if times else {"days": 1.0, "weeks": 7.0}
    if unit not in sizes:
        raise NotSupportedError(f"difftime() in {unit}")
    found = time1._data - time2._data if times else as_Date(time1)._data - as_Date(time2)._data
    return _spans(doubles(found / sizes[unit]), unit)


def in_units(x: Value, units: object) -> Value:
    """Return a span in other units: R's ``as.numeric(x, units = "hours")``."""
    before, after = text(x._attributes["units"]), text(units)
    if after != "auto" and after not in _SECONDS:
        raise RError("invalid units specified")
    if after in ("auto", before):
        return bare(x)
    return doubles(x._data * (_SECONDS[before] / _SECONDS[after]))


def _spelled(function: str, x: Value, form: str) -> Value:
    if bool(is_missing(x).any()) or not inherits(x, "Date"):
        raise NotSupportedError(f"{function}() of other than known dates")
    return format_dates(x, form)


@r_function()
def weekdays(x: Value, abbreviate: Flag = False) -> Value:
    """Return the day of the week of dates."""
    return _spelled("weekdays", x, "%a" if abbreviate else "%A")


@r_function()
def months(x: Value, abbreviate: Flag = False) -> Value:
    """Return the month of dates."""
    return _spelled("months", x, "%b" if abbreviate else "%B")


_WORD = re.compile(r"(?:(-?\d+) )?(day|week|month|quarter|year)s?")


def seq_Date(from_: Value, to: Value | None, by: Value | None, n: int | None) -> Value:
    """Return a sequence of dates: by days, weeks, months, quarters, years, or of a length.

    Raises
    ------
    RError
        Too much is given, or too little.
    NotSupportedError
        The step is a span of time, or a word that is not known here.
    """
    if sum(part is not None for part in (to, by, n)) != 2:
        raise RError("exactly two of 'to', 'by' and 'length.out' / 'along.with' must be specified")
    first = doubles(as_Date(from_)._data)
    last = None if to is None else doubles(as_Date(to)._data)
    if by is None:
        return dates(seq(first, last, length_out=n)._data)
    step, unit = _step(by)
    if unit == "day":
        moved = seq(doubles(0), None if last is None else doubles(last._data - first._data), doubles(step), n)
        return dates(moved._data + first._data)
    begin = _EPOCH + datetime.timedelta(days=int(first._data[0]))
    far = None
    if last is not None:
        end = _EPOCH + datetime.timedelta(days=int(last._data[0]))
        years = end.year - begin.year
        far = doubles(years if unit == "year" else 12 * years + end.month - begin.month)
    counts = seq(doubles(0), far, doubles(step), n)._data * (12 if unit == "year" else 1)
    days = np.array([_later(begin, int(count)) for count in counts])
    if last is not None:
        days = days[days <= last._data[0] if step > 0 else days >= last._data[0]]
    return dates(days)


def _step(by: Value) -> tuple[float, str]:
    if by._kind in ("integer", "double") and "class" not in by._attributes:
        return float(by._data[0]), "day"
    found = _WORD.fullmatch(str(by._data[0])) if by._kind == "character" else None
    if found is None:
        raise NotSupportedError("seq() of dates by such a step")
    times, unit = {"week": (7, "day"), "quarter": (3, "month")}.get(found[2], (1, found[2]))
    return float(found[1] or 1) * times, unit


def _later(day: datetime.date, months: int) -> float:
    """Return the day some months later; days beyond the end of a month run into the next, as in C's mktime."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return float((datetime.date(year, month + 1, 1) - _EPOCH).days + day.day - 1)


def format_Date(x: Value, how: object = None) -> Value:
    """Return dates or times as texts; how wide, does not matter."""
    return format_dates(x)


def format_by(x: Value, form: object) -> Value:
    """Return dates or times as texts of a form, such as "%d.%m.%Y"."""
    return format_dates(x) if is_null(form) or inherits(x, "POSIXct") else format_dates(x, text(form))


def format_difftime(x: Value, how: object) -> Value:
    """Return spans of time as texts with their units."""
    plain = default("format.how")(bare(x), how)
    return strings(f"{item} {text(x._attributes['units'])}" for item in plain._data)
