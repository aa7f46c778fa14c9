"""Columns that cannot be used as they stand: one message names them all, and ends with the options that help."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from pyrrf.cli.messages import short
from pyrrf.cli.text import DECIMALS, THOUSANDS, Format, Text, number_pattern
from pyrrf.types import Column

# Longest text, and most texts, that are proposed as an option.
_LONGEST_MARK, _MOST_MARKS = 20, 3
# The decimal mark and the mark of thousands.
Marks = tuple[str, str | None]
_COMMA: Marks = (",", None)
_ENGLISH: Marks = (".", ",")


class RefusedError(Exception):
    """A column that cannot be used as it stands.

    Parameters
    ----------
    what, trouble : str
        The column, and what is wrong with it.
    drop : str, optional
        The name that leaves it out.
    na : sequence of str
        Words in it that may mean a missing value.
    numbers : Numbers, optional
        Its numbers, where they are written in another way.
    """

    def __init__(
        self, what: str, trouble: str, drop: str | None = None, na: Sequence[str] = (), numbers: Numbers | None = None
    ) -> None:
        super().__init__(f"{what} {trouble}")
        self.what, self.trouble, self.drop, self.na, self.numbers = what, trouble, drop, na, numbers


@contextmanager
def collect(refusals: list[RefusedError]) -> Iterator[None]:
    """Collect the refusal of a column for a message that names all."""
    try:
        yield
    except RefusedError as error:
        refusals.append(error)


# ---- numbers as text -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbers:
    """Numbers of a column that are text: the first that is not read, its row, and by which marks all are read."""

    value: str
    row: int
    marks: list[Marks]


def refuse_words_among_numbers(column: Column, what: str, text: Text, drop: str | None) -> None:
    """Refuse a column of words at least half of which are numbers, by whatever marks they are written.

    The others, or all, mean something else, which only the user can say.
    """
    sizes = column.value_counts()
    words = [str(word) for word in sizes.index]
    fits = {marks: _are_numbers(words, marks) for marks in _possible(text.form, "".join(words))}
    known = {marks: int(sizes.to_numpy()[fit].sum()) for marks, fit in fits.items()}
    most = max(known.values())
    if 2 * most < sizes.sum():
        return
    best, current = [marks for marks in known if known[marks] == most], fits[text.form.point, text.form.thousands]
    others = [word for word, fit in zip(words, fits[best[0]], strict=True) if not fit]
    unread = [word for word, fit, read in zip(words, fits[best[0]], current, strict=True) if fit and not read]
    trouble, numbers = "", None
    if others:
        row, count = _row_of(others, column), int(column.isin(others).sum())
        trouble = f"is numeric, but row {row} has {short(column.iloc[row - 1])}"
        trouble += f" ({count} of {len(column)} rows are not numbers)"
        if any(number_pattern(decimal).fullmatch(word) for decimal in DECIMALS for word in others):
            raise RefusedError(what, f"{trouble}, a number with other marks", drop)
    if unread:
        row = _row_of(unread, column)
        numbers = Numbers(str(column.iloc[row - 1]), row, best)
    if trouble or numbers:
        raise RefusedError(what, trouble, drop, others, numbers)


def _are_numbers(words: Sequence[str], marks: Marks) -> np.ndarray:
    """Return a flag for each word: whether it is a number by some marks, and not one of codes of one form."""
    pattern = number_pattern(*marks)
    matches = [pattern.fullmatch(word) is not None for word in words]
    shapes = {len(word.strip()) for word, fits in zip(words, matches, strict=True) if fits}
    is_code = marks[1] not in (None, *DECIMALS) and len(shapes) == 1
    return np.zeros(len(words), np.bool_) if is_code else np.array(matches, np.bool_)


def _possible(form: Format, letters: str) -> list[Marks]:
    """Return candidate pairs of decimal and thousands marks, those of the table first."""
    decimals = [form.decimal] if form.decimal else [mark for mark in DECIMALS if mark in letters or mark == form.point]
    thousands = [form.thousands] if form.thousands else [None, *(mark for mark in THOUSANDS if mark in letters)]
    return [(decimal, mark) for mark in thousands for decimal in decimals if decimal != mark]


def _row_of(words: Sequence[str], column: Column) -> int:
    """Return the first row that has one of some words, counted from 1 under the header."""
    return int(column.isin(words).to_numpy().argmax()) + 1


def _read_as(marks: Marks, value: str) -> str:
    """Return the value of a number read by some marks."""
    decimal, thousands = marks
    return f"{float(value.replace(thousands or '', '').replace(decimal, '.')):.15g}"


def _options(marks: Marks, form: Format) -> str:
    """Return the options that ask for marks, beyond those given."""
    decimal, thousands = marks
    options = [f"--decimal {decimal}"] if decimal != form.point else []
    return " ".join(
        options + ([f"--thousands {in_shell(thousands)}"] if thousands and thousands != form.thousands else [])
    )


def _marks_of_all(refused: Sequence[RefusedError], text: Text) -> Marks:
    """Return the marks by which most columns are read; where a comma may be either mark, the separator decides."""
    votes = Counter(marks for one in refused if one.numbers for marks in one.numbers.marks)
    most = max(votes.values(), default=0)
    best = [marks for marks in votes if votes[marks] == most] or [(text.form.point, text.form.thousands)]
    return _ENGLISH if _COMMA in best and _ENGLISH in best and text.separator == "," else best[0]


# ---- the message ---------------------------------------------------------------------------------


def refusal_text(refused: Sequence[RefusedError], source: str, text: Text | None, left: bool) -> str:
    """Return the message that names all refused columns; its last line proposes options.

    `left`: whether other predictors are left; without any, options that leave columns out are of no use.
    """
    marks, form = _marks_and_form(refused, text)
    each = [f"{one.what} {_trouble_of(one, marks, form)}" for one in refused]
    read = [one for one in refused if _can_be_read(one, marks)]
    options = [_options(marks, form)] if marks and any(one.numbers for one in read) else []
    options.append(_option_text("--na", [word.strip() for one in read for word in one.na]))
    out = [one.drop for one in refused if one not in read and one.drop is not None]
    options.append(_option_text("--drop", out if left or any(one.drop for one in read) else []))
    additions = " ".join(filter(None, options))
    lines = [f"{source}: {each[0]}"] if len(each) == 1 else [f"{source}: {len(each)} columns cannot be used:", *each]
    if left and all(one.drop is not None for one in refused):
        lines.append(f"to leave {'it' if len(each) == 1 else 'them'} out, add --drop-unreadable")
    if not left and not additions:
        lines.append("no other feature is left; at least one is needed, so correct the file")
    return "\n".join([*lines, *([f"to go on, correct the file, or add {additions}"] if additions else [])])


def reasons(refused: Sequence[RefusedError], text: Text | None) -> dict[str, str]:
    """Return why each refused column is not read, without advice on how to drop it, by name."""
    marks, form = _marks_and_form(refused, text)
    troubles = {one.drop: (_trouble_of(one, marks, form), one) for one in refused if one.drop is not None}
    # Options that read the column are of use; advice to drop it is not.
    return {
        name: trouble if one.na or one.numbers else trouble.partition("; ")[0]
        for name, (trouble, one) in troubles.items()
    }


def _marks_and_form(refused: Sequence[RefusedError], text: Text | None) -> tuple[Marks | None, Format]:
    return (_marks_of_all(refused, text), text.form) if text else (None, Format())


def _can_be_read(one: RefusedError, marks: Marks | None) -> bool:
    """Whether a column can be used if its numbers are read by some marks, and some words mean a missing value."""
    if one.numbers is not None and marks not in one.numbers.marks:
        return False
    return bool(one.na or one.numbers) and len(one.na) <= _MOST_MARKS and all(map(is_option, one.na))


def _trouble_of(one: RefusedError, marks: Marks | None, form: Format) -> str:
    number = _numbers_text(one.numbers, marks, form) if one.numbers else ""
    return "; ".join(filter(None, [number, one.trouble]))


def _numbers_text(numbers: Numbers, marks: Marks | None, form: Format) -> str:
    """Return a number as written, and as the proposed options read it."""
    text = f"has {short(numbers.value)} in row {numbers.row}"
    if marks not in numbers.marks or marks is None:
        return f"{text}, a number with other marks than those of other columns"
    text += f", which {_options(marks, form)} reads as {_read_as(marks, numbers.value)}"
    both = {_COMMA, _ENGLISH}
    other = next(iter(both - {marks})) if both <= {*numbers.marks} and marks in both else None
    return f"{text} ({_options(other, form)} as {_read_as(other, numbers.value)})" if other else text


def is_option(word: str) -> bool:
    """Whether a word can be given as one of several with commas between them."""
    plain = word.strip()
    return bool(plain) and "," not in plain and len(plain) <= _LONGEST_MARK


def _option_text(option: str, values: Sequence[str]) -> str:
    """Return an option with several values; it is repeated for a value that holds a comma."""
    plain = [value for value in dict.fromkeys(values) if value and value == value.strip() and "," not in value]
    others = [value for value in dict.fromkeys(values) if value not in plain]
    return " ".join(f"{option} {in_shell(value)}" for value in [*([",".join(plain)] if plain else []), *others])


def in_shell(text: str) -> str:
    """Quote a text for a shell, on one line."""
    return shlex.quote(text) if text.isprintable() else f"${text!r}"
