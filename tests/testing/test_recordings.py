"""What R answered, replayed without R: identical as it is, and each change of it found and named."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pyrrf
from pyrrf.fit.callbacks import GrownForest, watching
from pyrrf.random import get_random_seed, set_random_seed
from pyrrf.testing import Recording, assert_same_as_r, compare_fits, read_recording
from pyrrf.testing.causes import draws_between
from pyrrf.testing.scripts import PrintedNumbers, ScriptError, compare, compare_printed, record, replay, trace

FILE = Path(__file__).parent / "calls.rds"


@pytest.fixture(scope="module")
def calls() -> Recording:
    return read_recording(FILE)


def grown(calls: Recording, **changed: Any) -> list[GrownForest]:
    """The forests of the recording as a script would grow them; the second one with other arguments."""
    found: list[GrownForest] = []
    with watching(found.append), warnings_off():
        for at, call in enumerate(calls):
            set_random_seed(call.before)
            arguments = call.arguments | (changed if at == 1 else {})
            getattr(pyrrf, call.name)(**arguments)
    return found


def warnings_off() -> Any:
    return warnings.catch_warnings(action="ignore")


def test_each_call_is_replayed_bit_by_bit(calls: Recording) -> None:
    found = replay(calls)
    assert found.difference is None
    assert (found.forests, len(calls)) == (5, 5)
    assert found.values > 2000


def test_the_stream_ends_where_r_left_it(calls: Recording) -> None:
    for call in calls:
        call.replay()
        assert np.array_equal(get_random_seed(), call.after)


@pytest.mark.parametrize("at", range(5))
def test_a_fit_of_another_seed_is_told(calls: Recording, at: int) -> None:
    call = calls[at]
    other = replace(call, before=call.after)
    assert_same_as_r(call.replay(), calls, at)
    with pytest.raises(AssertionError, match="the fit is not R's: "):
        assert_same_as_r(other.replay(), FILE, at)


def test_a_call_that_is_not_there(calls: Recording) -> None:
    with pytest.raises(IndexError, match="call is 5, but the recording has 5"):
        assert_same_as_r(calls[0].replay(), calls, 5)


def test_one_bit_is_told(calls: Recording) -> None:
    fit = calls[2].replay()
    fit.outcome.importance[1, 0] = np.nextafter(fit.outcome.importance[1, 0], 1)
    difference = compare_fits(fit, calls[2].result)
    assert difference is not None
    assert difference.where == "importance[1, 0]"


# ---- a script beside R's ------------------------------------------------------------------------


def changed_call(calls: Recording, **changed: Any) -> str:
    found = compare(grown(calls, **changed), calls)
    assert found.forests == 1
    assert found.difference is not None
    return str(found.difference)


def test_equal_scripts(calls: Recording) -> None:
    assert compare(grown(calls, coefReg=calls[1].arguments["coefReg"]), calls).difference is None


def test_last_digits_point_to_pyrrf_r(calls: Recording) -> None:
    x = calls[1].arguments["x"].copy()
    x["c"] = np.nextafter(x["c"], 9)
    assert "pyrrf.r has R's" in changed_call(calls, x=x)
    coefficients = np.nextafter(calls[1].arguments["coefReg"], 0)
    told = changed_call(calls, coefReg=coefficients)
    assert told.startswith("forest 2 (RRF), coefReg[0]")
    assert "pyrrf.r has R's" in told


def test_order_of_labels(calls: Recording) -> None:
    y = calls[1].arguments["y"]
    told = changed_call(calls, y=y.reorder_categories(["yes", "no"]))
    assert "pass pd.Categorical(y, ['no', 'yes'])" in told


def test_order_of_levels_of_a_column(calls: Recording) -> None:
    x = calls[1].arguments["x"]
    told = changed_call(calls, x=x.assign(kind=x["kind"].cat.reorder_categories(["v", "u", "w"])))
    assert "x: levels of column 'kind': ['v', 'u', 'w'] here, ['u', 'v', 'w'] in R" in told


def test_columns_that_differ_are_named(calls: Recording) -> None:
    x = calls[1].arguments["x"].copy()
    x.loc[3, "c"] += 1
    assert "1 of 150 cells differ" in changed_call(calls, x=x)
    assert "in the columns 'c' alone" in changed_call(calls, x=x)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"ntree": 5}, "ntree: 5 here, 4 in R"),
        ({"coefReg": 0.5}, r"coefReg\[0\]"),
        ({"y": pd.Categorical(["yes", "no"] * 15, ["yes", "no"]), "feaIni": None}, r"y: levels.*\n.*pd.Categorical"),
        ({"y": pd.Categorical(["yes", "no"] * 15, ["no", "yes"])}, r"y\[\d+\]: "),
        ({"y": np.arange(30.0)}, "kind of forest: regression here"),
    ],
    ids=["ntree", "coefReg", "levels", "y", "kind"],
)
def test_a_fit_of_another_call_is_told_by_what_it_was_given(
    calls: Recording, changed: dict[str, Any], words: str
) -> None:
    call = replace(calls[1], arguments=calls[1].arguments | changed)
    with pytest.raises(AssertionError, match=words):
        assert_same_as_r(call.replay(), calls, 1)


def test_other_functions_and_kinds_of_sampling(calls: Recording) -> None:
    x, y = calls[1].arguments["x"], calls[1].arguments["y"]
    with pytest.raises(AssertionError, match="function: randomForest here, RRF in R"):
        assert_same_as_r(pyrrf.randomForest(x, y, ntree=4, seed=1), calls, 1)
    found = grown(calls, coefReg=calls[1].arguments["coefReg"])
    rounding = found[0].before.copy()
    rounding[0] -= 10_000
    told = compare([replace(found[0], before=rounding)], calls).difference
    assert told is not None
    assert "sample_kind='Rejection'" in told.cause


def test_replays_on_threads_do_not_meet(calls: Recording) -> None:
    """Other threads draw and grow meanwhile; each replay has its own stream, and keeps its own forest."""
    import sys
    from concurrent.futures import ThreadPoolExecutor

    def other(seed: int) -> Any:
        return pyrrf.RRF(np.arange(60.0).reshape(30, 2), np.arange(30.0), ntree=9, seed=seed)

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool, warnings_off():
            pending = [pool.submit(task, at) for at in range(15) for task in (lambda at: calls[at % 5].replay(), other)]
            fits = [one.result() for one in pending]
    finally:
        sys.setswitchinterval(switch)
    for at in range(15):
        assert_same_as_r(fits[2 * at], calls, at % 5)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([1], "no recording"),
        ({"recorder": 2}, "another version"),
        ({"recorder": "x"}, "another version"),
        ({"recorder": 1}, "the recording is damaged .'data'."),
        (
            {"recorder": 1, "data": [], "calls": [{"name": "lm", "arguments": None, "result": 2}]},
            "call of lm",
        ),
        ({"recorder": 1, "data": [], "calls": [{"name": "RRF", "arguments": {"x": 3}}]}, "damaged"),
    ],
)
def test_recordings_that_are_none(tmp_path: Path, content: Any, words: str) -> None:
    pyrrf.write_rds(content, tmp_path / "calls.rds")
    with pytest.raises(ValueError, match=rf"calls.rds: .*{words}"):
        read_recording(tmp_path / "calls.rds")


def test_rows_columns_and_kinds(calls: Recording) -> None:
    x, y = calls[1].arguments["x"], calls[1].arguments["y"]
    assert "the rows stand in another order" in changed_call(calls, x=x.iloc[::-1])
    assert "the same columns in another order" in changed_call(calls, x=x[["b", "a", "c", "d", "kind"]], coefReg=0.8)
    assert "a factor on one side" in changed_call(calls, x=x.assign(kind=x["kind"].cat.codes.astype(float)))
    assert "positions count from 0" in changed_call(calls, x=x.iloc[1:], y=y[1:])
    assert "kind of forest" in changed_call(calls, y=np.asarray(y.codes, dtype=float), feaIni=None)


def test_other_arguments(calls: Recording) -> None:
    assert "the calls were given other arguments" in changed_call(calls, ntree=5)
    assert "feaIni" in changed_call(calls, feaIni=None)


def test_forests_that_are_missing(calls: Recording) -> None:
    found = compare(grown(calls, coefReg=calls[1].arguments["coefReg"])[:3], calls)
    assert found.forests == 3
    assert found.difference is not None
    assert (found.difference.ours, found.difference.theirs) == (3, 5)


@pytest.mark.parametrize("n", [0, 1, 3, 623, 624, 625, 5000])
def test_draws_are_counted(n: int) -> None:
    pyrrf.set_seed(3)
    pyrrf.runif(7)
    begin = get_random_seed()
    pyrrf.runif(n)
    assert draws_between(begin, get_random_seed()) == n
    assert n == 0 or draws_between(get_random_seed(), begin) is None


def test_the_stream_is_named(calls: Recording) -> None:
    found = grown(calls, coefReg=calls[1].arguments["coefReg"])
    with warnings_off():
        set_random_seed(calls[1].before)
        pyrrf.runif(2)
        moved = replace(found[1], before=get_random_seed())
    told = compare([found[0], moved], calls).difference
    assert told is not None
    assert "Python has drawn 2 numbers that R has not" in told.cause


def test_printed_numbers() -> None:
    assert compare_printed("error 0.25 of 3", "[1] 0.25 3.0") == PrintedNumbers(2, 0, None)
    found = compare_printed("0.25 4", "[1] 0.25 3")
    assert found.identical == 1
    assert found.difference is not None
    assert (found.difference.ours, found.difference.theirs) == ("4", "3")
    assert compare_printed("1 2", "1").difference is not None
    assert compare_printed("[1 3 4]\n[0.5]", "[1] 1 3\n [3] 4\n[1] 0.5") == PrintedNumbers(4, 0, None)
    # dev.off()
    assert compare_printed("a 1\n2", "[1] a 1\nnull device \n          1 \n2") == PrintedNumbers(2, 0, None)


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("0.04666666666666667", "0.04666667", True),
        ("0.04666666666666667", "0.04666666", False),
        ("-1.2345678901e-05", "-1.234568e-05", True),
        ("123456.789", "123456.8", True),
        ("123456.789", "123457", True),
        ("0.1235", "0.12345678", True),
        ("0.046666", "0.047", False),  # two digits tell little
        ("0.4", "0", False),
        ("12345", "12346", False),
        ("12345.5", "-12345", False),
    ],
)
def test_a_number_shown_with_fewer_digits(ours: str, theirs: str, same: bool) -> None:
    found = compare_printed(ours, f"[1] {theirs}")
    assert (found.identical, found.rounded, found.difference is None) == (0, int(same), same)


# ---- running ------------------------------------------------------------------------------------


def test_a_script_is_traced(tmp_path: Path, calls: Recording) -> None:
    script = tmp_path / "one.py"
    script.write_text(
        "import pyrrf, numpy as np\npyrrf.set_seed(1)\nx = pyrrf.rnorm(40).reshape(20, 2)\n"
        "pyrrf.GRRF(x, x[:, 0] > 0, ntree=2)\nprint('done', 7)\n"
    )
    forests, printed = trace(str(script), 600)
    assert [one.task.growing.flag_reg for one in forests] == [0, 1]
    assert printed == "done 7\n"
    assert isinstance(forests[0].result.importance, pd.DataFrame)


def test_a_script_that_fails_or_never_ends(tmp_path: Path) -> None:
    script = tmp_path / "bad.py"
    script.write_text("while True: pass\n")
    with pytest.raises(ScriptError, match=r"not done after 1 s.*--limit gives more"):
        trace(str(script), 1)
    script.write_text("raise OSError('no such thing')\n")
    with pytest.raises(ScriptError, match=r"(?s)ended with status 1.*no such thing"):
        trace(str(script), 600)


def test_without_r(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ScriptError, match="R is not installed; on a machine with"):
        record("any.R", tmp_path / "calls.rds", 10)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pyrrf.cli.messages import DataError, UsageError
    from pyrrf.cli.order import ParityOrder
    from pyrrf.cli.parity import parity

    parity(ParityOrder((str(FILE),)))
    assert capsys.readouterr().out.startswith("identical: 5 forests, ")
    for files, error in [(("a.py",), UsageError), (("a.R", "b.R"), UsageError), (("a.R", "b.py"), DataError)]:
        with pytest.raises(error):
            parity(ParityOrder(files))
    with pytest.raises(UsageError, match="give one table"):
        parity(ParityOrder((str(FILE),), target="y"))


def test_the_command_says_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyrrf.cli import parity
    from pyrrf.cli.messages import DifferenceError
    from pyrrf.cli.order import ParityOrder

    script = tmp_path / "none.py"
    script.write_text("")
    monkeypatch.setattr(parity, "trace", lambda *_: ([], ""))
    with pytest.raises(DifferenceError):
        parity.parity(ParityOrder((str(FILE), str(script))))
    assert capsys.readouterr().out.startswith("differs: forests grown: 0 here, 5 in R")
