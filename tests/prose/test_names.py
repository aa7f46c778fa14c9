"""docs/r-names.md: each name of RRF has its name here and a parity case that calls it; faults.txt is in force."""

from __future__ import annotations

import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import pyrrf
import pyrrf.rules
from parity.cases import CASES
from parity.companions import SCRIPTS as COMPANION_SCRIPTS
from parity.faults import ROOT, faulty, read_faults
from parity.names import EXPORTS, METHODS
from parity.python_side import SCRIPTS
from parity.steps import Step
from tests.offenders import offenders
from tests.refusals import refused

PAGE = Path(__file__).parents[2] / "docs" / "r-names.md"
ROWS = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| ")]
# The first line of each table is its heading.
ROWS = [row for row in ROWS if row[0] != "R"]
OF_RRF = [row for row in ROWS if re.fullmatch(r"`[\w.]+`", row[0]) and row[0].strip("`") in EXPORTS + METHODS]
# What pyrrf has and RRF has not.
OURS = {
    "randomForest",
    "read_rds",
    "report",
    "rfImpute",
    "rfNews",
    "rfcv",
    "set_collate",
    "show_versions",
    "summary",
    "tuneRF",
    "write_rds",
    "rrf_path",
}
NEWS = "none: it shows the changelog of pyrrf"


def names(cell: str) -> list[str]:
    """Words in code font."""
    return re.findall(r"`([^`]+)`", cell)


def called(step: Step) -> str:
    """What a step calls; the text of a script counts."""
    if step.verb != "compute":
        return f"pyrrf.{step.verb}("
    return inspect.getsource({**SCRIPTS, **COMPANION_SCRIPTS}[step.args["what"]])


def test_no_name_of_rrf_is_missing() -> None:
    assert sorted(row[0].strip("`") for row in OF_RRF) == sorted(EXPORTS + METHODS)


def check_exists(row: list[str]) -> None:
    function = re.match(r"\w+", names(row[1])[0])
    assert function is not None
    assert function[0] == "print" or callable(getattr(pyrrf, function[0]))


def test_name_exists_here() -> None:
    assert offenders(check_exists, ROWS) == []


def check_cases(row: list[str]) -> None:
    function = re.match(r"\w+", names(row[1])[0])
    cases = names(row[2])
    assert cases
    assert function is not None
    for case in cases:
        assert any(f"pyrrf.{function[0]}(" in called(step) for step in CASES[case].steps), case


def test_cases_exist_and_call_it() -> None:
    assert offenders(check_cases, [row for row in ROWS if row[2] != NEWS]) == []


def test_only_the_changelog_has_no_case() -> None:
    assert [row[0] for row in ROWS if row[2] == NEWS] == ["`rrfNews`"]


def test_every_name_of_pyrrf_that_r_has_is_in_the_tables() -> None:
    functions = {name for name in pyrrf.__all__ if inspect.isfunction(getattr(pyrrf, name))} - OURS
    shown = {word for row in ROWS for name in names(row[1]) for word in re.findall(r"^\w+", name)}
    assert functions <= shown


def named_arguments() -> list[tuple[Any, str]]:
    """Every function with R's names and each argument that can be cut short."""
    found = []
    for package in (pyrrf, pyrrf.rules):
        functions = [getattr(package, name) for name in package.__all__]
        for function in filter(inspect.isfunction, functions):
            parameters = inspect.signature(function).parameters.values()
            names = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
            # Those that take further arguments pass them on.
            if package is pyrrf or not any(p.kind is p.VAR_KEYWORD for p in parameters):
                found += [(function, name) for name in names if len(name) > 2 and name[:-1] not in names]
    return found


def test_a_name_that_is_cut_short_is_completed_in_the_error() -> None:
    assert len(named_arguments()) > 250
    for function, name in named_arguments():
        with pytest.raises(TypeError) as told:
            function(**{name[:-1]: 1})
        assert f"has no argument {name[:-1]!r}; did you mean " in str(told.value)
        assert repr(name) in str(told.value)


def test_what_r_completes_to_an_argument_of_the_companion_is_not_that_of_the_forest() -> None:
    for name, meant in (("ntree", "ntreeTry"), ("mtry", "mtryStart")):
        with pytest.raises(TypeError, match=f"did you mean '{meant}'"):
            pyrrf.tuneRF([[1.0]], [1.0], **{name: 2})


def test_functions_that_explain_pickle_and_keep_their_signature() -> None:
    assert pickle.loads(pickle.dumps(pyrrf.getTree)) is pyrrf.getTree
    assert list(inspect.signature(pyrrf.getTree).parameters) == ["rfobj", "k", "labelVar"]
    with refused("zzz", "keyword"):
        pyrrf.combine(zzz=1)


# The arguments of inTrees 1.4, in their order.
OF_INTREES = {
    "RF2List": "rf",
    "extractRules": "treeList X ntree maxdepth random digits",
    "getRuleMetric": "ruleExec X target",
    "pruneRule": "rules X target maxDecay typeDecay",
    "selectRuleRRF": "ruleMetric X target",
    "buildLearner": "ruleMetric X target minFreq",
    "applyLearner": "learner X",
    "voteAllRules": "ruleMetric X type method",
    "presentRules": "rules colN digits",
    "sortRule": "M decreasing",
    "lookupRule": "rules strList",
    "getFreqPattern": "ruleMetric minsup minconf minlen maxlen",
    "dicretizeVector": "v K",
}


def test_rules_have_the_names_and_arguments_of_intrees() -> None:
    assert {name for name in pyrrf.rules.__all__ if name not in ("RuleTable", "TreeList", "as_strings")} == {
        *OF_INTREES
    }
    for name, arguments in OF_INTREES.items():
        own = [*inspect.signature(getattr(pyrrf.rules, name)).parameters]
        assert own[: len(arguments.split())] == arguments.split(), name
        assert {*own} <= {*arguments.split(), "seed", "verbose"}, name


def test_faults_stand_in_the_code() -> None:
    for fault in read_faults():
        assert faulty(fault, (ROOT / fault.file).read_text())
        for path in fault.tests():
            assert (ROOT / path.partition("::")[0]).exists(), path
