"""`python -m parity.record [CASE ...]` stores R's answers under `recorded/`; needs R with RRF.

Without names every case and R's runs for the statistical comparison are recorded, and files of cases
that are gone are removed. The versions in
the manifest are those of the last recording.
"""

from __future__ import annotations

import argparse

from parity import statistics
from parity.cases import CASES
from parity.r_side import RSide
from parity.steps import Case
from parity.store import MANIFEST, RECORDED, digest, read_manifest, write_answers, write_manifest
from parity.stored import record_objects


def main() -> None:
    """Record the cases that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m parity.record", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="names of cases; all by default")
    names = parser.parse_args().cases
    unknown = sorted(set(names) - set(CASES))
    if unknown:
        parser.error(f"no case is called {', '.join(unknown)}")
    wanted = [CASES[name] for name in names] if names else list(CASES.values())
    r = RSide()
    record(r, wanted)
    if not names:
        remove_stale()
        statistics.record(r)
        record_objects(r.ro)
    size = sum(path.stat().st_size for path in RECORDED.glob("*.json"))
    print(f"{len(wanted)} cases recorded; parity/recorded holds {size / 1e6:.2f} MB")


def record(r: RSide, cases: list[Case]) -> None:
    """Store R's answers to the cases and bring the manifest up to date."""
    RECORDED.mkdir(exist_ok=True)
    digests = read_manifest()["cases"] if MANIFEST.exists() else {}
    for item in cases:
        write_answers(item, r.run(item))
        digests[item.name] = digest(item)
    write_manifest(r.versions(), {name: d for name, d in digests.items() if name in CASES})


def remove_stale() -> None:
    """Delete answers to cases that the table no longer has."""
    for path in RECORDED.glob("*.json"):
        if path != MANIFEST and path.stem not in CASES and not path.stem.startswith("statistics"):
            path.unlink()


if __name__ == "__main__":
    main()
