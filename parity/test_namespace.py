"""The names that pyrrf answers for are those of RRF."""

from __future__ import annotations

from parity.names import EXPORTS, METHODS
from parity.r_side import RSide


def test_names_are_those_of_the_namespace(rrf: RSide) -> None:
    exported = [str(name) for name in rrf.ro.r('getNamespaceExports("RRF")')]
    registered = [str(name) for name in rrf.ro.r('asNamespace("RRF")[[".__NAMESPACE__."]][["S3methods"]][, 3]')]
    assert sorted(exported) == sorted(EXPORTS)
    assert sorted(registered) == sorted(METHODS)
