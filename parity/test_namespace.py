"""The names that pyrrf answers for are those of RRF, and the defaults that its page gives for R are R's."""

from __future__ import annotations

import re

from parity.names import EXPORTS, METHODS
from parity.r_side import RSide
from tests.prose.test_docs import documented_arguments

DEFAULTS = """
methods <- list(RRF:::RRF.default, RRF:::RRF.formula)
sapply(do.call(c, lapply(methods, formals)), function(value) paste(deparse(value), collapse = " "))
"""


def test_names_are_those_of_the_namespace(rrf: RSide) -> None:
    exported = [str(name) for name in rrf.ro.r('getNamespaceExports("RRF")')]
    registered = [str(name) for name in rrf.ro.r('asNamespace("RRF")[[".__NAMESPACE__."]][["S3methods"]][, 3]')]
    assert sorted(exported) == sorted(EXPORTS)
    assert sorted(registered) == sorted(METHODS)


def test_the_page_of_arguments_gives_rs_defaults(rrf: RSide) -> None:
    defaults = rrf.ro.r(DEFAULTS)
    theirs = {str(name).replace(".", "_"): str(value) for name, value in zip(defaults.names, defaults, strict=True)}
    page = {name: text for (function, name), (text, _) in documented_arguments().items() if function == "RRF"}
    assert {name for name, text in page.items() if text != "-"} == theirs.keys() - {"___"}
    written = {name: re.match(r"`(.+?)`", text) for name, text in page.items()}
    assert {name: theirs[name] for name, code in written.items() if code} == {
        name: code[1] for name, code in written.items() if code
    }
