"""The frame of a study, a question with a page of its own: `python -m benchmarks.NAME` measures and writes NAME.md.

A module of a study has the measurement, its tables and a `main` made here. Each command takes --quick, which measures
little once and only prints the page, and --output for another page.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from benchmarks.origin import origin

Rows = tuple[np.ndarray, np.ndarray]  # x and y
T = TypeVar("T")


def command(
    name: str, measure: Callable[[argparse.Namespace], str], doc: str | None, quick: str, data: str = "", **counts: int
) -> Callable[..., int]:
    """Return the `main` of a study, which returns the exit status.

    Parameters
    ----------
    name : str
        That of the module; in capitals that of the page.
    measure : callable
        From the options to the page.
    doc : str
        That of the module.
    quick : str
        What --quick measures.
    data : str, optional
        What --data names; without it there is no such option.
    **counts : int
        Further options, whole numbers, with their defaults.
    """
    page = Path(__file__).with_name(f"{name.upper()}.md")
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if data:
        parser.add_argument("--data", type=Path, help=f"folder with {data}")
    for option, default in counts.items():
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--quick", action="store_true", help=f"{quick}: shows that it runs; the page is only printed")
    parser.add_argument("--output", type=Path, default=page, help=f"the page, benchmarks/{page.name} by default")

    def main(arguments: list[str] | None = None) -> int:
        options = parser.parse_args(arguments)
        text = measure(options)
        if options.quick:
            print(text)
        else:
            options.output.write_text(text)
        return 0

    return main


def page(title: str, name: str, words: str, *parts: str) -> str:
    """Return a page: its title, what made it, `words` on that, and the parts."""
    made = f"Made by `python -m benchmarks.{name}`. {origin()}{words}"
    return "\n\n".join([f"# {title}", made, *(part.strip() for part in parts)]) + "\n"


# ---- data that several studies measure -------------------------------------------------------------------------------


def made(rows: int, columns: int) -> Rows:
    """Two classes that depend on five columns and noise."""
    draw = np.random.default_rng(rows + columns)
    x = draw.standard_normal((rows, columns))
    return x, (x[:, :5].sum(axis=1) + draw.standard_normal(rows) > 0).astype(int)


def colon(folder: Path) -> Rows:
    """Return the colon data, whose last column is the class."""
    table = pd.read_csv(folder / "colon.csv.gz")
    return table.iloc[:, :-1].to_numpy(float), pd.factorize(table.iloc[:, -1])[0]


def made_and_colon(options: argparse.Namespace) -> dict[str, Rows]:
    """Return made data, and those of colon where their folder was named."""
    tables = {"made": made(60, 8) if options.quick else made(300, 100)}
    return tables | ({"colon": colon(options.data)} if options.data else {})


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Return the processor seconds that work takes, and what it returns."""
    started = time.process_time()
    found = work()
    return time.process_time() - started, found
