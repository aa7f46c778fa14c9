"""Answer to one step of a case: its value, its printed text, and the state of the random stream."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from parity.values import NOTHING, Value, from_json, to_json


@dataclass
class StreamState:
    """R's `.Random.seed` without its first word: the position and 624 words.

    Recorded answers keep the position and a digest of all words, so a state is compared whole
    in both forms.
    """

    position: int
    digest: str
    words: np.ndarray | None = None

    @classmethod
    def of(cls, state: Any) -> StreamState:
        """State from R's 625 integers (position first)."""
        array = np.asarray(state, dtype=np.int64)
        words = (array[1:] & 0xFFFFFFFF).astype("<u4")
        return cls(int(array[0]), hashlib.sha256(words.tobytes()).hexdigest(), words)


@dataclass
class Answer:
    """Answer to one step.

    Parameters
    ----------
    value : Value
    stream : StreamState
        `.Random.seed` after the step.
    printed : list of str
        Lines written to the terminal.
    warned : list of str
        Texts of the warnings.
    failed : str or None
        Text of the error that ended the step.
    kind : str or None
        Class of pyrrf's error; R's errors have none.
    """

    value: Value
    stream: StreamState
    printed: list[str] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)
    failed: str | None = None
    kind: str | None = None


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """JSON form of an answer; empty parts are left out."""
    out: dict[str, Any] = {
        "value": to_json(answer.value),
        "stream": [answer.stream.position, answer.stream.digest],
    }
    for key in ("printed", "warned", "failed"):
        if getattr(answer, key):
            out[key] = getattr(answer, key)
    return out


def answer_from_json(plain: dict[str, Any]) -> Answer:
    """Answer from its JSON form."""
    position, digest = plain["stream"]
    return Answer(
        from_json(plain["value"]) if plain["value"] is not None else NOTHING,
        StreamState(position, digest),
        plain.get("printed", []),
        plain.get("warned", []),
        plain.get("failed"),
    )
