"""Regular expressions of R as Python's: those of TRE, which R takes by itself, and of PCRE (``perl = TRUE``).

They differ from Python's in what a class holds, in what stands in brackets, and, for TRE, where alternatives overlap:
TRE takes the longest match. What would give another answer here is refused.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby

from pyrrf.checks import warn
from pyrrf.errors import bad

_SIGNS = re.escape(string.punctuation)
# PCRE knows the letters of ASCII alone, as R calls it.
_PERL = {
    "alpha": "A-Za-z", "digit": "0-9", "alnum": "0-9A-Za-z", "upper": "A-Z", "lower": "a-z", "space": r" \t-\r",
    "blank": r" \t", "punct": _SIGNS, "xdigit": "0-9A-Fa-f", "cntrl": r"\0-\x1f\x7f", "print": " -~", "graph": "!-~",
    "word": r"0-9A-Za-z_", "ascii": r"\0-\x7f",
}  # fmt: skip
# No blanks in the C library, though Python takes them for some.
_NO_SPACES = "\x1c\x1d\x1e\x1f\x85\xa0\u2007\u202f"
_LAST = 0x1FFFF


class PatternError(ValueError):
    """Error of a pattern that TRE refuses, with its message."""

    argument, code = "pattern", "format"

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(f"invalid regular expression '{pattern}', reason '{reason}'")
        self.reason = reason


def _category(letter: str) -> str:
    return unicodedata.category(letter)


def _is_space(letter: str) -> bool:
    return letter.isspace() and letter not in _NO_SPACES


def _is_alpha(letter: str) -> bool:
    return letter.isalpha() or _category(letter) == "Nl" or (_category(letter) == "Nd" and letter > "9")


def _is_print(letter: str) -> bool:
    return _category(letter) not in ("Cc", "Cs", "Cn", "Zl", "Zp")


def _is_graph(letter: str) -> bool:
    return _is_print(letter) and not _is_space(letter)


def _is_alnum(letter: str) -> bool:
    return _is_alpha(letter) or "0" <= letter <= "9"


_TRE: dict[str, Callable[[str], bool]] = {
    "alpha": _is_alpha,
    "alnum": _is_alnum,
    "space": _is_space,
    "print": _is_print,
    "graph": _is_graph,
    "upper": lambda c: c.isupper() or c.istitle(),
    "lower": lambda c: c.islower() or (len(c.upper()) == 1 and c.upper() != c),
    "blank": lambda c: c == "\t" or (_category(c) == "Zs" and _is_space(c)),
    "punct": lambda c: _is_graph(c) and not _is_alnum(c),
    "cntrl": lambda c: _category(c) in ("Cc", "Zl", "Zp"),
}
"""Classes of characters in the C library, as far as Python's tables say the same."""


@cache
def _ranges(name: str) -> str:
    """Return a class of TRE as Python writes it in brackets."""
    if name not in _TRE:
        return _PERL[name]
    codes = [code for code in range(_LAST + 1) if _TRE[name](chr(code))]
    runs = (list(run) for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]))
    return "".join(f"\\U{run[0][1]:08x}-\\U{run[-1][1]:08x}" for run in runs)


def _class(name: str, perl: bool, pattern: str) -> str:
    if name not in _PERL or (not perl and name in ("word", "ascii")):
        raise PatternError(pattern, "Unknown character class name")
    return _PERL[name] if perl else _ranges(name)


_SHORT = {"w": ("alnum", "_"), "d": ("digit", ""), "s": ("space", ""), "h": ("blank", "")}
"""Classes of one letter: a class with a name, and further characters."""


def _letter_class(letter: str, perl: bool, pattern: str) -> str | None:
    """Return the text in brackets for a class of one letter, None if it is none."""
    if letter.lower() not in _SHORT or (letter.lower() == "h" and not perl):
        return None
    name, more = _SHORT[letter.lower()]
    return _class(name, perl, pattern) + more


_TOKEN = re.compile(
    r"\[(?P<set>\^?\]?(?:\[:\w+:\]|\[[.=].[.=]\]|\\.|[^\]\\])*)\]"
    r"|\\Q(?P<plain>.*?)(?:\\E|$)|\\x\{(?P<code>[0-9a-fA-F]+)\}|\\(?P<escape>.)|(?P<group>\(\?<(?=[A-Za-z_]))"
    r"|(?P<repeat>\{[\d,]*\})|.",
    re.S,
)
_TRE_TOKEN = re.compile(
    _TOKEN.pattern.replace(r"|\\.|[^\]\\])", r"|[^\]])").replace(r"\{[\d,]*\}", r"\{[^}]*\}?"), re.S
)
_IN_SET = re.compile(r"\[:(?P<name>\w+):\]|\\(?P<escape>.)|.", re.S)
# In TRE both ends of a text are edges of words.
_OF_TRE = {"<": r"\b(?=\w)", ">": r"\b(?<=\w)", "b": r"(?:\A|\Z|\b)", "B": r"(?!\A|\Z)\B", "e": r"\x1b"}
_OF_PERL = {
    "R": r"(?:\r\n|[\n-\r])", "z": r"\Z", "Z": r"(?=\n?\Z)", "b": r"(?a:\b)", "B": r"(?a:\B|(?<!\w)(?!\w))",
    "e": r"\x1b",
}  # fmt: skip


def _check_set(inside: str, pattern: str) -> None:
    """Refuse an expression in brackets that TRE does not know."""
    if re.search(r"\[[.=]", inside):
        raise PatternError(pattern, "Unknown collating element")
    if re.search(r":\]-.", inside):
        raise PatternError(pattern, "Invalid character range")


def _write_set(inside: str, perl: bool, pattern: str) -> str:
    """Return a set in brackets as Python writes it; in TRE a backslash is a character there."""
    negated, inside = ("^", inside[1:]) if inside.startswith("^") else ("", inside)
    if not perl:
        _check_set(inside, pattern)
        inside = inside.replace("\\", "\\\\")
    out = ""
    for match in _IN_SET.finditer(inside):
        name, escape = match["name"], match["escape"]
        short = _letter_class(escape, True, pattern) if perl and escape and escape.islower() else None
        if name:
            out += _class(name, perl, pattern)
        elif short is not None or escape:
            out += short if short is not None else match[0]
        else:
            out += "\\" + match[0] if match[0] in "[]&~|" else match[0]
    return f"[{negated}{out}]"


_BOUNDS = re.compile(r"\{(?P<least>\d*)(?P<comma>,?)(?P<most>\d*)\}")
_MOST_REPEATS = 255


def _repeat(text: str, perl: bool, pattern: str) -> str:
    """Return the number of repeats, as Python writes it.

    TRE takes ``{,m}`` for up to m + 1 times where m is above 1, and ``{,}`` for once.
    """
    bounds = _BOUNDS.fullmatch(text)
    if perl:
        if bounds and bounds["comma"] and not bounds["least"]:
            raise bad.unsupported(f"pattern {pattern!r}: {text} means what PCRE's version says; write {{0{text[1:]}")
        return text
    least, most = (int(bounds[side] or -1) if bounds else -1 for side in ("least", "most"))
    if text == "{,}":
        return "{1}"
    if re.fullmatch(r"\{\d*,?\d*", text):
        raise PatternError(pattern, "Missing '}'")
    if max(least, most) < 0:
        raise bad.unsupported(f"pattern {pattern!r}: {text} says no number of repeats")
    if max(least, most) > _MOST_REPEATS or -1 < most < max(least, 1 - (least >= 0)):
        raise PatternError(pattern, "Invalid contents of {}")
    return f"{{0,{most + (most > 1)}}}" if least < 0 else text


def _check_token(pattern: str, match: re.Match[str], repeats: int) -> None:
    """Refuse a piece of a pattern that TRE refuses, after so many repeats of the piece before."""
    if match[0] in ("*", "+") and repeats:
        if repeats > 1:
            raise bad.unsupported(f"pattern {pattern!r} repeats a repeat")
        raise PatternError(pattern, "Invalid use of repetition operators")
    if match[0] == "[":
        raise PatternError(pattern, "Invalid character range" if re.search(r"[^\[^]-$", pattern) else "Missing ']'")
    if match["group"] or re.match(r"\((?=\?(?:[=!<P]|$))", pattern[match.start() :]):
        raise PatternError(pattern, "Invalid regexp")


# Errors of Python for a pattern, and those of TRE; TRE may take other patterns that Python does not.
_REASONS = {
    "missing ), unterminated subpattern": "Missing ')'",
    "unterminated character set": "Missing ']'",
    "bad character range": "Invalid character range",
    "invalid group reference": "Invalid back reference",
    "bad escape (end of pattern)": "Trailing backslash",
}


def _translate(pattern: str, perl: bool, later: bool) -> str:
    own = _OF_PERL if perl else _OF_TRE
    # In TRE the end is the end; in PCRE, as in Python, a line may end before it.
    ends = {} if perl else {"$": r"\Z", "^": "(?!)" if later else "^"}
    out, repeats = "", 0
    for match in (_TOKEN if perl else _TRE_TOKEN).finditer(pattern):
        escape = match["escape"]
        if not perl:
            _check_token(pattern, match, repeats)
        repeats = repeats + 1 if match["repeat"] or match[0] in ("*", "+", "?") else 0
        if match["set"] is not None:
            out += _write_set(match["set"], perl, pattern)
        elif match["plain"] is not None:
            out += re.escape(match["plain"])
        elif match["code"]:
            out += re.escape(chr(int(match["code"], 16)))
        elif match["group"]:
            out += "(?P<"
        elif match["repeat"]:
            out += _repeat(match["repeat"], perl, pattern)
        elif escape:
            short = _letter_class(escape, perl, pattern)
            # In TRE another letter stands for itself.
            literal = f"(?-i:{escape})" if not perl and escape.isalpha() and escape not in "tnrfax" else match[0]
            out += own.get(escape) or (literal if short is None else f"[{'^' * escape.isupper()}{short}]")
        else:
            out += ends.get(match[0], match[0])
    return out


@cache
def _compile(pattern: str, fixed: bool, perl: bool, ignore: bool, parts: bool, later: bool) -> re.Pattern[str]:
    flags = (re.IGNORECASE if ignore and not fixed else re.NOFLAG) | (re.NOFLAG if perl else re.DOTALL)
    out = re.escape(pattern) if fixed else _translate(pattern, perl, later)
    if parts and not (fixed or perl) and _overlaps(pattern):
        raise bad.unsupported(
            f"pattern {pattern!r}: its alternatives overlap, of which R takes the longest and Python the first; put "
            "the longer ones first and pass perl=True on both sides"
        )
    try:
        return re.compile(out, flags)
    except re.error as error:
        reason = next((theirs for ours, theirs in _REASONS.items() if error.msg.startswith(ours)), "")
        if reason and not (fixed or perl):
            raise PatternError(pattern, reason) from None
        raise bad.unsupported(f"pattern {pattern!r} cannot be taken: {error}") from None


def compile_regex(
    pattern: str, fixed: bool, perl: bool, ignore: bool, parts: bool, later: bool = False
) -> re.Pattern[str]:
    """Return a pattern of R as one of Python."""
    for name, value in {"perl": perl, "ignore_case": ignore}.items():
        if fixed and value and not later:
            warn(f"{name}=True has no effect with fixed=True")
    return _compile(pattern, fixed, perl and not fixed, ignore, parts, later)


def _overlaps(pattern: str) -> bool:
    """Return whether one alternative may be the beginning of another one, so that their order counts."""
    tokens = _TRE_TOKEN.finditer(pattern)
    kept = (t[0] if len(t[0]) == 1 or t["repeat"] else "_" if t["set"] is None else "\0" for t in tokens)
    bare = "".join(kept)
    sides = [group.split("|") for group in re.split(r"[()]", bare)]
    return any(len(group) > 1 and not _apart(group) for group in sides)


def _apart(sides: list[str]) -> bool:
    """Return whether of alternatives at most one can match at any place."""
    if len(sides) == 2 and sides[0].startswith("^") and sides[1].endswith("$"):
        return True
    starts = [side[:1] for side in sides]
    if len(set(starts)) == len(starts) and all(start.isalnum() or start in ("_", " ", "-") for start in starts):
        return True
    if len({len(side) for side in sides}) == 1 and not any(re.search(r"[*+?{]", side) for side in sides):
        return True
    plain = all(re.fullmatch(r"[\w \-]+", side) for side in sides)
    return plain and not any(a != b and b.startswith(a) for a in sides for b in sides)
