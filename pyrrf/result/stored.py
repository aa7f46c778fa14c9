"""The format of stored fits, which every pickle names."""

from __future__ import annotations

from typing import Any

from pyrrf.errors import bad

# Add 1 whenever the stored parts of a fit or a forest change.
FORMAT = 2


def to_state(state: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of an object, together with the number of their format."""
    return {"format": FORMAT, **state}


def read_state(state: Any, kind: str) -> dict[str, Any]:
    """Return the parts of a stored object.

    `kind` is what the object is, for messages; ValueError if it is stored in another format.
    """
    stored_format = state.get("format") if isinstance(state, dict) else None
    if stored_format != FORMAT:
        named = "no format that is known" if stored_format is None else f"format {stored_format!r}"
        newer = isinstance(stored_format, int) and stored_format > FORMAT
        remedy = "load it with a newer release" if newer else "fit it again, or load it with the release that stored it"
        raise bad.damaged(
            f"the stored {kind} is in {named}, and this release of pyrrf reads format {FORMAT}; {remedy}", None
        )
    return {name: value for name, value in state.items() if name != "format"}
