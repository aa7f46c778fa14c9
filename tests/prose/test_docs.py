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
from tests.estimators import ESTIMATORS
from tests.offenders import offenders

FUNCTIONS = [name for name in pyrrf.__all__ if inspect.isfunction(getattr(pyrrf, name))]
CLASSES = [name for name in pyrrf.__all__ if inspect.isclass(getattr(pyrrf, name))]
SELECTORS = importlib.import_module("pyrrf.selectors")
RULES = importlib.import_module("pyrrf.rules")
OF_RULES = [name for name in RULES.__all__ if inspect.isfunction(getattr(RULES, name))]
SKLEARN = importlib.import_module("pyrrf.sklearn")
PAPERS = importlib.import_module("pyrrf.papers")
FORMULAS = [
    value for room in (PAPERS, SELECTORS) for name in room.__all__ if inspect.isfunction(value := getattr(room, name))
]
FITTING = [value for name in SKLEARN.__all__ if inspect.isfunction(value := getattr(SKLEARN, name))]
GROWING = ("RRF", "GRRF", "randomForest")
# Modules whose `__all__` is public; functions of R in pyrrf.r have a page of their own.
PUBLIC = ("", ".sklearn", ".papers", ".selectors", ".rules", ".datasets", ".testing")
DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS.parent / "examples/gallery"  # make docs runs them
PAGES = sorted(path.name for path in DOCS.glob("*.md"))
MODULES = [
    ".".join(path.relative_to(DOCS.parent).with_suffix("").parts)
    for path in sorted((DOCS.parent / "pyrrf").rglob("*.py*"))
    if path.suffix in (".py", ".pyx") and ">>> " in path.read_text()
]
WITH_EXAMPLES = [name for name in PAGES if ">>> " in (DOCS / name).read_text()]
# Pages whose examples take seconds each; tests/slow/test_pages.py runs them.
LONG_PAGES = ["gamma.md", "pipeline.md", "stability.md", "start.md"]
# Where a formula or an estimator comes from.
SOURCE = re.compile(r"\b(?:eqs?|sections?|tables?|algorithms?|figures?) \d|\bNo paper\b", re.I)
# A line that begins the text of a parameter, or of several.
PARAMETER = re.compile(r"(\*{0,2}\w+(?:, \w+)*)(?: : (.*))?")
SECTIONS = ("Parameters", "Returns", "Raises", "Attributes", "See Also", "Notes", "Examples")


def sections(doc: str) -> dict[str, str]:
    """The text of each numpydoc section by its title."""
    parts = re.split(rf"^({'|'.join(SECTIONS)})\n-+\n", inspect.cleandoc(doc), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(doc: str) -> dict[str, str]:
    """Type and default of each documented parameter; `a, b : t` counts for both."""
    found = {}
    for line in sections(doc).get("Parameters", "").splitlines():
        if match := PARAMETER.fullmatch(line):
            for name in match[1].split(", "):
                found[name.lstrip("*")] = match[2] or ""
    return found


def descriptions(doc: str) -> dict[str, str]:
    """The text below each documented parameter."""
    texts: dict[str, str] = {}
    names: list[str] = []
    for line in sections(doc).get("Parameters", "").splitlines():
        if match := PARAMETER.fullmatch(line):
            names = [name.lstrip("*") for name in match[1].split(", ")]
        texts |= {name: texts.get(name, "") + line.strip() * (match is None) for name in names}
    return texts


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


def check_formula(function: Any) -> None:
    assert {"Parameters", "Returns", "Raises", "Examples"} <= sections(function.__doc__).keys()
    assert SOURCE.search(function.__doc__), "say where in which paper"
    check_parameters(function, function.__doc__)


def test_formulas_are_documented() -> None:
    assert offenders(check_formula, FORMULAS + FITTING) == []


def check_estimator(name: str) -> None:
    cls = ESTIMATORS[name]
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


def public_names() -> list[str]:
    """Full names of public functions and classes."""
    rooms = [importlib.import_module(f"pyrrf{room}") for room in PUBLIC]
    return [f"{room.__name__}.{name}" for room in rooms for name in room.__all__ if callable(getattr(room, name))]


def callables() -> dict[str, Any]:
    """Public functions, classes and methods of classes, by full names.

    Left out: classes that only pyrrf makes, as results, which have Attributes in place of Parameters; functions of
    pyrrf.r, whose docstrings are one line, since R's manual describes their arguments.
    """
    found = {}
    for name in public_names():
        room, _, word = name.rpartition(".")
        value = getattr(importlib.import_module(room), word)
        if not inspect.isclass(value) or documented(value.__doc__ or "") or word in ESTIMATORS:
            found[name] = value
        methods = inspect.getmembers(value, inspect.isfunction) if inspect.isclass(value) else []
        own = [one for one, method in methods if method.__module__.startswith("pyrrf.") and not one.startswith("_")]
        found |= {f"{name}.{one}": getattr(value, one) for one in own}
    return found


def check_described(name: str) -> None:
    function = callables()[name]
    texts = descriptions(function.__doc__ or "")
    if function is pyrrf.GRRF:  # its ``**arguments`` stand for those of RRF
        texts = descriptions(pyrrf.RRF.__doc__ or "") | texts
    assert [one for one in inspect.signature(function).parameters if one != "self" and not texts.get(one)] == []


def test_each_parameter_has_a_description() -> None:
    assert offenders(check_described, callables()) == []


def check_listed(name: str) -> None:
    room, _, word = name.rpartition(".")
    parts = re.split(r"^.. currentmodule:: ", (DOCS / "api.rst").read_text(), flags=re.M)
    assert sum(part.startswith(f"{room}\n") and f"   {word}\n" in part for part in parts) == 1


def test_docs_list_it() -> None:
    assert offenders(check_listed, public_names()) == []


def check_parameters(function: Any, doc: str) -> None:
    parameters = inspect.signature(function).parameters
    types = documented(doc)
    if function is pyrrf.GRRF:  # its ``**arguments`` stand for those of RRF
        assert {*types} - {"arguments"} == parameters.keys() - documented(pyrrf.RRF.__doc__ or "").keys() | {"x", "y"}
        types = documented(pyrrf.RRF.__doc__ or "") | types
    else:
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


def check_gallery_example(name: str) -> None:
    title = (EXAMPLES / name).read_text().splitlines()[1]
    assert title.endswith("?")
    assert any(f"_examples/{name.removesuffix('.py')}.rst" in (DOCS / page).read_text() for page in PAGES)


def test_each_example_is_a_question_and_a_page_links_to_it() -> None:
    assert offenders(check_gallery_example, [path.name for path in EXAMPLES.glob("*.py")]) == []


def test_each_page_stands_in_one_list() -> None:
    assert offenders(check_one_list, PAGES) == []


def documented_arguments() -> dict[tuple[str, str], tuple[str, str]]:
    """R's default and ours of each argument on the page, by function and name."""
    rows = [line.strip("| ").split(" | ") for line in (DOCS / "arguments.md").read_text().splitlines()]
    return {
        (function, name): (theirs, re.findall(r"`(.+?)`", ours)[0])
        for names, _, theirs, ours, functions in (row for row in rows if row[0].startswith("`"))
        for name in re.findall(r"`(\w+)`", names)
        for function in functions.replace("all", ", ".join(GROWING)).split(", ")
    }


def test_the_page_of_arguments_has_each_with_its_default() -> None:
    defaults = {
        (function, parameter.name): repr(parameter.default)
        for function in GROWING
        for parameter in inspect.signature(getattr(pyrrf, function)).parameters.values()
    }
    assert {key: ours for key, (_, ours) in documented_arguments().items()} == defaults


def test_the_page_of_arguments_gives_r_the_default_that_is_the_same() -> None:
    values = {"NULL": "None", "TRUE": "True", "FALSE": "False"}
    written = [(re.match(r"`(NULL|TRUE|FALSE|\d+)`", theirs), ours) for theirs, ours in documented_arguments().values()]
    pairs = [(values.get(theirs[1], theirs[1]), ours) for theirs, ours in written if theirs]
    assert len(pairs) > 40
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


def check_example(name: str) -> None:
    room, _, word = name.rpartition(".")
    examples = doctest.DocTestParser().get_examples(getattr(importlib.import_module(room), word).__doc__)
    assert any(example.want for example in examples), "no example shows an output"
    assert not any(doctest.OPTIONFLAGS_BY_NAME["SKIP"] in example.options for example in examples)


def test_each_public_name_has_an_example_that_runs() -> None:
    assert offenders(check_example, public_names()) == []


def test_version_is_known() -> None:
    assert re.match(r"\d+\.\d+|unknown", pyrrf.__version__)
