"""The Python file: imports, comments where they stood, lines broken where they are long."""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize

from pyrrf.migrate.context import Line
from pyrrf.migrate.tree import Script

WIDTH = 100
_IMPORT = "from pyrrf import script as r"
# What ends a line for some reader, or hides: Python's own line ends are \n and \r.
_CONTROL = re.compile(r"[\r\n\v\f\x00-\x08\x0e-\x1f\x7f\x85\u2028\u2029]")


def safe_comment(text: str) -> str:
    """Return text that can stand in a comment: on one line."""
    return _CONTROL.sub(" ", text)


def safe_line(text: str) -> str:
    """Return text that can stand in a docstring: on one line, without what would end it."""
    return safe_comment(text).replace("\\", "/").replace('"', "'")


def write(script: Script, lines: list[Line], summary: list[str]) -> str:
    """Return the Python file.

    Parameters
    ----------
    script : Script
        For its comments.
    lines : list of Line
    summary : list of str
        Lines of the docstring.

    Returns
    -------
    str
    """
    body: list[str] = []
    waiting = dict(sorted(script.comments.items()))
    reached = 0
    for i, line in enumerate(lines):
        if line.first > reached:
            _before(body, script, waiting, reached, line)
            reached = line.first
        text = _code(line)
        later = lines[i + 1].first if i + 1 < len(lines) else 0
        if line.last in waiting and line.last not in script.alone and later != line.first and "\n" not in text:
            text += f"  {safe_comment(waiting.pop(line.last))}"
        body.append(text)
        reached = max(reached, line.first if _is_header(text) else line.last)
    body += [safe_comment(comment) for place, comment in waiting.items() if place in script.alone and place > reached]
    summary = [safe_line(text) for text in summary]
    head = ['"""' + summary[0], *(["", *summary[1:]] if len(summary) > 1 else []), '"""', ""]
    if len(summary) == 1:
        head = [f'"""{summary[0]}"""', ""]
    code = "\n".join(body)
    return "\n".join([*head, _IMPORT, "", _spaced(code)]) + "\n"


def statement_code(lines: list[Line]) -> str:
    """Return the Python of one statement, without comments of the script."""
    return "".join(f"{_code(line)}\n" for line in lines)


def _before(body: list[str], script: Script, waiting: dict[int, str], reached: int, line: Line) -> None:
    """Write the blank lines and comments that stand before a statement."""
    indent = "    " * line.depth
    for place in range(reached + 1, line.first + 1):
        if place in script.alone and place in waiting:
            body.append(indent + safe_comment(waiting.pop(place)))
        elif place not in script.code and place not in script.comments and body and body[-1]:
            body.append("")


def _is_header(text: str) -> bool:
    return text.rstrip().endswith(":") and not text.lstrip().startswith("#")


def _code(line: Line) -> str:
    """Return a statement as text, indented, with double quotes."""
    indent = "    " * line.depth
    if isinstance(line.code, str):
        single = line.code.startswith("#") and "\n" not in line.code
        return indent + (safe_comment(line.code) if single else double_quoted(line.code))
    tree = ast.fix_missing_locations(ast.Module([line.code], []))
    text = double_quoted(ast.unparse(tree))
    if len(indent) + len(text) > WIDTH:
        text = _broken(text)
    return textwrap.indent(text, indent)


def double_quoted(code: str) -> str:
    """Return code with its strings in double quotes where that needs no escapes."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):  # the header of a block
        return double_quoted(f"{code} pass")[: -len(" pass")] if code.endswith(":") else code
    changes = []
    for token in tokens:
        if (
            token.type == tokenize.STRING
            and re.match(r"^[rbfRBF]*'[^\"]*'$", token.string)
            and token.start[0] == token.end[0]
        ):
            prefix, inner = token.string.split("'", 1)
            inner = inner[:-1]
            if prefix.lower().startswith("f") and "'" in inner:
                continue
            changes.append((token.start, token.end, f'{prefix}"{inner}"'))
    lines = code.split("\n")
    for (row, start), (_, end), text in reversed(changes):
        lines[row - 1] = lines[row - 1][:start] + text + lines[row - 1][end:]
    return "\n".join(lines)


def _broken(text: str) -> str:
    """Break a long line after the outermost bracket and its commas."""
    opened = _outermost(text)
    if opened is None:
        return text
    start, end = opened
    inner = text[start + 1 : end].strip()
    if not inner:
        return text
    one = f"{text[: start + 1]}\n    {inner}\n{text[end:]}"
    if max(len(line) for line in one.split("\n")) <= WIDTH:
        return one
    parts = _parted(inner)
    if len(parts) == 1 and not _is_call(text, start):
        return one  # a comma would make a tuple of what is only in brackets
    return text[: start + 1] + "\n" + "".join(f"    {part},\n" for part in parts) + text[end:]


def _is_call(text: str, start: int) -> bool:
    """Whether the bracket at start opens the arguments of a call."""
    before = text[:start].rstrip()
    return before[-1:].isalnum() or before[-1:] in ("_", ")", "]")


def _outermost(text: str) -> tuple[int, int] | None:
    """Return the last pair of round brackets that closes at the end of a line."""
    if not text.endswith(")"):
        return None
    depth = 0
    for place, character, quoted in reversed(list(_characters(text))):
        if quoted:
            continue
        depth += (character in ")]}") - (character in "([{")
        if depth == 0:
            return place, len(text) - 1
    return None


def _characters(text: str) -> list[tuple[int, str, bool]]:
    """Return each character with its place and whether it stands in a string."""
    found = []
    quote = ""
    skip = False
    for place, character in enumerate(text):
        inside = bool(quote)
        if skip:
            skip = False
        elif quote and character == "\\":
            skip = True
        elif character == quote:
            quote = ""
        elif not quote and character in "\"'":
            quote = character
            inside = True
        found.append((place, character, inside))
    return found


def _parted(inner: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, character, quoted in _characters(inner):
        if quoted:
            continue
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(inner[start:place].strip())
            start = place + 1
    rest = inner[start:].strip()
    return [*parts, rest] if rest else parts


def _spaced(code: str) -> str:
    """Set two blank lines around functions at the top."""
    lines: list[str] = []
    inside = False
    for line in code.split("\n"):
        if line.startswith("def "):
            while lines and not lines[-1]:
                lines.pop()
            lines += ["", ""] if lines else []
            inside = True
        elif inside and line and not line.startswith((" ", "def ")):
            while lines and not lines[-1]:
                lines.pop()
            lines += ["", ""]
            inside = False
        lines.append(line)
    return "\n".join(lines).strip("\n")
