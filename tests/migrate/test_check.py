"""`pyrrf migrate --check`: R's records, the Python that runs beside them, and the file that is written."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rdata")
pytest.importorskip("tree_sitter_language_pack")
pytest.importorskip("typer")

from typer.testing import CliRunner

import pyrrf
from pyrrf import script as r
from pyrrf.migrate.check import checking, stepper, stepping, task
from pyrrf.migrate.check.account import lines_of
from pyrrf.migrate.check.alignment import align
from pyrrf.migrate.check.checking import check
from pyrrf.migrate.check.editing import likely_cause
from pyrrf.migrate.check.job import Job, Outcome
from pyrrf.migrate.check.recording import CheckError, Recording, record_file
from pyrrf.migrate.check.written import IMPORT, left_folder
from pyrrf.migrate.translation import translate
from pyrrf.random import get_random_seed
from pyrrf.rds.build import listed as r_list
from pyrrf.rds.build import symbol, write
from pyrrf.script.convert import to_robject
from pyrrf.script.recorded import read_record
from pyrrf.script.same import first_difference
from pyrrf.script.values import REAL_NA, Value, doubles, integers, listed, logicals, strings

runner = CliRunner()
needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")

# ---- R's side without R --------------------------------------------------------------------------

Step = dict[str, Any]


def write_record(file: Path, step: Step) -> None:
    """Write what `record.R` writes after a statement."""
    values = {name: to_robject(value) for name, value in step.get("values", {}).items()}
    notes = step.get("notes", {})
    parts: dict[str, Any] = {
        "values": r_list(values),
        "notes": to_robject(strings(notes.values(), {"names": strings(notes)}) if notes else strings([])),
        "seed": to_robject(integers(step["seed"])) if "seed" in step else None,
        "cut": to_robject(logicals(False)),
        "quit": to_robject(logicals(step.get("quit", False))),
        "seconds": to_robject(doubles(0.01)),
    }
    for name in ("removed", "text", "error", "warnings", "collate", "folder", "r"):
        parts[name] = to_robject(strings(step.get(name, [])))
    write(r_list(parts), file)


def seed_after(draw: Callable[[], Any]) -> np.ndarray:
    """R's stream after some draws."""
    before = get_random_seed()
    try:
        draw()
        return get_random_seed()
    finally:
        pyrrf.random.set_random_seed(before)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let R have done some steps."""

    def play(*steps: Step, ending: str = "", collate: str = "C") -> None:
        def record(statements: Any, script: Path, folder: Path, limit: float, start: Path | None = None) -> Recording:
            assert len(statements) >= len(steps)
            first = {"r": ["R version 4.2.2 (2022-10-31)"], "collate": [collate], "seed": get_random_seed()}
            write_record(folder / "00000.rds", first)
            for number, step in enumerate(steps):
                write_record(record_file(folder, number), step)
            return Recording(folder, read_record(folder / "00000.rds"), len(steps), ending)

        monkeypatch.setattr(task, "record", record)

    return play


def checked(tmp_path: Path, text: str, **how: Any) -> tuple[checking.Checked, str]:
    """Check a script; the Python that is written."""
    (tmp_path / "a.R").write_text(text, encoding="utf-8")
    found = check(tmp_path / "a.R", tmp_path / "a.py", **how)
    return found, (tmp_path / "a.py").read_text(encoding="utf-8")


def body(code: str) -> list[str]:
    """The lines of a file behind its imports."""
    return code.split(IMPORT, 1)[1].strip("\n").split("\n")


def python(statement: str) -> str:
    """The Python of a statement of R, in one line."""
    return translate(statement).statements[0].code.strip()


@contextlib.contextmanager
def apart() -> Iterator[None]:
    """Let the process be as it was afterwards."""
    place, state, collate = Path.cwd(), get_random_seed(), pyrrf.set_collate(None)
    os.chdir("/")
    try:
        yield
    finally:
        os.chdir(place)
        pyrrf.random.set_random_seed(state)
        pyrrf.set_collate(collate)


def output_of(file: Path) -> str:
    """What a Python file prints, run from another folder."""
    with apart(), contextlib.redirect_stdout(io.StringIO()) as shown, contextlib.suppress(SystemExit):
        exec(compile(file.read_text(encoding="utf-8"), file, "exec"), {"__name__": "__main__", "__file__": str(file)})
    return shown.getvalue()


def step_here(job: Job, records: Path, folder: Path) -> list[Outcome]:
    """What the other process does, here: it takes a second to begin."""
    answers = io.StringIO()
    with apart(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(job.place)
        stepper.Stepper(replace(job, records=str(records)), answers).run()
    told = [json.loads(line) for line in answers.getvalue().splitlines()]
    found = [Outcome(**line["outcome"]) for line in told if "outcome" in line]
    return found + [Outcome(number, "unreached") for number in range(len(found), len(job.blocks))]


@pytest.fixture(autouse=True)
def here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Python run in this process."""
    if "process" not in request.fixturenames:
        monkeypatch.setattr(task, "step", step_here)


@pytest.fixture
def process() -> None:
    """Let it run in one of its own, as it does."""


# ---- two values ----------------------------------------------------------------------------------

NAN = float("nan")


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        (doubles([1, 2, 3]), doubles([1, 2, 3]), None),
        (doubles([1, 2, 3]), doubles([1, 2.5, 3]), "x[2]: 2 here, 2.5 in R"),
        (doubles([0.1 + 0.2]), doubles([0.3]), "x: 0.30000000000000004 here, 0.29999999999999999 in R"),
        (doubles([NAN]), doubles([REAL_NA]), "x: NaN here, NA in R"),
        (doubles([NAN]), doubles([-NAN]), None),
        (doubles([0.0]), doubles([-0.0]), "x: 0 here, -0 in R"),
        (integers([1]), doubles([1]), "x: integer here, double in R"),
        (integers([NAN, 2]), integers([NAN, 2]), None),
        (logicals([1, NAN]), logicals([1, 0]), "x[2]: NA here, FALSE in R"),
        (strings(["a", None]), strings(["a", "NA"]), "x[2]: NA here, 'NA' in R"),
        (doubles([1, 2]), doubles([1]), "length(x): 2 here, 1 in R"),
        (r.c(a=1), doubles([1]), "names(x): character here, none in R"),
        (r.c(a=1), r.c(b=1), "names(x): 'a' here, 'b' in R"),
        (listed([1, 2], ["a", "b"]), listed([1, 3], ["a", "b"]), "x$b: 2 here, 3 in R"),
        (listed([1], ["a"]), listed([1, 3], ["a", "b c"]), "x$`b c`: nothing here, there in R"),
        (listed([1]), listed([listed([2])]), "x[[1]]: double here, list in R"),
        (len, r.c(1), "x: function here, double in R"),
        (len, Value("opaque", np.array(["closure"], dtype=object)), None),
        (r.not_moved("x", "why"), r.c(1), "x: no value here, double in R"),
        (r.formula("y ~ a+b"), r.formula("y ~ a + b"), None),
        (r.formula("y ~ a"), r.formula("y ~ b"), "x: y~a here, y~b in R"),
        (5, doubles([5]), None),
        (doubles([1.5], {"class": strings("proc_time")}), doubles([2.5], {"class": strings("proc_time")}), None),
        (
            doubles([1, 2, 3, 4], {"dim": integers([2, 2])}),
            doubles([1, 2, 9, 4], {"dim": integers([2, 2])}),
            "x[1, 2]: 3 here, 9 in R",
        ),
    ],
)
def test_first_difference(ours: Any, theirs: Any, told: str | None) -> None:
    found = first_difference(ours, theirs, "x")
    assert (None if found is None else str(found)) == told


def test_attributes_in_any_order_and_calls_of_fits_do_not_count() -> None:
    a = Value("integer", np.array([1.0]), {"levels": strings("u"), "class": strings("factor")})
    b = Value("integer", np.array([1.0]), {"class": strings("factor"), "levels": strings("u")})
    assert first_difference(a, b) is None
    one, other = (listed([r.formula(text), 2], ["call", "p"], "lm") for text in ("f(x)", "g(y)"))
    assert first_difference(one, other) is None
    assert first_difference(listed([1], ["call"]), listed([2], ["call"])) is not None


# ---- r.left --------------------------------------------------------------------------------------


def test_left_reads_prints_and_sets_the_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seed = seed_after(lambda: pyrrf.runif(3))
    step = {"values": {"x": integers([1, NAN]), "né": strings(["é", None])}, "notes": {"f": "a function"}}
    write_record(tmp_path / "003.rds", step | {"text": ["[1] 1\n"], "seed": seed})
    space = {"__name__": "__main__", "__file__": str(tmp_path / "s.py"), "r": r}
    before = get_random_seed()
    exec("x, s, f = r.left('003.rds', 'x', 'né', 'f')", space)
    assert (get_random_seed() == seed).all()
    pyrrf.random.set_random_seed(before)
    assert first_difference(space["x"], integers([1, NAN])) is None
    assert first_difference(space["s"], strings(["é", None])) is None
    with pytest.raises(r.NotMovedError, match=r"a function in R \(003\.rds\)"):
        space["f"]()
    assert capsys.readouterr().out == "[1] 1\n"
    with pytest.raises(ValueError, match="there is no 'y' in it; it has 'x', 'né'"):
        exec("r.left('003.rds', 'y')", space)
    with pytest.raises(FileNotFoundError):
        exec("r.left('004.rds')", space)


def test_what_r_alone_holds_is_no_symbol(tmp_path: Path) -> None:
    write(r_list({"values": r_list({"l": r_list({"f": symbol(".pyrrf_closure")})})}), tmp_path / "a.rds")
    value = read_record(tmp_path / "a.rds").values["l"]._data[0]
    assert (value._kind, value._data[0]) == ("opaque", "closure")


@pytest.mark.parametrize("content", [b"", b"not R's", b"\x1f\x8b\x00"])
def test_a_damaged_record(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.rds").write_bytes(content)
    with pytest.raises(ValueError, match=r"\w"):
        read_record(tmp_path / "a.rds")


# ---- checking ------------------------------------------------------------------------------------


def test_all_equal(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1, 2])}}, {"values": {"y": doubles([2, 4])}})
    found, code = checked(tmp_path, "x <- c(1, 2)\ny <- x * 2 # twice")
    assert (found.clean, found.told, found.summary) == (True, [], "2 of 2 lines moved and equal")
    assert code.splitlines()[0] == (
        '"""Moved from a.R by pyrrf migrate, checked with R version 4.2.2: 2 of 2 lines moved and equal."""'
    )
    assert body(code) == [python("x <- c(1, 2)"), "y = x * 2  # twice"]
    assert sorted(path.name for path in (tmp_path / "a.left").iterdir()) == ["check.json"]


def test_what_differs_is_frozen_and_what_follows_is_not(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1, 3])}}, {"values": {"y": doubles([2, 6])}, "text": ["[1] 2\n"]})
    found, code = checked(tmp_path, "x <- c(1, 2)\ny <- nosuch(x)\n")
    assert not found.clean
    assert body(code) == [
        "# line 1, as R left it: it differs: x[2]: 2 here, 3 in R",
        "#R x <- c(1, 2)",
        'x = r.left("a.left/001.rds", "x")',
        "# line 2, as R left it: nosuch() is not known here",
        "#R y <- nosuch(x)",
        'y = r.left("a.left/002.rds", "y")',
    ]
    assert output_of(tmp_path / "a.py") == "[1] 2\n"


def test_values_follow_r_after_a_difference(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1, 3])}}, {"values": {"y": doubles([2, 6])}})
    _, code = checked(tmp_path, "x <- c(1, 2)\ny <- x * 2")
    assert body(code)[-1] == "y = x * 2"


def test_a_statement_that_is_undone_leaves_nothing(tmp_path: Path, played: Callable[..., None]) -> None:
    """What a frozen statement changed here and not in R is as it was."""
    played(
        {"values": {"x": doubles([1, 2]), "y": doubles([5])}},
        {"values": {"y": doubles([7])}},
        {"values": {"z": doubles([2, 4])}},
    )
    text = "{x <- c(1, 2); y <- 5}\n{ x[1] <- 9; y <- 6 }\nz <- x * 2"
    found, code = checked(tmp_path, text)
    assert "x[1]: 9 here, 1 in R" in code or "y: 6 here, 7 in R" in code
    assert body(code)[-1] == "z = x * 2"
    assert found.summary == "2 of 3 lines moved and equal"


def test_the_stream_counts(tmp_path: Path, played: Callable[..., None]) -> None:
    def two() -> None:
        pyrrf.set_seed(1)
        pyrrf.runif(2)

    played({"seed": seed_after(lambda: pyrrf.set_seed(1))}, {"seed": seed_after(two)})
    found, code = checked(tmp_path, "set.seed(1)\ninvisible(runif(3))\n")
    assert body(code)[0] == "r.set_seed(1)"
    assert body(code)[1].endswith("it leaves the random stream elsewhere than R")
    assert body(code)[-1] == 'r.left("a.left/002.rds")'
    assert found.summary == "1 of 2 lines moved and equal"


def test_a_stream_that_the_script_does_not_set(tmp_path: Path, played: Callable[..., None]) -> None:
    state = get_random_seed()
    x = pyrrf.runif(2)
    after = get_random_seed()
    pyrrf.random.set_random_seed(state)
    played({"values": {"x": doubles(x)}, "seed": after})
    found, code = checked(tmp_path, "x <- runif(2)\n")
    assert found.clean
    assert body(code)[0].startswith('r.left("a.left/000.rds")  # the random stream of this run: line 1 draws')
    file = tmp_path / "b.py"
    file.write_text(code + "import sys\nsys.stdout.write(repr(float(x[2])))\n")
    assert output_of(file) == repr(float(x[1]))


def test_the_order_of_strings_is_that_of_this_r(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}}, collate="en_US")
    _, code = checked(tmp_path, "x <- 1\n")
    assert code.split('"""')[2].split("\n")[2:6] == [
        "import pyrrf",
        IMPORT.strip(),
        "",
        'pyrrf.set_collate("en_US")  # the order of strings in this R',
    ]


def test_errors_of_r_and_what_hangs_on_them(tmp_path: Path, played: Callable[..., None]) -> None:
    played(
        {"error": ["there is no package called 'foo'"]},
        {"error": ['could not find function "bar"']},
        {"error": ["object 'x' not found"]},
        {"values": {"z": doubles([1])}},
        {"error": ['sad """ day\\\nimport os']},
    )
    found, code = checked(tmp_path, "library(foo)\nx <- bar(1)\ny <- x + 1\nz <- 1\nstop(z)")
    assert found.told == [
        "Lines that fail in R, too:",
        "    line 1: R does not have the package foo (and lines 2, 3)",
        '    line 5: sad """ day\\',
    ]
    assert [line for line in body(code) if not line.startswith("#")] == [python("z <- 1")]


def test_what_python_has_nothing_to_do_for(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"error": ["trying to use CRAN without setting a mirror"]}, {"error": ["unable to start data viewer"]})
    found, code = checked(tmp_path, "install.packages('x')\nView(1)\n")
    assert (found.clean, body(code)) == (True, [""])


def test_printed_text_counts_by_itself(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}, "text": ["hm\n"]}, {"text": ["[1] 2\n"]}, {"text": ["[1] 1\n"]})
    found, code = checked(tmp_path, "x <- 1\nprint(x)\nprint(x)")
    assert found.told[-2:] == ["Moved, but what is printed differs:", "    line 1: it prints '', R 'hm'"]
    assert body(code)[0] == python("x <- 1")
    assert body(code)[-2:] == ['r.left("a.left/002.rds")', "r.print(x)"]


def test_what_hangs_or_crashes_is_left_to_r(
    tmp_path: Path, played: Callable[..., None], monkeypatch: pytest.MonkeyPatch, process: None
) -> None:
    monkeypatch.setattr(task, "SECONDS", 1.0)
    played({"values": {"x": doubles([1])}}, {"values": {"y": doubles([2])}}, {"values": {"z": doubles([3])}})
    monkeypatch.setattr(task, "translate", _with_code({0: "import os; os.abort()", 1: "while True: pass"}))
    found, code = checked(tmp_path, "x <- 1\ny <- 2\nz <- x + y")
    assert found.told[1].startswith("    line 1: Python ends with status -6")
    assert found.told[2] == "    line 2: it takes longer than 1 s"
    assert body(code)[-1] == "z = x + y"


def test_what_does_not_heed_the_alarm(
    tmp_path: Path, played: Callable[..., None], monkeypatch: pytest.MonkeyPatch, process: None
) -> None:
    monkeypatch.setattr(task, "SECONDS", 0.5)
    monkeypatch.setattr(stepping, "_GRACE", 0.5)
    played({"values": {"x": doubles([1])}})
    deaf = "import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass"
    monkeypatch.setattr(task, "translate", _with_code({0: deaf}))
    found, _ = checked(tmp_path, "x <- 1\n")
    assert found.told[1] == "    line 1: it takes longer than 0 s"


def _with_code(codes: dict[int, str]) -> Callable[..., Any]:
    """A translator that says something else for some statements."""

    def moved(*args: Any) -> Any:
        found = translate(*args)
        for number, code in codes.items():
            object.__setattr__(found.statements[number], "code", code)
        return found

    return moved


def test_functions_stay_python(tmp_path: Path, played: Callable[..., None]) -> None:
    played(
        {"notes": {"f": "a function"}},
        {"notes": {"g": "a function"}, "values": {"k": doubles([4])}},
        {"values": {"y": doubles([2])}},
        {"notes": {"h": "a function"}},
        {"values": {"z": doubles([3])}},
    )
    text = "f <- function(a) a + 1\n{ g <- function(a) f(a); k <- 3 }\ny <- g(1)\nh <- nosuch(f)\nz <- h(2)\n"
    found, code = checked(tmp_path, text)
    lines = body(code)
    assert lines[:2] == ["def f(a):", "    return a + 1"]
    assert any(line.startswith("y = g(") for line in lines)
    for line in ("def g(a):", 'k = r.left("a.left/002.rds", "k")'):
        assert line in lines
    assert 'h = r.left("a.left/004.rds", "h")' in lines
    assert lines[-1] == 'z = r.left("a.left/005.rds", "z")'
    assert any("line 4" in line and "line 5" in line for line in found.told)
    ast.parse(code)


def test_r_that_does_not_come_to_the_end(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}}, ending="R was not done after 3 s")
    found, code = checked(tmp_path, "x <- 1\ny <- 2\nz <- 3\n")
    assert found.told == ["Not checked, since R was not done after 3 s in line 2: lines 2, 3."]
    assert body(code) == [python(text) for text in ("x <- 1", "y <- 2", "z <- 3")]


def test_r_that_quits(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"values": {"x": doubles([1])}}, {"quit": True}, ending="R had ended")
    _, code = checked(tmp_path, "x <- 1\nquit()\ny <- 2\n")
    assert "SystemExit" in code or "r.quit" in code
    assert output_of(tmp_path / "a.py") == ""


def test_values_that_are_not_recorded(tmp_path: Path, played: Callable[..., None]) -> None:
    played({"notes": {"x": "a value of 900 MB, too large to be recorded"}}, {"values": {"n": integers([3])}})
    found, code = checked(tmp_path, "x <- c(1, 2, 3)\nn <- length(x)\n")
    assert found.clean
    assert found.told == ["Moved, but not compared, since R's values could not be recorded: line 1."]
    assert body(code) == [python("x <- c(1, 2, 3)"), "n = r.length(x)"]


def test_times_are_not_compared(tmp_path: Path, played: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    played({"values": {"x": doubles([7])}}, {"values": {"y": doubles([8])}})
    monkeypatch.setattr(task, "translate", _with_code({0: "x = r.c(6)"}))
    found, code = checked(tmp_path, "x <- as.numeric(Sys.time())\ny <- x + 1\n")
    assert found.told[0] == "Moved, but not comparable, since they ask for the time or the machine: line 1."
    assert body(code)[-1] == "y = x + 1"


HOSTILE = ['"; import os; os.abort() #', "'''", '"""', "\\", "a\nimport os", "é\u2028x", "\x0cq", "{x}", "%s", "\ud7ff"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(tmp_path: Path, played: Callable[..., None], text: str) -> None:
    inner = text.replace("\\", "\\\\").replace('"', '\\"')
    played({"values": {"x": strings([text])}, "text": [text]}, {"error": [text]}, {"notes": {"f": text}})
    _, code = checked(tmp_path, f'x <- nosuch("{inner}")\nstop("{inner}")\nf <- nosuch("{inner}")\n')
    # The docstring, the import, what x is, and why f is not there.
    assert [type(node).__name__ for node in ast.parse(code).body] == ["Expr", "ImportFrom", "Assign", "Assign"]
    assert output_of(tmp_path / "a.py") == text


@pytest.mark.parametrize("name", ["it's.py", 'say "x".py', "a b.py", "é.py", "x;import os.py"])
def test_hostile_names_of_files(tmp_path: Path, played: Callable[..., None], name: str) -> None:
    played({"text": ["hello\n"]})
    (tmp_path / "a.R").write_text("nosuch()\n")
    check(tmp_path / "a.R", tmp_path / name)
    assert output_of(tmp_path / name) == "hello\n"


# ---- edited files --------------------------------------------------------------------------------

SCRIPT = "x <- c(1, 2)\ny <- nosuch(x)\nz <- nosuch(y)\nw <- x + 1\n"
STEPS = (
    {"values": {"x": doubles([1, 2])}},
    {"values": {"y": doubles([3, 4])}},
    {"values": {"z": doubles([5])}},
    {"values": {"w": doubles([2, 3])}},
)


def edited(tmp_path: Path, played: Callable[..., None], change: Callable[[str], str]) -> checking.Checked:
    """Check, edit, and check again."""
    played(*STEPS)
    _, code = checked(tmp_path, SCRIPT)
    (tmp_path / "a.py").write_text(changed := change(code))
    assert changed != code
    found = check(tmp_path / "a.R", tmp_path / "a.py")
    assert (tmp_path / "a.py").read_text() == changed
    return found


def test_a_line_that_was_thawed(tmp_path: Path, played: Callable[..., None]) -> None:
    found = edited(tmp_path, played, lambda code: code.replace('y = r.left("a.left/002.rds", "y")', "y = x + 2"))
    assert found.told[1:] == ["equal now: line 2", "frozen, as before: line 3"]
    assert found.summary == "of 4 statements 3 equal, 1 frozen, 0 differs"
    again = check(tmp_path / "a.R", tmp_path / "a.py")
    assert again.told[1:] == ["frozen, as before: line 3"]


def test_a_line_that_is_no_longer_equal(tmp_path: Path, played: Callable[..., None]) -> None:
    found = edited(tmp_path, played, lambda code: code.replace("w = x + 1", "w = x + 2"))
    line = (tmp_path / "a.py").read_text().split("\n").index("w = x + 2") + 1
    assert f"not equal: line 4 of R, line {line} of a.py: it differs: w[1]: 3 here, 2 in R" in found.told
    assert not found.clean


def test_an_edit_in_many_lines_with_imports(tmp_path: Path, played: Callable[..., None]) -> None:
    more = (
        "import numpy as np\n\n\n@np.vectorize\ndef add(a):\n    return a\n\n\ny = r.c(*[v + 2 for v in (1, 2)]); q = 1"
    )
    found = edited(tmp_path, played, lambda code: code.replace('y = r.left("a.left/002.rds", "y")', more))
    assert found.told[1:] == ["equal now: line 2", "frozen, as before: line 3"]


def test_lines_that_were_laid_out_otherwise(tmp_path: Path, played: Callable[..., None]) -> None:
    def change(code: str) -> str:
        return "#!/usr/bin/python\n" + code.replace("x = r.c(1", "x = r.c(\n  1")

    found = edited(tmp_path, played, change)
    assert found.told[1:] == ["frozen, as before: lines 2, 3"]


def test_two_lines_made_one(tmp_path: Path, played: Callable[..., None]) -> None:
    def change(code: str) -> str:
        start, end = code.index("# line 2"), code.index("w = x")
        return code[:start] + "y = x + 2\nz = r.c(5)\n" + code[end:]

    assert edited(tmp_path, played, change).told[1:] == ["equal now: lines 2, 3"]


def test_a_line_that_was_removed(tmp_path: Path, played: Callable[..., None]) -> None:
    found = edited(tmp_path, played, lambda code: code.replace("w = x + 1\n", ""))
    assert "not equal: line 4 of R, nothing in a.py: it differs: w: nothing here, double in R" in found.told


def test_what_no_longer_is_python(tmp_path: Path, played: Callable[..., None]) -> None:
    with pytest.raises(CheckError, match=r"a\.py: line \d+: "):
        edited(tmp_path, played, lambda code: code + "w = (\n")


def test_force_writes_anew(tmp_path: Path, played: Callable[..., None]) -> None:
    edited(tmp_path, played, lambda code: code.replace("w = x + 1", "w = x + 2"))
    played(*STEPS)
    _, code = checked(tmp_path, SCRIPT, force=True)
    assert "w = x + 1" in code


def test_a_script_that_was_edited_too(tmp_path: Path, played: Callable[..., None]) -> None:
    edited(tmp_path, played, lambda code: code + "\n# mine\nprint\n")
    played(STEPS[0], {"values": {"v": doubles([1])}}, *STEPS[1:])
    (tmp_path / "a.R").write_text(SCRIPT.replace("y <-", "v <- 1\ny <-"))
    found = check(tmp_path / "a.R", tmp_path / "a.py")
    assert any(text.startswith("not equal: line 2 of R, nothing in a.py") for text in found.told), found.told


def test_files_that_migrate_has_not_written_stay(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    (tmp_path / "a.py").write_text("mine = 1\n")
    with pytest.raises(CheckError, match="has not written it; --force replaces it"):
        checked(tmp_path, SCRIPT)
    (tmp_path / "a.py").write_bytes(b"\xff")
    with pytest.raises(CheckError, match="not UTF-8"):
        checked(tmp_path, SCRIPT)


def test_a_file_that_was_moved_without_check(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    (tmp_path / "a.R").write_text(SCRIPT)
    code = translate(SCRIPT, "a.R", tmp_path).code.replace("w = x + 1", "w = 1 + x")
    (tmp_path / "a.py").write_text(code)
    found = check(tmp_path / "a.R", tmp_path / "a.py")
    assert sum(text.startswith("not equal: ") for text in found.told) == 2


def test_what_is_not_needed_any_more_is_removed(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    checked(tmp_path, SCRIPT)
    (tmp_path / "a.left" / "notes.txt").write_text("mine")
    assert len(list(left_folder(tmp_path / "a.py").iterdir())) == 4
    played(STEPS[0])
    checked(tmp_path, "x <- c(1, 2)\n")
    assert sorted(path.name for path in (tmp_path / "a.left").iterdir()) == ["check.json", "notes.txt"]


def test_alignment_of_equal_lines() -> None:
    moved = translate("x <- 1\nx <- 1\nlibrary(a)\nx <- 1\nf(x)\n")
    codes = [statement.code for statement in moved.statements]
    found = align(moved.code.replace(python("x <- 1"), "x = r.c(2)", 1), moved.statements, codes, IMPORT)
    assert [(block.first, block.end) for block in found.blocks] == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert found.intact == [False, True, True, True, True]


@pytest.mark.parametrize(
    ("lines", "text"),
    [([3], "line 3"), ([3, 4], "lines 3, 4"), ([5, 3, 4, 9], "lines 3 to 5, 9"), (range(1, 99, 3), "and 25 more")],
)
def test_lines_in_words(lines: list[int], text: str) -> None:
    assert lines_of(lines).endswith(text)


def test_likely_causes() -> None:
    assert "rounded" in likely_cause("it differs: x[2]: 0.30000000000000004 here, 0.29999999999999999 in R")
    assert "strings" in likely_cause("it differs: levels(x)[1]: 'a' here, 'B' in R")
    assert "5L" in likely_cause("it differs: n: integer here, double in R")
    assert likely_cause("it differs: n: 1 here, 2 in R") == ""


def test_text_that_closing_a_plot_prints() -> None:
    from pyrrf.script.recorded import Record

    assert stepper._text_difference("", Record(text="null device \n          1 \n")) == ""
    assert stepper._text_difference("a\n", Record(text="b\n")) == "it prints 'a', R 'b'"


# ---- the command ---------------------------------------------------------------------------------


def migrate(*arguments: str, **how: Any) -> Any:
    """What the command answers."""
    from pyrrf.cli.app import app

    return runner.invoke(app, ["migrate", *arguments], **how)


def test_the_command(tmp_path: Path, played: Callable[..., None]) -> None:
    played(*STEPS)
    (tmp_path / "a.R").write_text(SCRIPT)
    given = ("--check", str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"))
    result = migrate(*given)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[1:] == [
        "note: Frozen, with what R left in a.left:",
        "note:     line 2: nosuch() is not known here (and line 3)",
        "pyrrf: 2 of 4 lines moved and equal",
    ]
    (tmp_path / "a.py").write_text((tmp_path / "a.py").read_text() + "# mine\n")
    result = migrate(str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"))
    assert (result.exit_code, "edited since it was checked" in result.stderr) == (3, True)
    assert migrate(str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"), "--force").exit_code == 1


@pytest.mark.parametrize("given", [("--check", "a.R"), ("--check", "-", "-o", "a.py")])
def test_check_needs_files(given: tuple[str, ...]) -> None:
    assert migrate(*given, input="x <- 1").exit_code == 2


def test_without_r(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "a.R").write_text("x <- 1\n")
    result = migrate("--check", str(tmp_path / "a.R"), "-o", str(tmp_path / "a.py"))
    assert result.exit_code == 3
    assert "Rscript is not to be found; install R" in result.stderr
    assert not (tmp_path / "a.py").exists()


def test_parity_takes_the_same_instrument(tmp_path: Path, played: Callable[..., None]) -> None:
    from pyrrf.cli.app import app

    edited(tmp_path, played, lambda code: code.replace("w = x + 1", "w = x + 2"))
    result = runner.invoke(app, ["parity", str(tmp_path / "a.R"), str(tmp_path / "a.py")])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "identical: 1 statement, in all values and the random stream",
        "as R left them: 2 statements",
    ]
    assert lines[2].startswith("differs: line 4 of R, line ")
    assert lines[2].endswith("w[1]: 3 here, 2 in R")


# ---- with R --------------------------------------------------------------------------------------

NASTY = r"""c <- function(...) stop("mine")
list <- 3
x <- 1:10
x
identical <- NULL
x[2] <- NA
sink("sunk.txt")
"sunk"
sink()
library(notthere)
warning("careful")
e <- new.env()
l <- base::list(e = e, f = mean, y = y ~ x, 1)
fit <- lm(dist ~ speed, cars)
print(fit)
base::rm("list")
plot(1:3); dev.off()
readline("? ")
commandArgs(TRUE)
options(error = quote(q("no", 3)))
stop("boo")
invokeRestart("abort")
for (i in 1:30000) cat("line", i, "\n")
s <- "multi
line é"
`a b; import os` <- 2; z <- `a b; import os` + 1
runif(2)
print(s)
quit("no", 4)
never <- 1"""


@needs_r
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_script_that_tries_everything(tmp_path: Path, ends: str, process: None) -> None:
    (tmp_path / "a.R").write_bytes(NASTY.replace("\n", ends).encode())
    found = check(tmp_path / "a.R", tmp_path / "a.py")
    assert {path.name for path in tmp_path.iterdir()} == {"a.R", "a.py", "a.left", "sunk.txt"}
    told = "\n".join(found.told)
    for text in ("the package notthere", "boo", "aborted", "R had ended in line 30: line 30."):
        assert text in told
    environment = os.environ | {"MPLBACKEND": "Agg"}
    shown = [
        subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False).stdout
        for command in (["Rscript", "a.R"], [sys.executable, "a.py"])
    ]
    # Rscript stops at the first error; the record does not.
    assert shown[1].startswith(shown[0])
    assert shown[1].splitlines()[-1] == '[1] "multi\\nline é"'
    assert "line 30000 " in shown[1]


@needs_r
def test_a_time_limit(tmp_path: Path) -> None:
    (tmp_path / "a.R").write_text("x <- 1\nwhile (TRUE) x <- x + 0\ny <- 2\n")
    found = check(tmp_path / "a.R", tmp_path / "a.py", limit=3)
    assert found.told == ["Not checked, since R was not done after 3 s (--limit gives more) in line 2: lines 2, 3."]


@needs_r
def test_a_crash_of_r(tmp_path: Path) -> None:
    (tmp_path / "a.R").write_text("x <- 1\ntools::pskill(Sys.getpid(), 9)\n")
    assert "R ended by signal 9 in line 2" in check(tmp_path / "a.R", tmp_path / "a.py").told[-1]


@needs_r
def test_draws_without_a_seed_are_the_same_in_the_next_check(tmp_path: Path) -> None:
    (tmp_path / "a.R").write_text("x <- runif(2)\ny <- nosuch(x)\n")
    codes = []
    for _ in range(2):
        check(tmp_path / "a.R", tmp_path / "a.py")
        codes.append(((tmp_path / "a.py").read_text(), (tmp_path / "a.left" / "000.rds").read_bytes()))
    assert codes[0] == codes[1]
