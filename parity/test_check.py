"""`pyrrf migrate --check` raises no false alarm: sound fits of every kind, grown by R and here, are equal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from parity.conftest import missing

pytest.importorskip("tree_sitter_language_pack")

BEGIN = """
library({package})
set.seed({seed})
n <- 40
x <- data.frame(a = rnorm(n), b = runif(n), g = factor(sample(c("u", "v", "w"), n, TRUE)), k = rpois(n, 3))
m <- matrix(rnorm(n * 4), n, dimnames = list(NULL, c("p", "q", "r", "s")))
cls <- factor(ifelse(x$a + rnorm(n) > 0, "yes", "no"))
num <- x$a * 2 + rnorm(n)
d <- cbind(x, cls = cls)
"""
FORMS = [
    "{f}(x, cls, ntree = {t})",
    "{f}(m, cls, ntree = {t}, mtry = 2, importance = TRUE)",
    "{f}(x, num, ntree = {t})",
    "{f}(m, num, ntree = {t}, nodesize = 3, localImp = TRUE)",
    "{f}(cls ~ ., data = d, ntree = {t})",
    "{f}(cls ~ a + g, data = d, ntree = {t}, replace = FALSE)",
    "{f}(x, ntree = {t}, proximity = TRUE)",
    "{f}(x[1:30, ], cls[1:30], x[31:40, ], cls[31:40], ntree = {t}, keep.forest = TRUE)",
    "{f}(m, cls, ntree = {t}, classwt = c(no = 1, yes = 3), maxnodes = 4)",
    "{f}(x, num, ntree = {t}, proximity = TRUE, keep.inbag = TRUE)",
]


@pytest.mark.parametrize("package", ["RRF", "randomForest"])
def test_sound_fits_are_equal(package: str, tmp_path: Path) -> None:
    if missing(package):
        pytest.skip(missing(package))
    from typer.testing import CliRunner

    from pyrrf.cli.app import app

    draw = random.Random(24)
    lines = [BEGIN.format(package=package, seed=24)]
    for number in range(100):
        form = FORMS[number % len(FORMS)].format(f=package, t=draw.randint(3, 12))
        lines += [f"fit{number} <- {form}", f"p{number} <- fit{number}$importance"]
    (tmp_path / "fits.R").write_text("\n".join(lines) + "\n")
    result = CliRunner().invoke(app, ["migrate", str(tmp_path / "fits.R"), "--check", "-o", str(tmp_path / "fits.py")])
    assert result.exit_code == 0, result.stderr
    assert "208 of 208 lines translated and equal" in result.stderr
