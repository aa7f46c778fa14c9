"""Dates: days since 1970, read, written and computed with."""

from __future__ import annotations

import calendar
import datetime
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from pyrrf.r.arithmetic.elementwise import COMPARISONS
from pyrrf.r.arithmetic.operators import plainly
from pyrrf.r.base.vectors import c, seq
from pyrrf.r.values.arguments import Named, text
from pyrrf.r.values.coercion import as_codes, attrs, bare, coerce, factor_labels, without
from pyrrf.r.values.errors import NotSupportedError, RError, refuse_if, refuse_none, stop_if, stop_none
from pyrrf.r.values.functions import Flag, Text, r_function
from pyrrf.r.values.kinds import classes, inherits, is_factor, is_list, is_missing, is_na_mark, is_null
from pyrrf.r.values.methods import default
from pyrrf.r.values.vector import NUMBERS, Value, doubles, strings
from pyrrf.rbase.numbers import number_text
from pyrrf.rbase.vectors import REAL_NA

_EPOCH = datetime.date(1970, 1, 1)
_USUAL = ("%Y-%m-%d", "%Y/%m/%d")


def dates(days: Sequence[float] | np.ndarray | float, about: Mapping[str, Value] | None = None) -> Value:
    """Return days since 1970 as dates, with other attributes if they are given."""
    return doubles(days, {**(about or {}), "class": strings("Date")})


@r_function(unsupported="tryFormats optional dots", classes="any -POSIXlt")
def as_Date(
    x: Value,
    format: object = None,
    tryFormats: object = None,
    optional: Flag = False,
    origin: object = None,
    *dots: object,
) -> Value:
    """Return texts in a usual form, or days since an origin, as dates."""
    if inherits(x, "Date"):
        return x
    if inherits(x, "POSIXct"):
        return dates(np.floor(x._data / 86400), attrs(x, "names"))
    if is_factor(x):
        x = factor_labels(x)
    if x._kind == "logical" and not classes(x) and bool(is_missing(x).all()):
        return dates(coerce(x, "double")._data, attrs(x, "names"))
    if classes(x) or x._kind not in (*NUMBERS[1:], "character", "NULL"):
        raise RError("do not know how to convert 'x' to class \u201cDate\u201d")
    if x._kind in NUMBERS:
        begin = format if origin is None else origin
        begin = stop_none(begin, "'origin' must be supplied")
        return dates(coerce(x, "double")._data + as_Date(begin)._data[0], attrs(x, "names"))
    form = _usual(x._data) if format is None else text(format)
    return dates([REAL_NA if day is None else _day(day, form) for day in x._data], attrs(x, "names"))


def _usual(texts: Iterable[str | None]) -> str:
    first = next((text for text in texts if text is not None), None)
    form = next((form for form in _USUAL if first is None or not np.isnan(_day(first, form))), None)
    form = stop_none(form, "character string is not in a standard unambiguous format")
    return form


# Fields of a form: the part of a date, the least and the largest number, and the most figures.
_FIELDS = {
    "Y": ("year", 0, 9999, 4), "y": ("year", 0, 99, 2), "m": ("month", 1, 12, 2), "d": ("day", 1, 31, 2),
    "e": ("day", 1, 31, 2), "j": ("day of year", 1, 366, 3), "H": ("hour", 0, 24, 2), "M": ("minute", 0, 59, 2),
    "S": ("second", 0, 61, 2),
}  # fmt: skip
_WHOLE_FORMS = {"%F": "%Y-%m-%d", "%D": "%y/%m/%d", "%T": "%H:%M:%S", "%R": "%H:%M", "%h": "%b"}
_NAMES: dict[str, Sequence[str]] = {
    "b": calendar.month_name[1:],
    "B": calendar.month_name[1:],
    "a": [*calendar.day_name],
    "A": [*calendar.day_name],
}


def _day(text: str, form: str) -> float:
    """Return the day of a text; NA where it does not begin as the form says, or there is no such day."""
    for short, whole in _WHOLE_FORMS.items():
        form = form.replace(short, whole)
    parts = _read_date(text, form)
    if parts is None:
        return REAL_NA
    if "year" not in parts or not ({"month", "day"} <= parts.keys() or "day of year" in parts):
        if "month" in parts or "year" not in parts:
            return REAL_NA
        raise NotSupportedError("dates without a day, which R takes from the clock")
    try:
        if "day of year" in parts:
            return float(_number(parts["year"], 1, 1) + parts["day of year"] - 1)
        return float(_number(parts["year"], parts["month"], parts["day"]))
    except ValueError:
        return REAL_NA


def _number(year: int, month: int, day: int) -> int:
    """Return a day as days since 1970; of year 0, which Python has not, by that of a year like it."""
    past = 400 if year == 0 else 0
    return (datetime.date(year + past, month, day) - _EPOCH).days - (146097 if past else 0)


def _read_date(text: str, form: str) -> dict[str, int] | None:
    """Return the numbers of a text that begins as a form says; None where it does not."""
    fields: dict[str, int] = {}
    position, letters = 0, iter(form)
    for letter in letters:
        if letter != "%":
            if letter.isspace():
                position += len(text[position:]) - len(text[position:].lstrip())
                continue
            if text[position : position + 1] != letter:
                return None
            position += 1
            continue
        field = next(letters, "%")
        end = _field(text, position, field, fields)
        if end is None:
            return None
        position = end
    return fields


def _field(text: str, place: int, field: str, fields: dict[str, int]) -> int | None:
    """Read one field of a form from a place on, and return the place behind it."""
    if field == "%":
        return place + 1 if text[place : place + 1] == "%" else None
    if field in _NAMES:
        for number, name in enumerate(_NAMES[field]):
            for known in (name, name[:3]):
                if text[place : place + len(known)].lower() == known.lower():
                    if field in "bB":
                        fields["month"] = number + 1
                    return place + len(known)
        return None
    refuse_if(field not in _FIELDS, f"dates in the form %{field}")
    key, least, largest, figures = _FIELDS[field]
    place += len(text[place:]) - len(text[place:].lstrip(" "))
    begin, value = place, 0
    while place - begin < figures and text[place : place + 1].isdecimal() and (place == begin or value * 10 <= largest):
        value, place = value * 10 + int(text[place]), place + 1
    if place == begin or not least <= value <= largest:
        return None
    fields[key] = value + (1900 if value > 68 else 2000) if field == "y" else value
    return place


def format_dates(x: Value, form: str = "%Y-%m-%d") -> Value:
    """Return dates as texts."""
    if inherits(x, "POSIXct"):
        return format_times(x)
    marks = zip(x._data.tolist(), is_na_mark(x._data).tolist(), strict=True)
    return strings([None if missing else _write_date(v, form) for v, missing in marks], attrs(x, "names"))


def _write_date(day: float, form: str) -> str | None:
    if not math.isfinite(day):
        return number_text(day)
    try:
        return (_EPOCH + datetime.timedelta(days=math.floor(day))).strftime(form)
    except OverflowError:
        raise NotSupportedError("dates before year 1 or after year 9999 as text") from None


def format_times(x: Value, zone: bool = False) -> Value:
    """Return times of the system's zone as texts; the hours are left out if all are midnight."""
    refuse_if("tzone" in x._attributes and str(x._attributes["tzone"]._data[0]), "times of another zone as text")
    moments = [None if v != v else datetime.datetime.fromtimestamp(int(np.floor(v))).astimezone() for v in x._data]
    midnight = all(each is None or (each.hour, each.minute, each.second) == (0, 0, 0) for each in moments)
    form = ("%Y-%m-%d" if midnight else "%Y-%m-%d %H:%M:%S") + (" %Z" if zone else "")
    texts = [None if each is None else each.strftime(form) for each in moments]
    return strings(texts, attrs(x, "names"))


# Seconds of a unit of time, and the number of seconds below which R takes it by itself.
_SECONDS = {"secs": 1.0, "mins": 60.0, "hours": 3600.0, "days": 86400.0, "weeks": 604800.0}
_BELOW = {"secs": 60.0, "mins": 3600.0, "hours": 86400.0, "days": np.inf}


def _between(seconds: Value, unit: str = "auto") -> Value:
    """Return a span of seconds, in the unit that fits the shortest or in another."""
    if unit == "auto":
        known = np.abs(seconds._data[~np.isnan(seconds._data)])
        least = float(known.min()) if len(known) else 0.0
        unit = next((unit for unit, below in _BELOW.items() if least < below), "secs")
    plain = attrs(seconds, "names", "dim", "dimnames")
    return _spans(doubles(seconds._data / _SECONDS[unit], plain), unit)


def _of_times(sign: str, *values: Value) -> Value:
    """Return the result of an operator for times of a day."""
    times = [inherits(value, "POSIXct") for value in values]
    if len(values) == 1 or sign not in (*COMPARISONS, "+", "-"):
        raise RError(f"{'unary ' * (len(values) == 1)}'{sign}' not defined for \"POSIXt\" objects")
    refuse_if(any(value._kind not in NUMBERS or is_factor(value) for value in values), f"{sign} of times and others")
    if len({text(v._attributes["tzone"]) for v in values if "tzone" in v._attributes}) > 1:
        raise NotSupportedError(f"{sign} of times of several zones")
    if sign in COMPARISONS:
        return plainly(sign, *values)
    if all(times):
        stop_if(sign == "+", "binary '+' is not defined for \"POSIXt\" objects")
        return _between(plainly(sign, *map(_bare, values)))
    stop_if(not times[0] and sign == "-", 'can only subtract from "POSIXt" objects')
    refuse_if(any(inherits(value, "Date") for value in values), f"{sign} of times and dates")
    seconds = plainly(sign, *[in_units(v, "secs") if inherits(v, "difftime") else _bare(v) for v in values])
    return Value("double", seconds._data, attrs(seconds, "names") | attrs(values[times.index(True)], "class", "tzone"))


def operated_dates(sign: str, *values: Value) -> Value:
    """Return the result of an operator for dates, times and spans of time."""
    if any(inherits(value, "POSIXct") for value in values):
        return _of_times(sign, *values)
    refuse_if(any(is_factor(value) or is_list(value) for value in values), f"{sign} of dates and factors or lists")
    if sign not in COMPARISONS:
        return (_of_days if any(inherits(value, "Date") for value in values) else _of_spans)(sign, *values)
    kinds = [inherits(value, "Date") for value in values]
    if any(kinds):
        values = tuple(as_Date(value) if value._kind == "character" else value for value in values)
    elif len(_units(*values)) > 1:
        values = tuple(in_units(value, "secs") for value in values)
    return plainly(sign, *values)


def _units(*values: Value) -> list[str]:
    """Return the units of spans, each once."""
    return list(dict.fromkeys(text(value._attributes["units"]) for value in values if inherits(value, "difftime")))


def _bare(value: Value) -> Value:
    """Return the numbers of dates, times or spans."""
    return without(value, "class", "units", "tzone")


def _of_days(sign: str, *values: Value) -> Value:
    """Return days shifted by a number or a span, or the days between two dates."""
    both = len(values) == 2 and all(inherits(value, "Date") for value in values)
    if sign == "-" and both:
        return _spans(plainly(sign, *[_bare(value) for value in values]), "days")
    if sign not in ("+", "-"):
        raise RError(f'{"unary " * (len(values) == 1)}{sign} not defined for "Date" objects')
    if len(values) == 1 and sign == "+":
        return values[0]
    if len(values) == 1 or both:
        raise RError(f'{"unary" if len(values) == 1 else "binary"} {sign} is not defined for "Date" objects')
    stop_if(sign == "-" and not inherits(values[0], "Date"), 'can only subtract from "Date" objects')
    days = coerce(plainly(sign, *[_days(v) if inherits(v, "difftime") else _bare(v) for v in values]), "double")
    return Value("double", days._data, days._attributes | {"class": strings("Date")})


def _days(span: Value) -> Value:
    unit = text(span._attributes["units"])
    days = span._data * 7 if unit == "weeks" else span._data / (_SECONDS["days"] / _SECONDS[unit])
    return doubles(np.round(days), attrs(span, "names"))


def _of_spans(sign: str, *values: Value) -> Value:
    """Return spans added, or made longer by a number; of several units in seconds."""
    spans = [inherits(value, "difftime") for value in values]
    if sign not in ("+", "-", "*", "/") or (len(values) == 1 and sign in "*/"):
        raise RError(f"{'unary ' * (len(values) == 1)}'{sign}' not defined for \"difftime\" objects")
    stop_if(sign == "/" and spans[1], 'second argument of / cannot be a "difftime" object')
    stop_if(sign == "*" and all(spans), 'both arguments of * cannot be "difftime" objects')
    if len(values) == 2 and all(spans):
        values, unit = in_one_unit(values)
        return _spans(plainly(sign, *values), text(unit))
    return _spans(plainly(sign, *[_bare(value) for value in values]), *_units(*values))


def in_one_unit(spans: Sequence[Value]) -> tuple[tuple[Value, ...], Value]:
    """Return the numbers of spans in the unit of all of them, or else in seconds, and that unit."""
    stop_if(not all(inherits(span, "difftime") for span in spans), "comparison of these types is not implemented")
    units = _units(*spans)
    if len(units) == 1:
        return tuple(map(_bare, spans)), strings(units)
    return tuple(in_units(span, "secs") for span in spans), strings("secs")


def _spans(numbers: Value, unit: str) -> Value:
    about = {"class": strings("difftime"), "units": strings(unit)}
    return Value("double", coerce(numbers, "double")._data, numbers._attributes | about)


def joined_dates(parts: Sequence[tuple[str, Value]]) -> Value:
    """Return c() of dates and of values that can become dates."""
    days = c(*[Named(name, bare_but_names(as_Date(item))) for name, item in parts])
    return dates(days._data, attrs(days, "names"))


def joined_times(parts: Sequence[tuple[str, Value]]) -> Value:
    """Return c() of times, dates and missing values."""
    seconds = [(name, _seconds("c", item)) for name, item in parts]
    zones = {item._attributes["tzone"]._data[0] if "tzone" in item._attributes else None for _, item in parts}
    joint = c(*[Named(name, item) for name, item in seconds])
    about = {"class": strings(["POSIXct", "POSIXt"])} | (attrs(parts[0][1], "tzone") if len(zones) == 1 else {})
    return doubles(joint._data, attrs(joint, "names") | about)


def joined_spans(parts: Sequence[tuple[str, Value]]) -> Value:
    """Return c() of spans, and of numbers as spans of their unit."""
    spans = [inherits(item, "difftime") for _, item in parts]
    if any(
        not span and (item._kind not in NUMBERS[1:] or classes(item))
        for span, (_, item) in zip(spans, parts, strict=True)
    ):
        raise NotSupportedError("c() of spans of time and other values")
    units = _units(*[item for _, item in parts])
    unit = units[0] if len(units) == 1 else "secs"
    joint = c(
        *[
            Named(name, bare_but_names(in_units(item, unit) if span else item))
            for span, (name, item) in zip(spans, parts, strict=True)
        ]
    )
    result = _spans(joint, unit)
    if not any(name for name, _ in parts):
        return result
    # R takes the unit out of a vector that has the names of the arguments.
    named = strings(unit, {"names": strings(next(name for span, (name, _) in zip(spans, parts, strict=True) if span))})
    return Value(result._kind, result._data, result._attributes | {"units": named})


def bare_but_names(x: Value) -> Value:
    """Return a value without attributes but its names."""
    return Value(x._kind, x._data, attrs(x, "names"))


def _seconds(function: str, x: Value) -> Value:
    """Return the seconds since 1970 of times, dates, and texts of days, with their names."""
    if inherits(x, "POSIXct"):
        return bare_but_names(x)
    if x._kind == "character" and any(":" in item for item in x._data if item is not None):
        raise NotSupportedError(f"{function}() of texts of times")
    days = as_Date(x)
    return doubles(days._data * 86400, attrs(days, "names"))


@r_function()
def Sys_Date() -> Value:
    """Return the day of today."""
    return dates(float((datetime.date.today() - _EPOCH).days))


@r_function()
def Sys_time() -> Value:
    """Return the time of now."""
    now = datetime.datetime.now(datetime.UTC).timestamp()
    return doubles(now, {"class": strings(["POSIXct", "POSIXt"])})


@r_function(unsupported="tz")
def difftime(time1: Value, time2: Value, tz: object = None, units: Text = "auto") -> Value:
    """Return the span between two dates or times."""
    refuse_if(units not in (*_SECONDS, "auto"), f"difftime() in {units}")
    return _between(plainly("-", _seconds("difftime", time1), _seconds("difftime", time2)), units)


def times_of(x: Value) -> Value:
    """Return values as `[<-` puts them among times."""
    return _seconds("[<-", x)


def spans_like(x: Value, model: Value) -> Value:
    """Return values as `[<-` puts them among spans: numbers in the unit of the others."""
    return in_units(x, model._attributes["units"]) if inherits(x, "difftime") else bare(as_codes(x))


def in_units(x: Value, units: object) -> Value:
    """Return a span in other units: R's ``as.numeric(x, units = "hours")``."""
    before, after = text(x._attributes["units"]), text(units)
    stop_if(after != "auto" and after not in _SECONDS, "invalid units specified")
    if after in ("auto", before):
        return bare_but_names(x)
    return doubles(x._data * (_SECONDS[before] / _SECONDS[after]), attrs(x, "names"))


def _speller(name: str, doc: str, form: str) -> Callable[..., Value]:
    @r_function(name, doc, classes="any -POSIXct -summaryDefault")
    def spell(x: Value, abbreviate: Flag = False) -> Value:
        stop_if(not inherits(x, "Date"), f"no applicable method for '{name}' applied to an object of this class")
        return format_dates(x, form if abbreviate else form.upper())

    return spell


weekdays = _speller("weekdays", "Return the day of the week of dates.", "%a")
months = _speller("months", "Return the month of dates.", "%b")


_WORD = re.compile(r"(?:(-?\d+) )?(day|week|month|quarter|year)s?")


def seq_Date(from_: Value, to: Value | None, by: Value | None, n: int | None) -> Value:
    """Return a sequence of dates: by days, weeks, months, quarters, years, or of a length."""
    for end, what in ((from_, "from"), (to, "to"), (by, "by")):
        stop_if(end is not None and len(end) != 1, f"'{what}' must be of length 1")
    if sum(item is not None for item in (to, by, n)) != 2:
        raise RError("exactly two of 'to', 'by' and 'length.out' / 'along.with' must be specified")
    first = bare(as_Date(from_))
    last = None if to is None else bare(as_Date(to))
    refuse_if(not np.isfinite([float(end) for end in (first, last) if end is not None]).all(), "seq() of missing dates")
    if by is None:
        return dates(seq(first, last, length_out=n)._data)
    step, unit = _step(by)
    if unit == "day":
        moved = seq(doubles(0), None if last is None else doubles(last._data - first._data), doubles(step), n)
        return dates(moved._data + first._data)
    begin = _EPOCH + datetime.timedelta(days=int(first._data[0]))
    far = None
    if last is not None:
        final = _EPOCH + datetime.timedelta(days=int(last._data[0]))
        years = final.year - begin.year
        far = doubles(years if unit == "year" else 12 * years + final.month - begin.month)
    counts = seq(doubles(0), far, doubles(step), n)._data * (12 if unit == "year" else 1)
    days = np.array([_later(begin, int(count)) for count in counts])
    if last is not None:
        days = days[days <= last._data[0] if step > 0 else days >= last._data[0]]
    return dates(days)


def _step(by: Value) -> tuple[float, str]:
    if inherits(by, "difftime"):
        return float(in_units(by, "days")), "day"
    if by._kind in ("integer", "double") and not classes(by):
        return float(by._data[0]), "day"
    match = _WORD.fullmatch(str(by._data[0])) if by._kind == "character" else None
    match = refuse_none(match, "seq() of dates by such a step")
    times, unit = {"week": (7, "day"), "quarter": (3, "month")}.get(match[2], (1, match[2]))
    return float(match[1] or 1) * times, unit


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
