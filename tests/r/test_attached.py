"""Functions that are looked up when a script runs: in packages that it has attached, and those that R may have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pyrrf import r
from pyrrf.r.base.control import reset_options
from pyrrf.r.values.errors import NotSupportedError, RError


@pytest.fixture(autouse=True)
def _new_session() -> Iterator[None]:
    reset_options()
    yield
    reset_options()


def test_a_function_is_there_when_its_package_is() -> None:
    with pytest.raises(RError, match="could not find function"):
        r.found("arrange")
    assert not bool(r.exists("arrange", assigned=False))
    r.library("dplyr")
    assert r.found("arrange") is not None
    assert bool(r.exists("arrange", assigned=False))


def test_what_r_has_itself_is_not_missing() -> None:
    assert bool(r.exists("lag", assigned=False))
    with pytest.raises(NotSupportedError, match="of stats"):
        r.found("lag")


def test_the_pipe_needs_a_package_that_has_it() -> None:
    r.library("caret")
    with pytest.raises(RError, match="%>%"):
        r.found("%>%")
    r.library("magrittr")
    assert r.found("%>%") is not None


@pytest.mark.parametrize(("package", "name"), [("plyr", "arrange"), ("nosuch", "%>%"), ("nosuch", "first")])
def test_what_depends_on_a_package_that_r_may_have_is_refused(package: str, name: str) -> None:
    r.unsure(package)
    with pytest.raises(NotSupportedError, match=package):
        r.found(name)


def test_other_names_do_not_depend_on_it() -> None:
    r.library("dplyr")
    r.unsure("ModelMetrics")
    assert r.found("first") is not None
    assert r.found("%>%") is not None


def test_no_package_has_a_name_that_none_can_have() -> None:
    with pytest.raises(RError, match="no package called"):
        r.library("3")
