"""The public estimators of pyrrf.sklearn and pyrrf.papers, by name."""

from __future__ import annotations

from typing import Any

import pyrrf.papers
import pyrrf.sklearn

ESTIMATORS: dict[str, Any] = {
    name: getattr(room, name)
    for room in (pyrrf.papers, pyrrf.sklearn)
    for name in room.__all__
    if hasattr(getattr(room, name), "fit")
}
