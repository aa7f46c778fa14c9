"""R's search path: which packages a script has attached, and which of them a name is taken from.

`pyrrf.r` declares the packages of each of its functions. Here stands what other packages do to that: which they attach
with them, and which names they hide.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_OF_R = "base compiler datasets graphics grDevices grid methods parallel splines stats stats4 tcltk tools utils"
ALWAYS = frozenset("base datasets graphics grDevices methods stats utils".split())
"""Packages that R attaches itself."""
_HERE = "caret caTools dplyr inTrees magrittr purrr randomForest RRF stringr tibble tidyr tidyverse"
INSTALLED = frozenset(f"{_OF_R} {_HERE}".split())
"""Packages that R has if a script of theirs runs here; whether it has others is not known."""
# Packages that come along, in the order in which they are attached.
_WITH = {
    "caret": "ggplot2 lattice",
    "party": "modeltools zoo",
    "partykit": "party",
    "recipes": "dplyr",
    "tidyverse": "ggplot2 tibble tidyr readr purrr dplyr stringr",
    "tidymodels": "dplyr ggplot2 purrr recipes tibble tidyr yardstick",
}
# Functions of other packages that have a name of one here and do something else.
_HIDDEN = {
    "car": "recode",
    "data.table": "between first last",
    "dplyr": "combine",
    "gdata": "combine first keep last",
    "ggplot2": "margin",
    "Hmisc": "summarize",
    "InformationValue": "confusionMatrix sensitivity specificity",
    "MASS": "select",
    "matrixStats": "count",
    "MLmetrics": "MAE RMSE",
    "mlr": "train",
    "ModelMetrics": "confusionMatrix sensitivity specificity",
    "party": "where",
    "plyr": "arrange count desc mutate rename summarise summarize",
    "pROC": "cov var",
    "psych": "outlier",
    "raster": "select",
    "recipes": "fixed",
    "scales": "discard",
    "terra": "select",
    "xgboost": "slice",
    "yardstick": "sensitivity specificity",
}
LISTED = INSTALLED | _HIDDEN.keys() | {"lattice"}
"""Packages whose names of functions are listed here."""
OF_STATS = ("filter", "lag")
"""Functions here that R itself has other ones for."""
WITHOUT_PIPE = LISTED - set("dplyr magrittr purrr recipes stringr tibble tidyr tidyverse yardstick".split())
"""Packages that surely have no ``%>%``."""
FORESTS_OF_CARET = frozenset("rf RRF RRFglobal".split())
"""Methods of caret's ``train`` that grow forests."""
SEARCH: list[str] = []
"""The packages that the script has attached, the last one first."""
UNSURE: list[str] = []
"""Packages that R may have attached, the last one first."""


def attach(search: Sequence[str], package: str) -> list[str]:
    """Return a search path behind ``library(package)``: a package that is there already stays in its place."""
    path = [*search]
    for name in [*_WITH.get(package, "").split(), package]:
        if name not in path and name not in ALWAYS:
            path.insert(0, name)
    return path


# Packages whose names have underscores; in the names of R's own these stand for dots, but for the last.
_UNDERSCORED = frozenset("dplyr purrr stringr tibble tidyr tidyselect".split())
_NAMES = {"colon": ":", "contained": "%in%", "seq_len": "seq_len", "seq_along": "seq_along", "rep_len": "rep_len"}


@dataclass(frozen=True)
class Known:
    """A function or a constant of R that `pyrrf.r` has.

    Attributes
    ----------
    word : str
        Its name there.
    homes : tuple of str
        The packages that have it.
    """

    word: str
    homes: tuple[str, ...]

    def home(self, name: str, search: Sequence[str]) -> str:
        """Return the package from which R takes a name; "" where none has it."""
        homes = (p for p in search if p in self.homes or name in _HIDDEN.get(p, "").split())
        return next(homes, next((p for p in self.homes if p in ALWAYS), "stats" if name in OF_STATS else ""))

    def same(self, home: str, other: str) -> bool:
        """Return whether a package has the very function of another one: RRF and randomForest have each their own."""
        return {home, other} <= {*self.homes} and {home, other} != {"RRF", "randomForest"}


def read_declarations(homes: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Known]]:
    """Return the words by module, without their packages; and their packages by R's names."""
    plain: dict[str, str] = {}
    known: dict[str, Known] = {}
    for module, text in homes.items():
        packages: tuple[str, ...] = ("base",)
        words = []
        for word in text.split():
            if word.endswith(":"):
                packages = tuple(word[:-1].split("+"))
                continue
            words.append(word)
            if packages != ("-",):
                known[_name_in_r(word, packages)] = Known(word, packages)
        plain[module] = " ".join(words)
    return plain, known


def _name_in_r(word: str, packages: Sequence[str]) -> str:
    if not _UNDERSCORED.isdisjoint(packages):
        return word.removeprefix("tidyr_")
    if word.startswith("put_"):
        return f"{_name_in_r(word[4:], packages)}<-"
    if word.endswith("_") and keyword.iskeyword(word[:-1]):
        return word[:-1]
    return _NAMES.get(word, word.replace("_", "."))


def python_word(name: str) -> str:
    """Return the name that a function or an argument of R has in Python: dots become underscores."""
    word = name.replace(".", "_")
    return f"{word}_" if keyword.iskeyword(word) else word
