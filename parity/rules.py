"""inTrees and pyrrf.rules on the same fits: cases, both sides, and R's recorded answers.

``python -m parity.rules [NAME ...]`` records R's answers; without names all. It needs R with RRF and inTrees. Where
inTrees cannot be installed because packages that it imports are missing, ``--source FOLDER`` names the folder R/ of
its unpacked source archive from CRAN.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pyrrf
from parity.case_text import CaseError, fields, lines_of, read_arguments
from parity.datasets import load
from parity.r_side import RSide
from pyrrf import rules
from pyrrf.rbase.numbers import number_text

RECORDED = Path(__file__).parent / "recorded" / "rules"
# Of a longer answer the first lines are stored, and the digest of all.
LONGEST = 12

Answers = dict[str, list[str]]
CHAIN = ("extract", "prune", "learner", "present")


# ---- cases ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RuleCase:
    """One chain from a fit to a learner.

    Parameters
    ----------
    name, data : str
    model : {"RRF", "randomForest"}
    seed : int
    fit, extract, prune, learner, present : dict
        Arguments of the model and of the functions of the chain.
    steps : tuple of str
        "learn": rules are selected and made a learner. "vote": all rules vote on numbers; "poll": on classes.
    classes : int
        Into how many classes a numeric response is cut; 0 = it stays.
    new : str
        The part of the data that the learner predicts.
    """

    name: str
    data: str
    model: str = "RRF"
    seed: int = 1
    fit: dict[str, Any] = field(default_factory=lambda: {"ntree": 8})
    extract: dict[str, Any] = field(default_factory=dict)
    prune: dict[str, Any] = field(default_factory=dict)
    learner: dict[str, Any] = field(default_factory=dict)
    present: dict[str, Any] = field(default_factory=dict)
    steps: tuple[str, ...] = ("learn",)
    classes: int = 0
    new: str = "x"

    def digest(self, data: str) -> str:
        """Hash of the case and of its data; a recorded answer belongs to one digest."""
        return hashlib.sha256((json.dumps(asdict(self), sort_keys=True) + data).encode()).hexdigest()


def read_rule_cases(text: str) -> dict[str, RuleCase]:
    """Return the cases of `rules.txt` by name."""
    return {case.name: case for case in (_rule_case(*fields(line)) for _, line in lines_of(text))}


def _rule_case(name: str, data: str, *parts: str) -> RuleCase:
    """Return the case of a line: a function and its arguments, a setting and its value, or what is done with rules."""
    given: dict[str, Any] = {}
    for text in parts:
        word, *rest = text.split()
        if word in ("RRF", "randomForest"):
            given |= {"model": word} | ({"fit": read_arguments(rest)} if rest else {})
        elif word in CHAIN:
            given[word] = read_arguments(rest)
        elif word in ("seed", "classes", "new"):
            given[word] = rest[0] if word == "new" else int(rest[0])
        elif {word, *rest} <= {"learn", "vote", "poll"}:
            given["steps"] = (word, *rest)
        else:
            raise CaseError(f"{name}: {text!r} is no part of a chain")
    return RuleCase(name=name, data=data, **given)


RULE_CASES = read_rule_cases((Path(__file__).parent / "rules.txt").read_text())


# ---- pyrrf ---------------------------------------------------------------------------------------


def lines(table: Any) -> list[str]:
    """A table as lines of R's strings, or the strings of a vector."""
    if isinstance(table, pd.DataFrame):
        shown = rules.as_strings(table)
        return ["\t".join(shown.columns), *("\t".join(row) for row in shown.itertuples(index=False))]
    return [number_text(value) if isinstance(value, float) else str(value) for value in np.asarray(table).tolist()]


def run_pyrrf(case: RuleCase) -> Answers:
    """pyrrf's answers to a case."""
    parts = load(case.data).parts
    x, y = parts["x"], parts["y"]
    target = rules.dicretizeVector(y, case.classes) if case.classes else y
    pyrrf.set_seed(case.seed)
    fit = getattr(pyrrf, case.model)(x, y, **case.fit)
    out: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        out["rules"] = rules.extractRules(rules.RF2List(fit), x, **case.extract, verbose=True)
        out["metric"] = rules.getRuleMetric(out["rules"].drop_duplicates(), x, target, verbose=True)
    out["printed"] = printed.getvalue().splitlines()
    pruned = out["pruned"] = rules.pruneRule(out["metric"], x, target, **case.prune)
    distinct = pruned.drop_duplicates()
    out["sorted"] = rules.sortRule(distinct)
    if "vote" in case.steps:
        out["mean"] = rules.voteAllRules(pruned, x, "r", "mean")
        out["median"] = rules.voteAllRules(pruned, x, "r", "median")
    if "poll" in case.steps:
        out["poll"] = rules.voteAllRules(pruned, x, "c")
    if "learn" in case.steps:
        out["selected"] = rules.selectRuleRRF(distinct, x, target)
        out["learner"] = rules.buildLearner(out["selected"], x, target, **case.learner)
        out["all"] = rules.buildLearner(distinct, x, target, **case.learner)
        out["applied"] = rules.applyLearner(out["learner"], parts[case.new])
        names = x.columns if isinstance(x, pd.DataFrame) else [f"V{j + 1}" for j in range(x.shape[1])]
        out["presented"] = rules.presentRules(out["learner"], names, **case.present)
    out["drawn"] = [f"{pyrrf.runif(1)[0]:.17g}"]
    return {name: value if isinstance(value, list) else lines(value) for name, value in out.items()}


# ---- R -------------------------------------------------------------------------------------------


def prepare(r: RSide, source: str | None = None) -> RSide:
    """Let R know this side's functions, and inTrees: attached, or read from its R files."""
    r.ro.r((Path(__file__).parent / "rules.R").read_text())
    if source is None:
        r.ro.r("suppressPackageStartupMessages(library(inTrees))")
    else:
        r.ro.r["pyrrf_rules_source"](str(source))
    return r


def run_r(r: RSide, case: RuleCase) -> Answers:
    """inTrees' answers to a case."""
    parts = load(case.data).parts
    listed = {name: r.ro.ListVector({k: r.to_r(v) for k, v in vars(case)[name].items()}) for name in ("fit", *CHAIN)}
    answer = r.ro.r["pyrrf_rules_case"](
        r.to_r(parts["x"]), r.factored("y", parts["y"]), r.to_r(parts[case.new]), case.seed, r.ro.StrVector(case.steps),
        classes=case.classes, model=case.model, **listed,
    )  # fmt: skip
    return {name: [str(line) for line in answer.rx2(name)] for name in answer.names}


# ---- records -------------------------------------------------------------------------------------


def short(answers: Answers) -> dict[str, Any]:
    """Answers as they are stored: long ones as their first lines and a digest of all."""
    return {name: _cut(lines) for name, lines in sorted(answers.items())}


def _cut(lines: Sequence[str]) -> list[str]:
    if len(lines) <= LONGEST:
        return list(lines)
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return [*lines[:LONGEST], f"... {len(lines)} lines, {digest}"]


def read_record(case: RuleCase) -> dict[str, Any]:
    """R's answers to a case as recorded."""
    record: dict[str, Any] = json.loads((RECORDED / f"{case.name}.json").read_text())
    assert record.pop("case") == case.digest(load(case.data).digest()), "case or data changed: record it again"
    return record


def write_record(case: RuleCase, answers: Answers) -> None:
    """Store R's answers to a case, with the digest of what it is."""
    record = {"case": case.digest(load(case.data).digest())} | short(answers)
    text = json.dumps(record, indent=0, ensure_ascii=False)
    (RECORDED / f"{case.name}.json").write_text(re.sub(r"\n+", "\n", text) + "\n")


def main() -> None:
    """Record the cases that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m parity.rules", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="NAME", help="names of cases; all by default")
    parser.add_argument("--source", metavar="FOLDER", help="the R files of inTrees, where it is not installed")
    asked = parser.parse_args()
    unknown = sorted(set(asked.cases) - set(RULE_CASES))
    if unknown:
        parser.error(f"no case is called {', '.join(unknown)}")
    r = prepare(RSide(), asked.source)
    RECORDED.mkdir(exist_ok=True)
    for name in asked.cases or RULE_CASES:
        write_record(RULE_CASES[name], run_r(r, RULE_CASES[name]))
    print(f"{len(asked.cases or RULE_CASES)} cases of inTrees recorded")


if __name__ == "__main__":
    main()
