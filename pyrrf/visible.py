"""Text from elsewhere, made safe to look at."""

from __future__ import annotations

import unicodedata

# Controls, marks that turn the direction of letters, halves of letters, and what ends a line for some reader.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# A tab hides nothing; the two joiners are part of Persian words, and of pictures.
_HARMLESS = "\t\u200c\u200d"


def visible(text: str, harmless: str = "") -> str:
    r"""Return a text with an escape in the place of each character that ends a line, or is not seen.

    Parameters
    ----------
    text : str
    harmless : str, default ''
        Characters that stay, besides tabs and joiners.

    Examples
    --------
    >>> from pyrrf.visible import visible
    >>> print(visible("a\nb\x00\u2028"))
    a\nb\x00\u2028
    """
    if text.isprintable():
        return text
    return "".join(repr(c)[1:-1] if _is_hidden(c) and c not in harmless else c for c in text)


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN and character not in _HARMLESS
