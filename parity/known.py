"""Differences that DIFFERENCES.md states, as conditions of a step and its answers on both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from parity.answers import Answer
from parity.steps import Part, Step

Condition = Callable[[Step, Answer, Answer, dict[str, Any]], bool]


def known(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> str:
    """The line of DIFFERENCES.md that the step's difference falls under, or nothing."""
    return next((line for line, holds in KNOWN.items() if holds(step, r, py, parts)), "")


def _refused(word: str) -> Condition:
    """Only pyrrf refuses, and its message has the word."""
    return lambda step, r, py, parts: r.failed is None and word in (py.failed or "")


def _dated(step: Step, r: Answer, py: Answer, parts: dict[str, Any]) -> bool:
    return r.failed is None and "date" in (py.failed or "")


KNOWN: dict[str, Condition] = {
    "a date column": _dated,
}
"""Conditions by the text with which the line of DIFFERENCES.md begins."""
