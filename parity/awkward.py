"""Values on which functions go wrong: ties, gaps, limits of numbers, odd strings, factors, tables without rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from parity.chooser import Chooser
from parity.values import R_NA

WORDS = (
    "a", "b", "B", "ab", "10", "9", "c d", "Zug", "x1", "x10", "x2", "", "Stra\u00dfe", "\u00e9t\u00e9", "e\u0301",
    "\U0001f600", "\u05d0\u05d1", 'say "no"', "it's", "back\\slash", "  pad ", "NA", "1e5", "TRUE", "a,b;c",
    "x.y_z", "aaab", "tab\there", "1.50", "0x1F", "%d%%", "[a]", "(b)|c", "A1B2", "two\nlines",
)  # fmt: skip
PATTERNS = (
    "a", "[[:alpha:]]", "[[:alpha:]]+", "[^[:alnum:]]", "[[:space:]]+", "[[:punct:]]", "[[:digit:]]+",
    "[[:upper:]]", "^a", "b$", "a*", "", ".", "a.?", "(.)\\1", "([a-z])([0-9])", "\\d+", "\\w+", "\\s", "\\b",
    "\\.", "[.]", "[]]", "a|b", "x+?", "^$", "[a-c]+", "\u00df", "[\u00e9-\u00fc]", "a{2}", "(?i)a", "\\U", "[",
    "(", "e\u0301", "\\<", "(a|ab)c", "^\\s+|\\s+$", ",",
)  # fmt: skip
REPLACEMENTS = ("", "-", "<\\1>", "\\0", "\\\\", "\\U\\1", "\\2\\1", "\u00df", "$1", "&")
FORMATS = (
    "%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%s", "%5s|", "%-8s|", "%.2s", "%f", "%.2f", "%10.3f", "%-10.1f|",
    "%010.2f", "%+.1e", "%e", "%g", "%#g", "%G", "%.3g", "%x", "%X", "%#x", "%o", "%#o", "%08x", "%a", "%.3a", "%A",
    "%i", "%%", "%5.1f%%", "%*d", "%2$s %1$s", "%s and %s", "%", "%y", "text", "", "%.10g", "%5.3d", "%s%s", "%.0f",
    "%.15g", "%+a", "%5s\u00df",
)  # fmt: skip
SMALL = (5e-324, 1.5e-310, 2.2250738585072014e-308, -4e-320, 0.0, -0.0)
LARGE = (1.7976931348623157e308, -1.6e308, 8.9e307, 1e300)
EDGES = (
    2147483647.0,
    -2147483647.0,
    2147483648.0,
    9007199254740993.0,
    0.1 + 0.2,
    1e5,
    1e15,
    1e-5,
    123456.7,
    0.5,
    -2.5,
    100.0,
)


class Draw(Chooser):
    """What a call is made of; `n` is the length that its vectors share."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.n = self.one_of(0, 1, 1, 2, 3, 4, 5, 7, 10, 13, 20, 33)

    # ---- vectors ---------------------------------------------------------------------------------

    def doubles(self) -> np.ndarray:
        """Numbers of one awkward kind."""
        size, kind = self.n, self.between(0, 10)
        values = self.bits.normal(size) * self.one_of(1.0, 10.0, 1e-3, 1e6)
        if kind == 1:
            values = np.round(values, self.between(0, 2)) + 0.0
        elif kind == 2:
            values = np.floor(values)
        elif kind == 3:
            values = 1.0 + self.bits.integers(9, size) * 2.0**-52
        elif kind == 4:
            values = values * 0.0 + self.one_of(0.1, 3.0, -7.3)
        elif kind == 5:
            values = np.where(self.bits.uniform(size) < 0.4, self.one_of(0.0, -0.0), values)
        elif kind == 6:
            values = values + self.one_of(1e9, 1e15, -1e12)
        elif kind == 7:
            values = values * 10.0 ** (self.bits.integers(600, size) - 300.0)
        elif kind > 7:
            pool = np.array({8: SMALL, 9: SMALL + LARGE, 10: EDGES}[kind])
            values = np.where(self.bits.uniform(size) < 0.6, pool[self.bits.integers(len(pool), size)], values)
        if size and self.chance(0.1):
            values[self.between(0, size - 1)] = self.one_of(np.inf, -np.inf)
        return self._gaps(values)

    def tame(self) -> np.ndarray:
        """Finite numbers, none missing, none huge."""
        values = np.round(self.bits.normal(self.n) * 10, self.between(0, 6))
        return values + 0.0

    def _gaps(self, values: np.ndarray) -> np.ndarray:
        if self.chance(0.2):
            return np.where(self.bits.uniform(len(values)) < self.one_of(0.1, 0.5, 1.0), R_NA, values)
        return values

    def whole(self) -> Any:
        most = self.one_of(3, 10, 1000, 2**31 - 1)
        values = self.bits.integers(most, self.n) * self.one_of(1, 1, -1) + self.one_of(0, 1 - most // 2)
        values = np.clip(
            np.where(self.bits.uniform(self.n) < 0.1, self.one_of(0, 2**31 - 1, -5), values), 1 - 2**31, None
        )
        gaps = self.bits.uniform(self.n) < 0.3
        return (
            pd.array([None if g else int(v) for v, g in zip(values, gaps, strict=True)], dtype="Int64")
            if self.chance(0.1)
            else values
        )

    def counts(self) -> np.ndarray:
        return self.bits.integers(self.one_of(2, 6, 50), self.n)

    def flags(self) -> Any:
        values = self.bits.uniform(self.n) < self.one_of(0.0, 0.3, 0.7, 1.0)
        gaps = self.bits.uniform(self.n) < 0.3
        return (
            pd.array([None if g else bool(v) for v, g in zip(values, gaps, strict=True)], dtype="boolean")
            if self.chance(0.1)
            else values
        )

    def bins(self) -> Any:
        return self.one_of(self.counts, self.tame, self.factors, self.flags)()

    def named(self, values: Any) -> pd.Series:
        """A vector with names, some of them twice."""
        labels = [f"n{i}" for i in self.bits.integers(2 * len(values) + 1, len(values)).tolist()]
        return pd.Series(values, index=pd.Index(labels, dtype=object))

    def plain_numbers(self) -> Any:
        return self.one_of(self.whole, self.flags, *[self.doubles] * 6)()

    def numbers(self) -> Any:
        values = self.plain_numbers()
        return self.named(values) if isinstance(values, np.ndarray) and len(values) and self.chance(0.12) else values

    def other(self) -> Any:
        """Numbers of another length, which recycles or does not."""
        kept, self.n = self.n, self.one_of(self.n, self.n, 1, 1, 2, 3, 0, max(1, self.n // 2))
        try:
            return self.plain_numbers()
        finally:
            self.n = kept

    def words(self) -> np.ndarray:
        drawn = np.array([self.one_of(*WORDS) for _ in range(self.between(1, 6))], dtype=object)
        values = drawn[self.bits.integers(len(drawn), self.n)] if self.n else np.zeros(0, dtype=object)
        if self.chance(0.2):
            values = np.where(self.bits.uniform(self.n) < 0.3, None, values)
        return values if not self.n or any(v is not None for v in values) else np.array(["a"] * self.n, dtype=object)

    def factors(self) -> pd.Categorical:
        """A factor whose levels need not occur, nor be in order."""
        levels = list(dict.fromkeys(self.one_of(*WORDS) for _ in range(self.between(1, 6))))
        codes = self.bits.integers(len(levels), self.n)
        if self.chance(0.2):
            codes = np.where(self.bits.uniform(self.n) < 0.3, -1, codes)
        return pd.Categorical.from_codes(codes.tolist(), categories=levels, ordered=self.chance(0.2))

    def anything(self) -> Any:
        return self.one_of(self.words, self.factors, self.numbers)()

    def plain(self) -> Any:
        return self.one_of(self.words, self.factors, self.plain_numbers)()

    def groups(self) -> Any:
        return self.one_of(self.factors, self.factors, self.words, self.counts)()

    # ---- tables ----------------------------------------------------------------------------------

    def matrix(self) -> np.ndarray:
        return self._columns(self.one_of(1, 2, 3, 5, 0))

    def _columns(self, p: int) -> np.ndarray:
        kind = self.one_of(self.doubles, self.doubles, self.tame, self.counts)
        columns = [kind() for _ in range(p)]
        return np.column_stack(columns) if columns else np.zeros((self.n, 0))

    def conditions(self) -> np.ndarray:
        """A matrix of logicals."""
        return self.bits.uniform(self.n, self.between(1, 4)) < 0.5

    def frame(self) -> pd.DataFrame:
        """A data frame of numbers."""
        self.n = max(1, self.n)
        return pd.DataFrame(
            {f"v{j}": self.one_of(self.doubles, self.tame, self.counts)() for j in range(self.between(1, 4))}
        )

    def mixed(self) -> pd.DataFrame:
        """A data frame of columns of all types."""
        self.n = max(1, self.n)
        kinds = (self.doubles, self.tame, self.counts, self.words, self.factors)
        made = pd.DataFrame({f"v{j}": self.one_of(*kinds)() for j in range(self.between(1, 4))})
        return made.set_axis([f"r{i}" for i in range(self.n)], axis=0) if self.chance(0.2) else made

    def table(self) -> Any:
        return self.matrix() if self.chance(0.6) else self.frame()

    # ---- single values ---------------------------------------------------------------------------

    def flag(self) -> bool:
        return self.chance(0.7)

    def number(self) -> float:
        return self.one_of(0, 1, 2, -1, 0.5, 2.5, 1e-3, 1e300, 7, 3.0, float("nan"), float("inf"))

    def small(self) -> int:
        return self.between(1, 4)

    def few(self) -> int:
        return self.one_of(*range(-1, 12))

    def offset(self) -> int:
        return self.between(-8, 8)

    def digits(self) -> Any:
        return self.one_of(0, 1, 2, 3, 4, 5, 6, 8, 10, 14, 15, 16, 22, 23, -1, -2, -5, 100, 310, 2.5)

    def word(self) -> str:
        return self.one_of(*WORDS)

    def pattern(self) -> str:
        return self.one_of(*PATTERNS)

    def replacement(self) -> str:
        return self.one_of(*REPLACEMENTS)

    def format(self) -> Any:
        return (
            self.one_of(*FORMATS)
            if self.chance(0.9)
            else np.array([self.one_of(*FORMATS) for _ in range(2)], dtype=object)
        )

    def margin(self) -> int:
        return self.between(1, 2)

    def method(self) -> str:
        return self.one_of("pearson", "spearman", "kendall")

    def use(self) -> str:
        return self.one_of("everything", "all.obs", "complete.obs", "na.or.complete", "pairwise.complete.obs")

    def ties(self) -> str:
        return self.one_of("average", "first", "last", "random", "max", "min")

    def use_na(self) -> str:
        return self.one_of("no", "ifany", "always")

    def separator(self) -> str:
        return self.one_of("-", "", ", ", "\u00df")

    def share(self) -> float:
        return self.one_of(0.1, 0.25, 0.5, 0.0, 0.7)

    def shares(self) -> Any:
        probs = np.round(self.bits.uniform(self.between(1, 9)), self.between(1, 6))
        return self.one_of(probs, probs * 1e-6, np.arange(120) / 119, 0.5, np.array([0.5, R_NA]), np.zeros(0))

    def quantile_type(self) -> int:
        return self.between(1, 9)

    def places(self) -> Any:
        """Positions from 0."""
        most = max(self.n, 1)
        return self.one_of(self.between(0, most - 1), np.unique(self.bits.integers(most, self.between(1, 4))))

    def subscripts(self) -> Any:
        """Subscripts of R, from 1; negative ones leave out."""
        most = max(self.n, 1)
        some = np.unique(self.bits.integers(most, self.between(1, 4))) + 1
        return self.one_of(self.between(1, most), some, -some, self.bits.uniform(most) < 0.5, most + 2, 0)

    def sign(self) -> str:
        return self.one_of("==", "!=", "<", "<=", ">", ">=")
