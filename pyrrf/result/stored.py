"""The form in which fits are stored: pickles say which one they have."""

from __future__ import annotations

from typing import Any

# Counts up with every change of what a fit or a forest consists of.
FORMAT = 1


def stored(state: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of an object with the format that they are in."""
    return {"format": FORMAT, **state}


def restored(state: Any, kind: str) -> dict[str, Any]:
    """Return the parts of a stored object.

    Parameters
    ----------
    state : dict
        What `stored` returned, here or in another release.
    kind : str
        What errors call the object.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        It is in another format.
    """
    found = state.get("format") if isinstance(state, dict) else None
    if found != FORMAT:
        named = "no format that is known" if found is None else f"format {found!r}"
        newer = isinstance(found, int) and found > FORMAT
        remedy = "load it with a newer release" if newer else "fit it again, or load it with the release that stored it"
        raise ValueError(f"the stored {kind} is in {named}, and this release of pyrrf reads format {FORMAT}; {remedy}")
    return {name: part for name, part in state.items() if name != "format"}
