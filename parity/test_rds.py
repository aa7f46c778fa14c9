"""Objects pass from R to pyrrf and back through .rds files: fits in every case of the table, data of R's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pyrrf
from parity.cases import CASES
from parity.compare import compare_answers
from parity.python_side import run
from parity.r_side import RSide
from parity.steps import Step

# R does not store in a fit which columns were text, so that strings in new data cannot be read as their codes.
TEXT = {"text_column", "formula_terms_types"}
FITS = {"RRF", "GRRF", "combine"}
# R does not store the data of a call, which grow() needs.
FITTED = [
    name
    for name, item in CASES.items()
    if FITS & {step.verb for step in item.steps} and name not in TEXT and "grow" not in {s.verb for s in item.steps}
]


@pytest.mark.parametrize("name", FITTED)
def test_fits_of_r_are_read(name: str, rrf: RSide, tmp_path: Path) -> None:
    steps = CASES[name].steps
    stored: dict[str, Path] = {}

    def store(step: Step) -> None:
        if rrf.ro.r(f"inherits(it.{step.name}, 'RRF')")[0]:
            stored[step.name] = tmp_path / f"{step.name}.rds"
            rrf.ro.r(f"saveRDS(it.{step.name}, '{stored[step.name]}')")

    def read(step: Step, value: Any) -> Any:
        return pyrrf.read_rds(stored[step.name]) if isinstance(value, pyrrf.RRFResult) else value

    theirs = rrf.run(CASES[name], store)
    differences = compare_answers(theirs, run(CASES[name], read), steps)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", FITTED)
def test_fits_of_pyrrf_are_read_by_r(name: str, rrf: RSide, tmp_path: Path) -> None:
    steps = CASES[name].steps
    stored: dict[str, Path] = {}

    def store(step: Step, value: Any) -> Any:
        if isinstance(value, pyrrf.RRFResult):
            stored[step.name] = tmp_path / f"{step.name}.rds"
            pyrrf.write_rds(value, stored[step.name])
        return value

    def read(step: Step) -> None:
        if step.name in stored:
            rrf.ro.r(f"it.{step.name} <- readRDS('{stored[step.name]}')")

    ours = run(CASES[name], store)
    differences = compare_answers(rrf.run(CASES[name], read), ours, steps)
    assert not differences, "\n".join(differences)


# ---- there and back ------------------------------------------------------------------------------

DATA = [
    "iris", "airquality", "mtcars", "warpbreaks", "esoph", "ToothGrowth[ToothGrowth$dose > 1, ]", "letters",
    "c(TRUE, NA)", "c(1L, NA)", "c(1.5, NA, NaN, Inf)", "c('a', NA, '\u00fc')", "c(p = 1L, q = NA)",
    "factor(c('u', NA, 'v'))",
    "factor(c(k = 'u'), levels = c('v', 'u'), ordered = TRUE)", "array(1:8, c(2, 2, 2))", "matrix(c(1, NA), 1)", "NULL",
    "list(1L, 'a', list(b = 2, c = NULL))", "data.frame(t = c(NA, TRUE), s = c('x', NA), row.names = c('k', 'l'))",
    "data.frame()[1:3, ]", "character(0)", "integer(0)", "10:1", "data.frame(a = 5:1)",
    "as.character(c(NA, 99999:100001))",
    "as.character(c(0.1 + 0.2, 1e5, NA, NaN, 1/3, -Inf))", "list(NA, NA_integer_, NA_real_, NA_character_)",
    "data.frame(a = c(NaN, NA, 1), b = c(NaN, 1, NaN))", "c(p = NaN, q = NA)", "list(NaN, data.frame(a = NaN))",
    "iconv(c('\u00fc', '\u00c3\u00bc'), 'UTF-8', 'latin1')", "c(a = 1)[0]", "c(a = TRUE)[0]", "c(a = 1i)[0]",
    "c(a = 'x')[0]", "list(a = 1)[0]", "factor(c(k = 'u'))[0]", "structure(1:3, names = c('', NA, 'b'))",
]  # fmt: skip


@pytest.mark.parametrize("code", DATA)
def test_data_there_and_back(code: str, rrf: RSide, tmp_path: Path) -> None:
    to = tmp_path / "data.rds"
    rrf.ro.r(f"saveRDS({code}, '{to}')")
    pyrrf.write_rds(pyrrf.read_rds(to), to)
    assert list(rrf.ro.r(f"isTRUE(all.equal({code}, readRDS('{to}'))) && identical({code}, readRDS('{to}'))")) == [True]


@pytest.mark.parametrize("how", ["ascii = TRUE", "ascii = NA", "compress = 'xz'", "compress = 'bzip2'", "version = 2"])
def test_all_ways_of_storing(how: str, rrf: RSide, tmp_path: Path) -> None:
    plain, other = tmp_path / "plain.rds", tmp_path / "other.rds"
    rrf.ro.r(f"saveRDS(iris, '{plain}'); saveRDS(iris, '{other}', {how})")
    assert pyrrf.read_rds(other).equals(pyrrf.read_rds(plain))


MAKE = """local({
    set.seed(3)
    d <- cbind(iris, k = factor(sample(letters[1:5], 150, TRUE)), o = cut(iris$Sepal.Width, 4, ordered_result = TRUE))
    few <- d[d$Sepal.Length > 5.2, ]
    m <- unname(as.matrix(iris[, 1:4]))
    list(formula = P::P(Species ~ ., d, ntree = 20, importance = TRUE),
         test = P::P(d[, -5], d$Species, ntree = 9, xtest = d[1:20, -5], ytest = d$Species[1:20], keep.forest = TRUE,
                  proximity = TRUE, keep.inbag = TRUE, localImp = TRUE),
         computed = P::P(log(Ozone) ~ . + I(Wind^2) - Month, na.omit(airquality), ntree = 20),
         alone = P::P(iris[, 1:4], ntree = 5, keep.forest = TRUE),
         numbers = P::P(m, iris[, 1], ntree = 7, localImp = TRUE, corr.bias = TRUE, proximity = TRUE),
         counts = P::P(m, iris$Species, ntree = 7, norm.votes = FALSE, classwt = c(1, 2, 3), cutoff = c(.2, .3, .5)),
         whole = P::P(m, 1:150, ntree = 7),
         apart = P::P(Petal.Width ~ ., cbind(iris[, 1:3], Petal.Width = 1:150), ntree = 7),
         shares = P::combine(P::P(m, iris$Species, ntree = 1), P::P(m, iris$Species, ntree = 1)),
         rows = P::P(few[, -1], few[, 1], ntree = 9, xtest = d[1:9, -1], ytest = d[1:9, 1], importance = TRUE),
         matrix = P::P(as.matrix(iris[, 1:4]), iris$Species, ntree = 7, keep.inbag = TRUE, proximity = TRUE),
         inside = local({inner <- function(x) function(y) x + y; for (i in 1:9) inner(1); base <- tapply; p <- print
                  P::P(Species ~ ., iris, ntree = 5)}),
         classes = P::combine(P::P(m, iris$Species, ntree = 5, importance = TRUE),
                              P::P(m, iris$Species, ntree = 6, importance = TRUE)),
         both = P::combine(P::P(m, iris[, 1], ntree = 5, importance = TRUE),
                           P::P(m, iris[, 1], ntree = 6, importance = TRUE)),
         bare = P::combine(P::P(m, iris[, 1], ntree = 5), P::P(m, iris[, 1], ntree = 6, keep.forest = FALSE)),
         none = P::combine(P::P(iris[, 1:4], ntree = 5), P::P(iris[, 1:4], ntree = 6)))
})"""
FITS_OF_R = """formula test computed alone numbers counts whole apart shares rows matrix inside classes both bare
none""".split()

# The terms of a formula from Python are its main effects.
SAME = """function(a, b) {
    a$terms <- b$terms <- NULL
    Filter(function(name) !identical(a[[name]], b[[name]]), union(names(a), names(b)))
}"""


@pytest.mark.parametrize("package", ["RRF", "randomForest"])
def test_fits_there_and_back(package: str, rrf: RSide, random_forest: RSide, tmp_path: Path) -> None:
    r = rrf.ro.r
    r(f"fits <- {MAKE.replace('P::', package + '::').replace('::P(', f'::{package}(')}")
    assert list(r("names(fits)")) == FITS_OF_R
    for name in FITS_OF_R:
        to = tmp_path / f"{name}.rds"
        r(f"saveRDS(fits${name}, '{to}')")
        pyrrf.write_rds(pyrrf.read_rds(to), to)
        assert list(r(f"class(readRDS('{to}'))")) == list(r(f"class(fits${name})"))
        assert list(r(f"({SAME})(fits${name}, readRDS('{to}'))")) == []
