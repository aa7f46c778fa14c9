"""The Python file: comments where they stood, lines broken where they are long.

It is read again before it is given away: Python must see in it what was meant, and nothing else.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import re
import textwrap
import tokenize
import unicodedata
from collections.abc import Sequence

from pyrrf import r
from pyrrf.escapes import escape_control_chars
from pyrrf.migrate.parse import rast
from pyrrf.migrate.write.lines import Comment, Line, Otherwise, tree_of

# Python's own functions in translated scripts.
_BUILTINS = {"globals", "locals", "SystemExit"}
_NO_BUILTINS = set(dir(builtins)) - _BUILTINS
_STATEMENTS = (
    ast.Expr, ast.Assign, ast.Delete, ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Pass, ast.FunctionDef,
    ast.Return, ast.Raise, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom,
)  # fmt: skip
_IMPORTS = {"import pyrrf", "from pyrrf import r"}


class DisagreementError(Exception):
    """Python would read the code otherwise than intended; such code is neither written nor run."""


def checked_text(text: str, meant: Sequence[ast.stmt], is_file: bool = False) -> str:
    """Return the text of Python code, if Python reads it as intended.

    Parameters
    ----------
    text : str
    meant : sequence of statements
    is_file : bool, default False
        Whether it is a whole file, which Python reads as bytes: there a comment can name another encoding.

    Raises
    ------
    DisagreementError
        It says something else, or what was meant is nothing that scripts are translated to.
    RecursionError
        It is nested too deeply for Python.
    """
    tree = ast.fix_missing_locations(ast.Module(list(meant), []))
    _check_words(tree)
    try:
        parsed = ast.parse(text.encode() if is_file else text)
        if is_file:
            compile(parsed, "<translated>", "exec", dont_inherit=True)
    except MemoryError:
        raise RecursionError("nested too deeply for Python") from None
    except (SyntaxError, ValueError) as error:
        if "too many" in str(error):
            raise RecursionError(str(error)) from None
        raise DisagreementError(f"the Python is damaged: {error}") from None
    if ast.dump(parsed) != ast.dump(ast.parse(ast.unparse(tree))):
        raise DisagreementError("the Python says something else than what was meant")
    return text


def _check_words(tree: ast.Module) -> None:
    """See that a tree has only the statements and names that translated scripts have: none of Python's own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
            raise DisagreementError(f"the statement {type(node).__name__}")
        if isinstance(node, ast.Import | ast.ImportFrom):
            if ast.unparse(node) not in _IMPORTS:
                raise DisagreementError("an import")
        elif isinstance(node, ast.Attribute):
            _check_attribute(node)
        elif isinstance(node, ast.Name) and node.id in _NO_BUILTINS:
            raise DisagreementError(f"the name {node.id}")
        if not isinstance(node, ast.Constant | ast.alias | ast.ImportFrom):
            _check_identifiers(node)


def _check_identifiers(node: ast.AST) -> None:
    """Check that the names of a node are identifiers, and stay as they are in Python."""
    for _, value in ast.iter_fields(node):
        for word in value if isinstance(value, list) else [value]:
            if not isinstance(word, str):
                continue
            hidden = word[:2] == word[-2:] == "__" and word.strip("_") and not isinstance(node, ast.keyword)
            plain = word.isidentifier() and not keyword.iskeyword(word) and not hidden
            if not plain or unicodedata.normalize("NFKC", word) != word:
                raise DisagreementError(f"the name {word!a}")


def _check_attribute(node: ast.Attribute) -> None:
    """Check that an attribute is public, and that an attribute of ``r`` is a name of `pyrrf.r`."""
    of_r = isinstance(node.value, ast.Name) and node.value.id == "r"
    if node.attr.startswith("_") or (of_r and node.attr not in r.__all__):
        raise DisagreementError(f"the attribute {node.attr!a}")


# ---- The Python file: imports, comments where they stood, lines broken where they are


WIDTH = 100
_R: ast.stmt = ast.ImportFrom("pyrrf", [ast.alias("r")], 0)
_PYRRF: ast.stmt = ast.Import([ast.alias("pyrrf")])


def write(script: rast.Script, lines: list[Line], summary: Sequence[str], preamble: Sequence[Line] = ()) -> str:
    """Return the Python file.

    Parameters
    ----------
    script : Script
        For its comments.
    lines : list of Line
    summary : sequence of str
        Lines of the docstring.
    preamble : sequence of Line, default ()
        What comes before them.

    Returns
    -------
    str

    Raises
    ------
    DisagreementError
        Python would read something else than `lines`.
    """
    told = [escape_control_chars(text).replace('"', "'") for text in summary]
    docstring = "\n".join([told[0], *(["", *told[1:], ""] if told[1:] else [])])
    quoted = docstring.replace("\\", "\\\\")
    body = _space_functions("\n".join(_body(script, lines)))
    text = "\n".join([f'"""{quoted}"""', "", *_head(preamble), "", body]) + "\n"
    meant = [ast.Expr(ast.Constant(docstring)), *_imports(preamble), *tree_of([*preamble, *lines])]
    return checked_text(text, meant, is_file=True)


def preamble_code(preamble: Sequence[Line]) -> str:
    """Return the code before the statements of a script."""
    return checked_text("\n".join([*_head(preamble), ""]), [*_imports(preamble), *tree_of(preamble)])


def statement_code(lines: Sequence[Line]) -> str:
    """Return the Python of one statement, without comments of the script; DisagreementError as of `write`."""
    return checked_text("".join(f"{_code(line)}\n" for line in lines), tree_of(lines))


def _imports(preamble: Sequence[Line]) -> list[ast.stmt]:
    """Return the imports that a file needs."""
    names = {node.id for line in tree_of(preamble) for node in ast.walk(line) if isinstance(node, ast.Name)}
    return [_PYRRF, _R] if "pyrrf" in names else [_R]


def _head(preamble: Sequence[Line]) -> list[str]:
    """Return the lines of the imports, and of the code before all statements."""
    own = [_code(line) for line in preamble]
    return [*map(ast.unparse, _imports(preamble)), *([""] if own else []), *own]


def _body(script: rast.Script, lines: list[Line]) -> list[str]:
    """Return the lines of the statements, with the comments of the script where they stood."""
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
            text += f"  {_comment(waiting.pop(line.last))}"
        body.append(text)
        reached = max(reached, line.first if line.is_header else line.last)
    return body + [_comment(text) for place, text in waiting.items() if place in script.alone and place > reached]


def _comment(text: str) -> str:
    """Return a comment of the script as one of the file."""
    return str(Comment(text.removeprefix("#"), "#"))


def _before(body: list[str], script: rast.Script, waiting: dict[int, str], reached: int, line: Line) -> None:
    """Write the blank lines and comments that stand before a statement."""
    indent = "    " * line.depth
    for place in range(reached + 1, line.first + 1):
        if place in script.alone and place in waiting:
            body.append(indent + _comment(waiting.pop(place)))
        elif place not in script.code and place not in script.comments and body and body[-1]:
            body.append("")


def _code(line: Line) -> str:
    """Return a line as text, indented, with double quotes."""
    indent = "    " * line.depth
    if isinstance(line.code, Comment):
        return f"{indent}{line.code}"
    text = _statement(line.code)
    if len(indent) + len(text) > WIDTH:
        text = _break_line(text)
    behind = "" if line.behind is None else f"  {line.behind}"
    return textwrap.indent(text, indent) + behind


def _statement(code: ast.stmt | Otherwise) -> str:
    """Return a statement, or the header of a block, as text."""
    if isinstance(code, Otherwise):
        return "else:" if code.test is None else double_quoted(f"elif {ast.unparse(code.test)}:")
    return double_quoted(ast.unparse(ast.fix_missing_locations(ast.Module([code], []))).strip("\n"))


# A string in single quotes that has no double ones.
_SINGLE = re.compile(r"([rbfRBF]*)'([^\"]*)'")


def double_quoted(code: str) -> str:
    """Return code with its strings in double quotes where that needs no escapes."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):  # the header of a block
        return double_quoted(f"{code} pass")[: -len(" pass")] if code.endswith(":") else code
    changes = []
    for token in tokens:
        match = _SINGLE.fullmatch(token.string) if token.type == tokenize.STRING else None
        if match and token.start[0] == token.end[0] and not ("f" in match[1].lower() and "'" in match[2]):
            changes.append((token.start, token.end, f'{match[1]}"{match[2]}"'))
    lines = code.split("\n")
    for (row, start), (_, end), text in reversed(changes):
        lines[row - 1] = lines[row - 1][:start] + text + lines[row - 1][end:]
    return "\n".join(lines)


def _break_line(text: str) -> str:
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
    parts = _split_at_commas(inner)
    if len(parts) == 1 and not _is_call(text, start):
        return one  # a comma would make a tuple of what is only in brackets
    return text[: start + 1] + "\n" + "".join(f"    {piece},\n" for piece in parts) + text[end:]


def _is_call(text: str, start: int) -> bool:
    """Whether the bracket at start opens the arguments of a call."""
    before = text[:start].rstrip()
    return before[-1:].isalnum() or before[-1:] in ("_", ")", "]")


# A string, or a character outside of strings.
_PIECE = re.compile(r"""\"(?:\\.|[^"\\])*\"|'(?:\\.|[^'\\])*'|.""", re.DOTALL)


def _outermost(text: str) -> tuple[int, int] | None:
    """Return the last pair of round brackets that closes at the end of a line."""
    if not text.endswith(")"):
        return None
    depth = 0
    for piece in reversed(list(_PIECE.finditer(text))):
        depth += (piece[0] in ")]}") - (piece[0] in "([{")
        if depth == 0:
            return piece.start(), len(text) - 1
    return None


def _split_at_commas(inner: str) -> list[str]:
    """Return the pieces between the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for piece in _PIECE.finditer(inner):
        depth += (piece[0] in "([{") - (piece[0] in ")]}")
        if piece[0] == "," and depth == 0:
            parts.append(inner[start : piece.start()].strip())
            start = piece.end()
    rest = inner[start:].strip()
    return [*parts, rest] if rest else parts


def _space_functions(code: str) -> str:
    """Set two blank lines around functions at the top."""
    lines: list[str] = []
    inside = False
    for line in code.split("\n"):
        begins = line.startswith("def ")
        if begins or (inside and line and not line.startswith(" ")):
            while lines and not lines[-1]:
                lines.pop()
            lines += ["", ""] if lines else []
            inside = begins
        lines.append(line)
    return "\n".join(lines).strip("\n")
