"""The process that runs a script: its arguments, its end, and the input of its user."""

from __future__ import annotations

import sys
from typing import NoReturn

from pyrrf.r.values.errors import stop_if
from pyrrf.r.values.functions import Flag, Number, r_function
from pyrrf.r.values.vector import Value, strings

# As Rscript calls R for a file.
_CALL = ("R", "--no-echo", "--no-restore")


@r_function()
def commandArgs(trailingOnly: Flag = False) -> Value:
    """Return the words behind the script on the command line, or all of them: R's ``commandArgs``."""
    script, *words = sys.argv
    if trailingOnly:
        return strings(words)
    return strings([*_CALL, f"--file={script}", *(["--args", *words] if words else [])])


@r_function(does="prints acts", unsupported="new")
def file_choose(new: Flag = False) -> Value:
    """Return the name of a file that the user types, or stop: R's ``file.choose``."""
    name = _read_line("Enter file name: ")
    stop_if(not name, "file choice cancelled")
    return strings(name)


def _read_line(prompt: str) -> str:
    """Return a line of standard input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    return "" if sys.stdin is None else sys.stdin.readline().strip()


@r_function(does="acts", quiet=True)
def q(save: object = "default", status: Number = 0, runLast: object = True) -> NoReturn:
    """End the process: R's ``quit`` and ``q``; no variables are saved."""
    raise SystemExit(int(status))


quit = q
