"""`python -m parity.export` writes R's own data sets to `data/`, all digits; run once.

Rows with missing values are left out. `schema.json` says which columns are factors, with their levels.
"""

from __future__ import annotations

import csv
import json

from parity.datasets.tables import DATA
from parity.r_side import RSide

SOURCES = {
    "iris": "iris",
    "fgl": "MASS::fgl",
    "sonar": "get(data(Sonar, package = 'mlbench'))",
    "glass": "get(data(Glass, package = 'mlbench'))",
    "vehicle": "get(data(Vehicle, package = 'mlbench'))",
    "votes": "get(data(HouseVotes84, package = 'mlbench'))",
    "boston": "MASS::Boston",
    "airquality": "airquality",
    "swiss": "swiss",
    "mtcars": "mtcars",
    "servo": "get(data(Servo, package = 'mlbench'))",
    "imports85": "get(data(imports85, package = 'RRF'))",
}


def export() -> None:
    """Write every table of `SOURCES` and the schema."""
    r = RSide()
    schema = {}
    for name, source in SOURCES.items():
        frame = r.ro.r(f"na.omit({source})")
        columns = {str(column): frame.rx2(i + 1) for i, column in enumerate(frame.names)}
        schema[name] = {"source": source, "columns": {c: describe(r, v) for c, v in columns.items()}}
        with (DATA / f"{name}.csv").open("w", newline="") as lines:
            writer = csv.writer(lines, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*(cells(r, v) for v in columns.values()), strict=True))
    (DATA / "schema.json").write_text(json.dumps(schema, indent=1) + "\n")


def describe(r: RSide, column: object) -> dict[str, object]:
    """Kind of a column and its levels."""
    if not r.ro.r["is.factor"](column)[0]:
        return {"kind": "number"}
    kind = "ordered" if r.ro.r["is.ordered"](column)[0] else "factor"
    return {"kind": kind, "levels": [str(level) for level in r.ro.r["levels"](column)]}


def cells(r: RSide, column: object) -> list[str]:
    """Text of a column's cells; a double gets the digits that read back to it."""
    value = r.from_r(column)
    if value.kind == "factor":
        return [value.levels[code] for code in value.data]
    return [repr(int(v)) if v.is_integer() else repr(v) for v in value.data.tolist()]


if __name__ == "__main__":
    export()
