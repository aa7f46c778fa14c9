"""Weka's classes, called from here: one Java process for each Python process, started when it is first needed.

Weka 3.6.14 is Debian's package `weka`; Java compiles `WekaTasks.java` when it starts. What is called stands in
`comparators.py`; every class runs with Weka's default settings where nothing else is said.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.jobs.helper import Helper

DRIVER = Path(__file__).with_name("WekaTasks.java")
JARS = (os.environ.get("WEKA_JAR", ""), "/usr/share/java/weka.jar")
MEMORY = "-Xmx2g"


def weka_jar() -> Path | None:
    """Return Weka's jar: where the variable WEKA_JAR says, or where Debian puts it; None without it or Java."""
    jars = [Path(jar) for jar in JARS if jar and Path(jar).exists()]
    return jars[0] if jars and shutil.which("java") else None


class Weka(Helper):
    """A running Java process that holds one training set and one test set."""

    def __init__(self) -> None:
        jar = weka_jar()
        if jar is None:
            raise RuntimeError("Weka is not here: apt-get install --no-install-recommends weka default-jre-headless")
        self._folder = tempfile.TemporaryDirectory(prefix="weka-")
        home = f"-Duser.home={self._folder.name}"  # Weka writes into its user's home
        super().__init__("Weka", ["java", MEMORY, "-XX:+UseSerialGC", home, "-cp", str(jar), str(DRIVER)])

    def close(self) -> None:
        """End the process."""
        super().close()
        self._folder.cleanup()

    def processor_seconds(self) -> float:
        """Return the processor time that the process has taken; 0 where the system does not tell it, as Linux does."""
        file = Path(f"/proc/{self.process.pid}/stat")
        if not file.exists():
            return 0.0
        fields = file.read_text().rpartition(")")[2].split()  # from the third on
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def load(self, train: pd.DataFrame, test: pd.DataFrame | None = None) -> None:
        """Hand over tables whose last column is the class, a categorical; the other columns are named anew."""
        files = []
        for name, table in (("train", train), ("test", test)):
            file = Path(self._folder.name) / f"{name}.arff"
            if table is not None:
                write_arff(file, table)
            files.append(str(file) if table is not None else "")
        self.ask("load", *files)

    def select(self, evaluator: str, search: str) -> np.ndarray:
        """Return the positions that a search with an evaluator selects on the training set."""
        return _numbers(self.ask("select", evaluator, search), int)

    def evaluate(self, evaluator: str) -> np.ndarray:
        """Return what an evaluator of single attributes says of each column."""
        return _numbers(self.ask("evaluate", evaluator), float)

    def cut_points(self) -> list[np.ndarray]:
        """Return the cut points of each column by Fayyad and Irani's rule (none for a categorical)."""
        return [_numbers(cuts, float) for cuts in self.ask("cuts").split(";")[:-1]]

    def predict(self, classifier: str, columns: Sequence[int] | None = None) -> np.ndarray:
        """Return the codes of the classes that a classifier, built on some columns, predicts for the test set."""
        chosen = "" if columns is None else " ".join(map(str, columns)) or " "
        return _numbers(self.ask("predict", classifier, chosen), int)


@functools.cache
def running() -> Weka:
    """Return the Java process of this process, which ends with it."""
    weka = Weka()
    atexit.register(weka.close)
    return weka


def write_arff(file: Path, table: pd.DataFrame) -> None:
    """Write a table in Weka's format: levels of categoricals as l0, l1, ...; numbers so that they read back equal."""
    header = ["@relation table"]
    columns = {}
    for position, (_, column) in enumerate(table.items()):
        name = f"c{position}"
        if isinstance(column.dtype, pd.CategoricalDtype):
            header.append(f"@attribute {name} {{{','.join(f'l{code}' for code in range(len(column.cat.categories)))}}}")
            columns[name] = column.cat.codes.map(lambda code: f"l{code}" if code >= 0 else "?").to_numpy()
        else:
            header.append(f"@attribute {name} numeric")
            columns[name] = column.to_numpy(float)
    rows = pd.DataFrame(columns).to_csv(None, header=False, index=False, na_rep="?")
    file.write_text("\n".join([*header, "@data", rows]))


def _numbers(text: str, kind: type) -> np.ndarray:
    return np.array(text.split(), dtype=kind)
