"""Time whole calls of pyrrf beside CRAN RRF, ranger and scikit-learn on the same data.

Without --shape and --quick, benchmarks/RESULTS.md and benchmarks/scaling.svg are written, anew after each shape.
Exit status 1: answers differ that must be identical, or a call failed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks import scaling
from benchmarks.peers import FAMILIES, available_families, make_peers, threads_measured
from benchmarks.report import origin, report
from benchmarks.runner import measure
from benchmarks.shapes import QUICK_SHAPES, SHAPES
from benchmarks.tables import Results

RESULTS = Path(__file__).with_name("RESULTS.md")


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", action="append", choices=SHAPES, help="only this one; may be repeated; no scaling")
    parser.add_argument("--peer", action="append", choices=FAMILIES, help="only this one; may be repeated")
    parser.add_argument("--repeats", type=int, default=3, help="3 by default")
    parser.add_argument(
        "--budget",
        type=float,
        default=15.0,
        help="seconds after which a peer is not called again on a shape; 15",
    )
    parser.add_argument("--quick", action="store_true", help="tiny shapes, once: shows that it runs, measures nothing")
    parser.add_argument("--output", type=Path, help="write the report here, and scaling.svg beside it")
    options = parser.parse_args(arguments)
    if options.quick:
        options.repeats = 1
    elif options.output is None and not options.shape:
        options.output = RESULTS
    return options


def main(arguments: list[str] | None = None) -> int:
    options = read_options(arguments)
    families, begun = available_families(options.peer), origin()
    peers = make_peers(families, threads_measured())
    shapes = QUICK_SHAPES if options.quick else {key: SHAPES[key] for key in options.shape or SHAPES}
    results: Results = {}
    grown: Results = {}

    def write(growth: str = "") -> str:
        text = report(results, grown, begun, options.repeats, options.budget, growth)
        if options.output:
            options.output.write_text(text)
        return text

    for key, shape in shapes.items():
        print(f"shape {key}: {shape} ...", file=sys.stderr)
        results[key] = measure(shape, peers, options.repeats, options.budget)
        text = write()
    if not options.shape:
        curves, grown = scaling.run(families, options.quick)
        picture = options.output and options.output.with_name("scaling.svg")
        text = write(scaling.describe(curves, "scaling.svg" if picture and scaling.draw(curves, picture) else None))
    print(text)
    return 0 if all(result.sound for result in (results | grown).values()) else 1


if __name__ == "__main__":
    sys.exit(main())
