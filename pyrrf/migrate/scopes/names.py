"""Python names for R names: one for each, and none that Python or the file needs."""

from __future__ import annotations

import builtins
import keyword
import unicodedata

# Names that the file imports or defines.
_TAKEN = {"r", "m", "dots", "named", *keyword.kwlist, *keyword.softkwlist, *dir(builtins)}


def is_word(name: str) -> bool:
    """Whether Python has a name as it is: it turns some letters that are not ASCII into others.

    Examples
    --------
    >>> is_word("mtry"), is_word("class"), is_word("ﬁt")
    (True, False, False)
    """
    return name.isidentifier() and name.isascii() and not keyword.iskeyword(name)


def plain(name: str) -> str:
    """Return a name as an identifier: characters other than letters and digits become underscores.

    Examples
    --------
    >>> plain("lambda.grid"), plain("2nd"), plain("class")
    ('lambda_grid', 'x2nd', 'class')
    """
    folded = unicodedata.normalize("NFKC", name)
    made = "".join(c if f"x{c}".isidentifier() else "_" for c in folded)
    # Two underscores before a name mean something else inside of a class, and to Python itself.
    made = made.lstrip("_") + "_" * (len(made) - len(made.lstrip("_"))) if made.startswith("__") else made
    # Python changes a mark behind another letter.
    return made if made.isidentifier() else unicodedata.normalize("NFKC", f"x{made}")


class Names:
    """Names of one script, given out as they are asked for."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._used: set[str] = set(_TAKEN)

    def __getitem__(self, name: str) -> str:
        """Return the Python name of an R name, always the same and for no other."""
        if name not in self._given:
            base = plain(name)
            base = f"{base}_" if base in _TAKEN else base
            made, number = base, 1
            while made in self._used:
                number += 1
                made = f"{base}_{number}"
            self._given[name] = made
            self._used.add(made)
        return self._given[name]

    def fresh(self, stem: str) -> str:
        """Return a name that stands for none of R's."""
        made, number = stem, 1
        while made in self._used:
            number += 1
            made = f"{stem}_{number}"
        self._used.add(made)
        return made

    def all(self) -> dict[str, str]:
        """Return the names given out so far."""
        return dict(self._given)
