"""The report in a browser: nothing is said on its console, nothing is fetched, nothing is wider than the window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_wine

import pyrrf
from pyrrf.sklearn import GRRFSelector, GRRFSelectorCV, RRFClassifier, StabilitySelector

playwright = pytest.importorskip("playwright.sync_api", reason="no playwright")
PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium")

X, Y = load_wine(return_X_y=True, as_frame=True)
LONG = X.set_axis([f"{name}{'_and_no_space_anywhere' * 6}<b>" for name in X.columns], axis=1)
SMALL: dict[str, Any] = {"guide": 15, "n_estimators": 8, "random_state": 1}
# Every colour of a picture is one of the page's, which has others in the dark.
OWN_COLOURS = """() => [...document.querySelectorAll('svg *')].flatMap(
    part => [part.style.fill, part.style.stroke]).filter(colour => colour && !/^(none|var)/.test(colour))"""
# The least contrast of a text with the page, where both are opaque.
CONTRAST = """() => {
    const numbers = text => text.match(/[\\d.]+/g).map(Number);
    const light = text => { const [r, g, b] = numbers(text).map(v => v / 255).map(
        v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
    const paper = light(getComputedStyle(document.body).backgroundColor);
    const shades = [...document.querySelectorAll('p, dt, dd, th, td, a, figcaption, svg text, svg tspan')].map(part => {
        const style = getComputedStyle(part);
        return light(part.closest('svg') ? style.fill : style.color); });
    return Math.min(...shades.map(ink => (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05)));
}"""
# The letters of pictures, as they are seen.
LETTERS = """() => Math.min(...[...document.querySelectorAll('svg text')].map(part =>
    parseFloat(getComputedStyle(part).fontSize) * Math.hypot(part.getScreenCTM().a, part.getScreenCTM().b)))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        program = driver.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield program
        program.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    few = GRRFSelector(gamma=0.9, guide=10, n_estimators=5)
    fits = {
        "chosen": GRRFSelectorCV(gammas=3, cv=3, forest=RRFClassifier(feature_cost=np.arange(1, 14)), **SMALL).fit(
            LONG, Y
        ),
        "stable": StabilitySelector(few, n_pairs=4, threshold=0.5, n_removals=1, random_state=1).fit(LONG, Y),
        "forest": RRFClassifier(8, coef_reg=1.0, random_state=1).fit(LONG, Y),
    }
    return {name: pyrrf.report(fit, folder / f"{name}.html", LONG, Y) for name, fit in fits.items()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("name", ["chosen", "stable", "forest"])
def test_it_is_readable(browser: Any, pages: dict[str, Path], name: str, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, said, asked = context.new_page(), [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(pages[name].as_uri())
    assert said == []
    assert asked == [pages[name].as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OWN_COLOURS) == []
    # What WCAG asks of small letters.
    assert page.evaluate(CONTRAST) >= 4.5
    assert page.evaluate(LETTERS) >= 9.0
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor").startswith("rgb(18")
    assert dark == (scheme == "dark")
    context.close()
