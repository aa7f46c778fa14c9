"""What pyrrf.r shows: each function is documented, its example runs, and it is on the page."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pyrrf.r as r
import pyrrf.random
from tests.offenders import offenders
from tests.test_docs import check_parameters, sections

# The stream has its own page and tests.
NAMES = [name for name in r.__all__ if name not in pyrrf.random.__all__]
FUNCTIONS = [name for name in NAMES if inspect.isfunction(getattr(r, name))]
API = (Path(__file__).parents[2] / "docs" / "api-r.rst").read_text()


def check_documented(name: str) -> None:
    doc = getattr(r, name).__doc__
    assert re.search(r"\bR\b|caret's ``\w", doc), "say what it is in R"
    if len(inspect.signature(getattr(r, name)).parameters) > 1:
        check_parameters(getattr(r, name), doc)
        assert "Parameters" in sections(doc)


def test_it_is_documented() -> None:
    assert offenders(check_documented, FUNCTIONS) == []


def check_example(name: str) -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert finder.find(getattr(r, name), name)[0].examples


def test_it_has_an_example() -> None:
    assert offenders(check_example, FUNCTIONS) == []


def check_on_the_page(name: str) -> None:
    part = API.split(".. currentmodule:: pyrrf.r\n")[1].split(".. currentmodule:: ")[0]
    assert f"   {name}\n" in part


def test_it_is_on_the_page() -> None:
    assert offenders(check_on_the_page, NAMES) == []
