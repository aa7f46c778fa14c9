"""Escapes for invisible characters in text from files and users."""

from __future__ import annotations

import unicodedata

# Unicode categories: controls, format characters (text direction), surrogates, separators of lines and paragraphs.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Tabs are visible; the two joiners occur in Persian words and in emoji.
_HARMLESS = "\t\u200c\u200d"


def escape_control_chars(text: str, harmless: str = "") -> str:
    r"""Return a text in which each control character, line end or invisible character is escaped.

    Parameters
    ----------
    text : str
    harmless : str, default ''
        Characters that are not escaped, besides tabs and joiners.

    Examples
    --------
    >>> from pyrrf.escapes import escape_control_chars
    >>> print(escape_control_chars("a\nb\x00\u2028"))
    a\nb\x00\u2028
    """
    if text.isprintable():
        return text
    return "".join(repr(c)[1:-1] if _is_hidden(c) and c not in harmless else c for c in text)


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN and character not in _HARMLESS
