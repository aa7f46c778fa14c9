"""The request to the checking process, and its answer."""

from __future__ import annotations

import ast
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Block:
    """Some statements of R, mostly one, and the Python that stands for them.

    Attributes
    ----------
    first, end : int
        The statements, counted from 0; without the last number.
    line : int
        Of the first in the script of R.
    code : str
    python_line : int
        The line of the code in the Python file; 0 if it has not been written yet.
    text : str
        In R.
    skip : str
        Why the code is not run; empty if it is.
    partial : bool
        Whether some of the R is left over in it.
    """

    first: int
    end: int
    line: int
    code: str
    python_line: int = 0
    text: str = ""
    skip: str = ""
    partial: bool = False


@dataclass(frozen=True)
class Job:
    """A script to be run in step with R.

    Attributes
    ----------
    blocks : list of Block
    names : dict of str to str
        Python's names by R's.
    preamble : str
        Python that comes before all.
    file : str
        The Python file, whose folder has what R left earlier.
    place : str
        Where the script runs.
    records : str
        The folder with R's records.
    limit : float
        The seconds that a block may take if it took R a tenth of it or less.
    """

    blocks: list[Block]
    names: dict[str, str]
    preamble: str
    file: str
    place: str
    records: str
    limit: float

    def write(self, path: Path) -> None:
        """Write the job for the checking process."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8", errors="surrogatepass")

    @staticmethod
    def read(path: str) -> Job:
        """Read a job that `write` has written."""
        content = json.loads(Path(path).read_text(encoding="utf-8", errors="surrogatepass"))
        return Job(**content | {"blocks": [Block(**block) for block in content["blocks"]]})


@dataclass(frozen=True)
class Outcome:
    """Result of a check for a block.

    Attributes
    ----------
    block : int
        Its number.
    status : str
        "equal"; "printed" if only the text differs; "clock" if what differs is a time; "frozen" if it goes on with R's
        values; "failed" if R failed, too; "unreached" if R did not come to it.
    reason : str
        Why it is not equal.
    changed : list of str
        R's names of the variables that R changed and recorded.
    notes : dict of str to str
        Those that it could not record, and what they are.
    removed : list of str
    defined : list of str
        Those of `notes` that are functions here, too.
    printed, drew, quit : bool
        What R did.
    uncompared : list of str
        Variables that are the same as far as is known, since R could not record them.
    """

    block: int
    status: str
    reason: str = ""
    changed: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    defined: list[str] = field(default_factory=list)
    printed: bool = False
    drew: bool = False
    quit: bool = False
    uncompared: list[str] = field(default_factory=list)

    @property
    def reads(self) -> bool:
        """Whether R left anything that can be read."""
        return bool(self.changed or self.printed or self.drew or set(self.notes) - set(self.defined))


def definitions(code: str, wanted: set[str]) -> list[ast.stmt]:
    """Return the statements of a code that define functions of the given names."""
    try:
        body = ast.parse(code).body
    except SyntaxError:
        return []
    return [node for node in body if _defined_name(node) in wanted]


def _defined_name(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""
