"""Text of a script never becomes code: names, strings and comments that try to."""

from __future__ import annotations

import ast

import pytest

from tests.offenders import offenders

translate = pytest.importorskip("pyrrf.migrate.translation").translate
pytest.importorskip("tree_sitter_language_pack")

EVIL = "__import__('os').system('exit 1')"
TEXTS = [
    EVIL,
    f'"); {EVIL} #',
    f"'); {EVIL} #",
    f'"""\n{EVIL}\n"""',
    f"'''\n{EVIL}\n'''",
    f"x\n{EVIL}",
    f"x\r{EVIL}",
    f"x\r\n{EVIL}",
    f"x\x0c{EVIL}",
    f"x\x85{EVIL}",
    f"x\u2028{EVIL}",
    f"x\u2029{EVIL}",
    f"\\\n{EVIL}",
    f"\\\\\n{EVIL}",
    f"{{{EVIL}}}",
    f"f'{{{EVIL}}}'",
    f"a=1, **{{}}); {EVIL}; (b",
    f"a) or {EVIL} or (b",
    f"a: {EVIL}",
    f"a, b={EVIL}",
    "lambda",
    "class",
    "None",
    "__class__",
    "__builtins__",
    "print",
    "globals",
    "exec",
    "r",
    "m",
    "dots",
    "named",
    "ﬁ",
    "\u2102",
    "é",
    "e\u0301",
    "\U0001d431",
    "名前",
    "2x",
    "a b",
    "a.b",
    "a_b",
    "_a",
    "..a",
    ".a",
    "a-b",
    "%",
    "\\",
    "\\u0022",
    "\\x22",
    "\t",
    " ",
    "'",
    '"',
    "#",
    "# type: ignore",
    "-*- coding: utf-7 -*-",
    "+AG8-",
    "\U0001d7d9",
    "²",
    "a²",
    "·",
    "x·y",
    "\u200b",
    "a\u200bb",
    "\ufeff",
    "a\u202eb",
]


def quoted(text: str) -> str:
    """A string of R."""
    inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{inner}"'


def name(text: str) -> str:
    """A name of R in backticks; those cannot hold a backtick, a backslash or nothing."""
    bare = text.replace("`", "").replace("\\", "/")
    return f"`{bare}`"


def scripts(text: str) -> list[str]:
    """Scripts in which a text stands in all places where it can."""
    comment = text.replace("\n", "\n# ").replace("\r", "\n# ")
    return [
        f"{name(text)} <- 5\ny <- {name(text)} + 1\n",
        f"l <- list({name(text)} = 1)\ny <- l${name(text)}\nl${name(text)} <- 2\n",
        f"f <- function({name(text)} = 2) {name(text)}\ny <- f({name(text)} = 3)\n",
        f"y <- c({name(text)} = 1, 2)\n",
        f"y <- unknown.function({name(text)} = 1)\n",
        f"{name(text)}(1)\n",
        f"y <- {quoted(text)}\nx <- list({quoted(text)})\n",
        f"y <- 1 # {comment}\n# {comment}\nz <- 2\n",
        f"if (TRUE) {{\n  # {comment}\n  unknown.function(1) # {comment}\n}}\n",
        f"y <- a ~ {name(text)}\n",
        f"y <- {name(text)}(1)\n",
        f"g <- function(a) {{ {name(text)}(a) }}\n",
        f"y <- 3 {name(text)} 4\ny <- 3 %{text.replace('%', '')}% 4\n",
        f"library({name(text)})\ndata({name(text)})\nsource({quoted(text)})\n",
        f"for ({name(text)} in 1:2) y <- {name(text)}\n",
        f"y <- with(list(a = 1), {name(text)} + 1)\n",
    ]


def check(case: tuple[str, str]) -> None:
    text, script = case
    code = translate(script, text).code
    tree = ast.parse(code)
    compile(code, "translated.py", "exec")
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports] == ["from pyrrf import r"]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert "__import__" not in names
    assert not any(isinstance(n, ast.Attribute) and n.attr in ("system", "__class__") for n in ast.walk(tree))
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert not called & {"exec", "eval", "print"}


def test_no_text_becomes_code() -> None:
    cases = [(text, script) for text in TEXTS for script in scripts(text)]
    assert len(cases) > 200
    assert offenders(check, cases) == []


def test_names_map_one_to_one() -> None:
    names = [name(text) for text in TEXTS if "\\" not in text]
    done = translate("".join(f"{each} <- {index}\n" for index, each in enumerate(names)))
    known = [python for r, python in done.names.items() if f"`{r}`" in names]
    assert len(set(known)) == len(known) == len(names)
