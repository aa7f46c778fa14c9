"""Docstrings: sections, defaults equal to the signature, examples that run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path
from typing import Any

import pytest

import pyrrf
from tests.offenders import offenders

FUNCTIONS = [name for name in pyrrf.__all__ if inspect.isfunction(getattr(pyrrf, name))]
CLASSES = [name for name in pyrrf.__all__ if inspect.isclass(getattr(pyrrf, name))]
SELECTORS = importlib.import_module("pyrrf.selectors")
RULES = importlib.import_module("pyrrf.rules")
OF_RULES = [name for name in RULES.__all__ if inspect.isfunction(getattr(RULES, name))]
SKLEARN = importlib.import_module("pyrrf.sklearn")
FORMULAS = [name for name in SELECTORS.__all__ if inspect.isfunction(getattr(SELECTORS, name))]
ESTIMATORS = [name for name in SKLEARN.__all__ if hasattr(getattr(SKLEARN, name), "fit")]
FITTING = [name for name in SKLEARN.__all__ if inspect.isfunction(getattr(SKLEARN, name))]
DOCS = Path(__file__).parent.parent / "docs"
EXAMPLES = DOCS.parent / "examples/gallery"  # make docs runs them
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
MODULES = [
    ".".join(path.relative_to(DOCS.parent).with_suffix("").parts)
    for path in sorted((DOCS.parent / "pyrrf").rglob("*.py*"))
    if path.suffix in (".py", ".pyx") and ">>> " in path.read_text()
]
WITH_EXAMPLES = [name for name in PAGES if ">>> " in (DOCS / name).read_text()]
# Pages whose examples take seconds each; tests/slow/test_pages.py runs them.
LONG_PAGES = ["gamma.md", "pipeline.md", "stability.md"]
# Where a formula or an estimator comes from.
SOURCE = re.compile(r"\b(?:eqs?|sections?|tables?|algorithms?|figures?) \d|\bNo paper\b", re.I)
SECTIONS = ("Parameters", "Returns", "Raises", "Attributes", "Notes", "Examples")


def sections(doc: str) -> dict[str, str]:
    """The text of each numpydoc section by its title."""
    parts = re.split(rf"^({'|'.join(SECTIONS)})\n-+\n", inspect.cleandoc(doc), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(doc: str) -> dict[str, str]:
    """Type and default of each documented parameter; `a, b : t` counts for both."""
    found = {}
    for line in sections(doc).get("Parameters", "").splitlines():
        match = re.fullmatch(r"(\*{0,2}\w+(?:, \w+)*)(?: : (.*))?", line)
        if match:
            for name in match[1].split(", "):
                found[name.lstrip("*")] = match[2] or ""
    return found


def check_sections(name: str) -> None:
    function = getattr(pyrrf, name)
    found = sections(function.__doc__)
    signature = inspect.signature(function, eval_str=False)
    wanted = {"Raises", "Examples"} | ({"Parameters"} if signature.parameters else set())
    if signature.return_annotation != "None":
        wanted.add("Returns")
    assert wanted <= found.keys()
    assert re.search(r"R's ``\w|R's idiom|R has no such function", function.__doc__)


def test_sections() -> None:
    assert offenders(check_sections, FUNCTIONS) == []


def check_function(name: str) -> None:
    check_parameters(getattr(pyrrf, name), getattr(pyrrf, name).__doc__)


def test_parameters_and_defaults_are_those_of_the_signature() -> None:
    assert offenders(check_function, FUNCTIONS) == []


def check_default(parameter: inspect.Parameter, documented_type: str) -> None:
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        return
    if parameter.default is inspect.Parameter.empty:
        assert "default" not in documented_type
        assert "optional" not in documented_type
    elif parameter.default is None:
        assert documented_type.endswith(("optional", "default None"))
    else:
        assert repr(parameter.default) in documented_type.partition("default ")[2].split(" and ")


def check_attributes(name: str) -> None:
    cls = getattr(pyrrf, name)
    text = "".join(c.__doc__ or "" for c in cls.__mro__ if c is not object)
    public = [n for n, v in vars(cls).items() if not n.startswith("_") and not inspect.isfunction(v)]
    assert [n for n in public if not re.search(rf"\b{n}\b", text)] == []


def test_public_attributes_are_documented() -> None:
    assert offenders(check_attributes, CLASSES) == []


# ---- formulas and estimators ---------------------------------------------------------------------


def check_formula(name: str) -> None:
    function = getattr(SELECTORS if name in FORMULAS else SKLEARN, name)
    assert {"Parameters", "Returns", "Raises", "Examples"} <= sections(function.__doc__).keys()
    assert SOURCE.search(function.__doc__), "say where in which paper"
    check_parameters(function, function.__doc__)


def test_formulas_are_documented() -> None:
    assert offenders(check_formula, FORMULAS + FITTING) == []


def check_estimator(name: str) -> None:
    cls = getattr(SKLEARN, name)
    assert {"Parameters", "Attributes", "Examples"} <= sections(cls.__doc__).keys()
    assert SOURCE.search(cls.__doc__), "say where in which paper"
    check_parameters(cls, cls.__doc__)


def test_estimators_are_documented() -> None:
    assert offenders(check_estimator, ESTIMATORS) == []


def check_rule(name: str) -> None:
    function = getattr(RULES, name)
    assert {"Parameters", "Returns", "Raises", "Examples"} <= sections(function.__doc__).keys()
    assert re.search(r"R's ``\w|R has no such function", function.__doc__)
    check_parameters(function, function.__doc__)


def test_functions_of_rules_are_documented() -> None:
    assert offenders(check_rule, OF_RULES) == []


def check_listed(name: str) -> None:
    text = (DOCS / "api.rst").read_text()
    package, word = name.split(".")
    listed = re.split(r"^.. currentmodule:: ", text, flags=re.M)
    assert any(part.startswith(f"pyrrf.{package}\n") and f"   {word}\n" in part for part in listed)


def test_docs_list_it() -> None:
    public = {"rules": RULES.__all__, "selectors": FORMULAS, "sklearn": SKLEARN.__all__}
    names = [f"{package}.{name}" for package, found in public.items() for name in found]
    assert offenders(check_listed, names) == []


def check_parameters(function: Any, doc: str) -> None:
    parameters = inspect.signature(function).parameters
    types = documented(doc)
    assert list(types) == list(parameters)
    for parameter in parameters.values():
        check_default(parameter, types[parameter.name])


def test_every_module_can_be_imported() -> None:
    pytest.importorskip("typer")
    names = [module.name for module in pkgutil.walk_packages(pyrrf.__path__, "pyrrf.")]
    assert len([importlib.import_module(name) for name in names]) > len(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    module: Any = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0


@pytest.mark.parametrize("name", [name for name in WITH_EXAMPLES if name not in LONG_PAGES])
def test_examples_of_pages_run(name: str) -> None:
    check_page(name)


def check_page(name: str) -> None:
    # The line that ends a block of code would be taken for what its last example prints.
    text = re.sub(r"^```.*$", "", (DOCS / name).read_text(), flags=re.M)
    examples = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    result = doctest.DocTestRunner().run(examples)
    assert result.failed == 0
    assert result.attempted


def test_the_examples_of_readme_print_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (DOCS.parent / "README.md").read_text()
    names: dict[str, Any] = {}
    for snippet in re.findall(r"^```python\n(.*?)^```", readme, re.S | re.M):
        exec(snippet, names)
    assert capsys.readouterr().out == "".join(re.findall(r"^```\n\n```\n(.*?)^```", readme, re.S | re.M))


def check_one_list(name: str) -> None:
    text = "".join(path.read_text() for path in sorted(DOCS.glob("*.md")))
    listed = " ".join(re.findall(r"\{toctree\}\n(.*?)```", text, flags=re.S)).split()
    assert listed.count(name.removesuffix(".md")) == (name != "index.md")


def check_example(name: str) -> None:
    title = (EXAMPLES / name).read_text().splitlines()[1]
    assert title.endswith("?")
    assert any(f"_examples/{name.removesuffix('.py')}.rst" in (DOCS / page).read_text() for page in PAGES)


def test_each_example_is_a_question_and_a_page_links_to_it() -> None:
    assert offenders(check_example, [path.name for path in EXAMPLES.glob("*.py")]) == []


def test_each_page_stands_in_one_list() -> None:
    assert offenders(check_one_list, PAGES) == []


def test_the_arguments_of_rrf_are_grouped() -> None:
    page = (DOCS / "arguments.md").read_text()
    cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    parameters = inspect.signature(pyrrf.RRF).parameters.values()
    assert sorted(named) == sorted(p.name for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD)


def test_every_public_function_has_a_tested_example() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert [n for n in FUNCTIONS if not finder.find(getattr(pyrrf, n), n)[0].examples] == []


def test_version_is_known() -> None:
    assert re.match(r"\d+\.\d+|unknown", pyrrf.__version__)
