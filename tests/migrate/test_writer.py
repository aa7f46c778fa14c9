"""Written files: comments with any text, and Python that is written only if it is read as intended."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("tree_sitter_language_pack")

from typer.testing import CliRunner

import pyrrf.migrate
from pyrrf.migrate.translation import translate
from pyrrf.migrate.write import writer
from pyrrf.migrate.write.lines import Comment, Line, Otherwise, code_of_r, tree_of, when
from pyrrf.migrate.write.writer import DisagreementError, checked_text

runner = CliRunner()
TOUCH = 'import os; os.system("touch A")'
# The scripts of the report: names with a line feed that are called, assigned, inside of a function, operators.
REPORTED = [
    f"`\n{TOUCH}\n#`(1)",
    f"x <- `\n{TOUCH}\n#`(1)",
    f"g <- function(a) {{\n  `\n{TOUCH}\n#`(a)\n}}",
    f"3 %\n{TOUCH}\n#% 4",
    f"3 `%\n{TOUCH}\n#%` 4",
]


@pytest.mark.parametrize("script", REPORTED)
def test_a_name_with_a_line_feed_is_a_comment(script: str) -> None:
    tree = ast.parse(translate(script).code)
    imports = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert imports == ["from pyrrf import r"]
    assert all(name.startswith("r.") for name in called)


# ---- comments --------------------------------------------------------------------------------------


def test_each_line_of_a_comment_has_its_mark() -> None:
    text = "a\nb\r\n\x0cc\x00\u2028d\u2029\x85e\rf\ud800\u202e"
    shown = [r"a", r"b", r"\x0cc\x00\u2028d\u2029\x85e\rf\ud800\u202e"]
    assert list(map(str, code_of_r(text))) == [f"#R {part}" for part in shown]
    assert str(Comment(text)) == f"# a\\nb\\r\\n{shown[2]}"
    for mark in ("#", "# ", "#R "):
        comment = str(Comment(text, mark))  # type: ignore[arg-type]
        assert ast.parse(comment.encode()).body == []
        assert comment.splitlines() == [comment]


def test_what_is_read_by_many_stays() -> None:
    shown = "gène 特徴 🧬 👩‍🔬 می‌خواهم\ta\u3000b"
    assert str(Comment(shown)) == f"# {shown}"


def test_comments_are_made_in_one_place() -> None:
    """Nothing but `lines` puts a hash before a text; nothing but the writer makes text of a tree."""
    folder = Path(pyrrf.migrate.__file__).parent
    made, unparsed = set(), set()
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                made |= {file.name} if re.match(r"\s*#", str(node.values[0].value)) else set()
            if isinstance(node, ast.Attribute) and node.attr == "unparse":
                unparsed.add(file.name)
    assert made == set()
    assert unparsed == {"writer.py"}


def test_no_comment_names_an_encoding() -> None:
    script = "# -*- coding: utf-7 -*-\n# coding: utf-7\n`coding: utf-7`(1)\nx <- 'é'\n"
    code = translate(script, "coding: utf-7.R").code
    assert ast.dump(ast.parse(code.encode())) == ast.dump(ast.parse(code))
    assert not code.startswith("#")
    assert not code.splitlines()[1]


# ---- agreement -------------------------------------------------------------------------------------


def statements_of(code: str) -> list[ast.stmt]:
    """Return the statements of Python code."""
    return ast.parse(code).body


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "x = 1\ny = 2\n"),
        ("x = 1\ny = 2\n", "x = 1\n"),
        ("x = 1\n", "x = 2\n"),
        ("x = (1,)\n", "x = 1\n"),
        ("if x:\n    y = 1\nz = 2\n", "if x:\n    y = 1\n    z = 2\n"),
        ("x = 1\n)\n", "x = 1\n"),
        ("x = 1\x00\n", "x = 1\n"),
        ('# coding: latin-1\nx = "é"\n', 'x = "é"\n'),
        ('x = "\ud800"\n', r'x = "\ud800"'),
    ],
)
def test_python_that_says_something_else_is_refused(text: str, said: str) -> None:
    with pytest.raises(DisagreementError):
        checked_text(text, statements_of(said), is_file=True)


@pytest.mark.parametrize(
    "code",
    [
        "import os",
        "from os import system",
        "from pyrrf import r as s",
        "import pyrrf as r",
        "exec('1')",
        "x = open",
        "__import__('os')",
        "x = __builtins__",
        "x = y.__class__",
        "x = y._data",
        "r.os",
        "r.Value._data",
        "class A: pass",
        "with x: pass",
        "async def f(): pass",
        "def open(): pass\nopen()",
    ],
)
def test_what_no_script_is_moved_to_is_refused(code: str) -> None:
    with pytest.raises(DisagreementError):
        checked_text(code + "\n", statements_of(code))


@pytest.mark.parametrize("name", ["a\nimport os", "a b", "", "class", "ﬁt", "a.b", "__x__"])
def test_names_that_are_none_are_refused(name: str) -> None:
    tree = ast.Assign([ast.Name(name, ast.Store())], ast.Constant(1), lineno=0)
    with pytest.raises(DisagreementError):
        checked_text("x = 1\n", [tree])


def test_lines_are_a_tree() -> None:
    name, x = ast.Name("a", ast.Load()), ast.Expr(ast.Name("x", ast.Load()))
    code = [(0, when(name)), (1, when(name)), (2, x), (1, Comment("b")), (1, Otherwise()), (2, x), (0, Otherwise(name))]
    lines = [Line(depth, part, 1, 1) for depth, part in [*code, (1, x), (0, Otherwise()), (1, x), (0, ast.Pass())]]
    said = "if a:\n    if a:\n        x\n    else:\n        x\nelif a:\n    x\nelse:\n    x\npass"
    assert ast.unparse(tree_of(lines)) == said
    assert writer.statement_code(lines) == said.replace("    else", "    # b\n    else") + "\n"


def test_a_file_that_says_something_else_is_not_written(tmp_path: Path, monkeypatch: Any) -> None:
    """With and without --check; the message asks for a report."""
    from pyrrf.cli.app import app

    (tmp_path / "a.R").write_text("x <- c('a', 'b')\n")
    monkeypatch.setattr(writer, "double_quoted", lambda code: code.replace("'b'", "'b', os.system('x')"))
    for more in ([], ["--check"]):
        result = runner.invoke(app, ["migrate", str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"), *more])
        assert (result.exit_code, result.stdout) == (3, "")
        assert "no file is written, since Python would read in it what was not meant" in result.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["a.R"]
    shown = runner.invoke(app, ["migrate", str(tmp_path / "a.R")])
    assert (shown.exit_code, shown.stdout) == (3, "")


def test_names_that_python_would_change() -> None:
    """Python reads the ligature as two letters: names, arguments and parts keep theirs."""
    code = translate("ﬁt <- 1\nfit <- 2\nl <- list(ﬁt = 3, fit = 4)\nl$ﬁt\nswitch('a', ﬁt = 1, 2)\n").code
    space: dict[str, Any] = {}
    exec(code, space)
    assert [list(map(float, space[name]._data)) for name in ("fit", "fit_2")] == [[1.0], [2.0]]
    assert [str(name) for name in space["l"]._attributes["names"]._data] == ["ﬁt", "fit"]
    assert 'l[["ﬁt"]]' in code


@pytest.mark.parametrize("name", ["r", "dots", "named", "globals", "print", "m", "__import__", "_", "__", "𐄇", "²"])
def test_names_that_the_file_needs(name: str) -> None:
    script = f"`{name}` <- c(2, 3)\ny <- sum(`{name}`)\nf <- function(`{name}`) `{name}` + 1\nz <- f(`{name}` = 4)\n"
    script += f"for (`{name}` in 5:6) w <- `{name}`\n"
    translation = translate(script)
    assert translation.left == []
    space: dict[str, Any] = {}
    exec(compile(translation.code.encode(), "a.py", "exec"), space)
    assert [float(space[name]._data[0]) for name in ("y", "z", "w")] == [5.0, 5.0, 6.0]


def test_messages_move_no_cursor() -> None:
    from pyrrf.cli.app import app

    result = runner.invoke(app, ["migrate", "-"], input="`\x1b[2K\nok`(1)\n")
    assert "\\x1b[2K" in result.stderr
    assert "\x1b" not in result.stdout + result.stderr


def test_objects_of_a_file_have_other_names_than_the_script_needs(tmp_path: Path) -> None:
    """An object called r, or one with a dot, is found; the module stays what it is."""
    from pyrrf import r

    names = ["r", "my.data", "globals", "__builtins__", "class2", "dots"]
    values = [r.c(float(index)) for index in range(len(names))]
    r.save(*values, file=str(tmp_path / "a.RData"), deparsed=names)
    script = f'load("{tmp_path.as_posix()}/a.RData")\n' + "".join(
        f"v{index} <- `{name}` + 0\n" for index, name in enumerate(names)
    )
    translation = translate(script)
    assert translation.left == []
    space: dict[str, Any] = {}
    exec(compile(translation.code.encode(), "a.py", "exec"), space)
    assert [float(space[f"v{index}"]._data[0]) for index in range(len(names))] == list(range(len(names)))
    assert space["r"] is r


def test_the_same_script_gives_the_same_file() -> None:
    """Arguments behind dots stand in the order of the call, whatever the order of a set."""
    script = "f <- function(x, ..., aa = 1, bb = 2, cc = 3) x + aa + bb + cc\ny <- f(1, cc = 2, aa = 3, bb = 4)\n"
    assert "y = f(r.c(1), cc=r.c(2), aa=r.c(3), bb=r.c(4))" in translate(script).code
