"""Messages and exit codes of the command."""

from __future__ import annotations

import difflib
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType
from typing import Any

from pyrrf.escapes import escape_control_chars
from pyrrf.threads import CallEndedError, SharedCall


class Exit(IntEnum):
    """Exit codes of the process."""

    OK = 0
    DIFFERS = 1  # for commands that compare or translate; not used by `select`
    USAGE = 2  # the command line is wrong, or needs an extra that is not installed
    DATA = 3  # a file is not as it should be, or cannot be read or written
    FAULT = 70  # an error in pyrrf
    STOPPED = 130  # by Ctrl-C


class DifferenceError(Exception):
    """A difference, or lines that were not translated; the message names them."""


class UsageError(Exception):
    """The command line is wrong; the message names the option and the remedy."""


class DataError(Exception):
    """A file is not as it should be; the message names the place and the remedy."""


# Most characters of a value in a message.
_LONGEST = 60
# Words of the selectors' messages, and the options of the command in their place.
_OPTIONS = {
    "pass a larger pfer, or a threshold": "give a larger --pfer",
    "pass pfer=": "give --pfer ",
    "pfer=": "--pfer ",
    "n_features must": "--features must",
    " of X ": " ",
    " in X ": " ",
}
_CODES = {UsageError: Exit.USAGE, ImportError: Exit.USAGE, DifferenceError: Exit.DIFFERS, DataError: Exit.DATA}


def say(text: str) -> None:
    """Write a line for the user, apart from the results."""
    _write(f"pyrrf: {text}")


def note(text: str) -> None:
    """Write a line about something that was decided for the user."""
    _write(f"note: {text}")


def _write(text: str) -> None:
    # Names in a file and R's messages may hold control characters.
    sys.stderr.write(escape_control_chars(text, "\n") + "\n")
    sys.stderr.flush()


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Turn warnings inside the block into notes, each text once."""
    seen: set[str] = set()

    def show(message: Warning | str, *_: Any) -> None:
        if str(message) not in seen:
            seen.add(str(message))
            note(in_options(str(message)))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


@contextmanager
def _ended_by_ctrl_c(call: SharedCall) -> Iterator[None]:
    """Let Ctrl-C end the call, too: Python ignores a KeyboardInterrupt in a callback, such as one of an import."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        call.ended = True
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def run_guarded(work: Callable[[], None]) -> Exit:
    """Run a command, and return its exit code."""
    call = SharedCall()
    try:
        with warnings_as_notes(), _ended_by_ctrl_c(call):
            call.work(work)
            if sys.stdout is not None:
                sys.stdout.flush()
    except (UsageError, ImportError, DifferenceError, DataError) as error:
        say(str(error))
        return next(code for kind, code in _CODES.items() if isinstance(error, kind))
    except (KeyboardInterrupt, CallEndedError):
        say("stopped")
        return Exit.STOPPED
    except MemoryError:
        say("out of memory; use fewer rows or columns, or a machine with more memory")
        return Exit.DATA
    except OSError as error:
        # Python would complain once more when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return Exit.OK  # the reader has closed the pipe
        say(f"{error.filename or 'standard output'}: {error.strerror}")
        return Exit.DATA
    except Exception:
        traceback.print_exc()
        say("this is a bug in pyrrf; please report it with the traceback above")
        return Exit.FAULT
    return Exit.OK


def in_options(text: str) -> str:
    """Return a message of a selector with the options of the command in place of the arguments that it names."""
    for argument, option in _OPTIONS.items():
        text = text.replace(argument, option)
    return text


def count_text(k: int, word: str) -> str:
    """Return a number with its word, in the plural unless it is one."""
    return f"{k} {word}" if k == 1 else f"{k} {word}s"


def short(text: str) -> str:
    """Return a value of a file as messages show it; a damaged file has values of any length."""
    return repr(text) if len(text) <= _LONGEST else f"{text[:_LONGEST]!r} and {len(text) - _LONGEST} characters more"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a question after the known word that is most like `word`; an empty text if none is."""
    names = list(known)
    lowered = {name.lower(): name for name in reversed(names)}
    near = difflib.get_close_matches(word.strip().lower(), lowered, 1)
    return f"; did you mean {lowered[near[0]]!r}?" if near else ""
