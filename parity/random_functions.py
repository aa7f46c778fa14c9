"""Random functions beside R: when arguments and defaults are evaluated, in what order, how often, and whether at all.

``python -m parity.random_functions --seed S --count N`` runs scripts of `FunctionMaker` as `parity.random_scripts`
does; what comes after a statement that is refused is not compared, as variables and stream are others from there on.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter

from parity.function_maker import FunctionMaker
from parity.random_scripts import AT_ONCE, REFUSALS, Result, Summary, run_scripts, signature

MOST_REFUSED = 0.6
"""The share of scripts that may be refused; above it the check would say little."""


def random_functions(number: int) -> list[str]:
    """Return the statements of the script of a number, each one expression of R."""
    return [f"{{ {text} }}" if re.match(r"h <- list", text) else text for text in FunctionMaker(number).script()]


def until_refused(results: list[Result]) -> list[Result]:
    """Return results up to the first statement that did not come out equal."""
    for at, result in enumerate(results):
        if result.kind != "equal":
            return results[: at + 1]
    return results


def _told(result: Result) -> Result:
    """Return an error of Python's own as what it is: a failure where R fails, too, or one that stops the script."""
    if result.kind != "broken" or not result.details:
        return result
    if result.details[0] != "R: no error":
        return Result("failed", result.why)
    own = "positional argument" in result.why or result.why.startswith(("RecursionError", "UnboundLocalError"))
    return Result("TypeError", result.why) if own else result


def run(seed: int, count: int, most_shown: int = 40) -> Summary:
    """Run scripts from a seed on; the counts are of scripts, by how each one ended."""
    summary, seen = Summary(), Counter[str]()
    for first in range(seed, seed + count, AT_ONCE):
        scripts = [random_functions(number) for number in range(first, min(first + AT_ONCE, seed + count))]
        for number, (script, results) in enumerate(zip(scripts, run_scripts(scripts), strict=True), first):
            last = until_refused(results)[-1]
            text = script[len(until_refused(results)) - 1]
            last = _told(last)
            summary.counts["scripts"] += 1
            summary.counts[last.kind] += 1
            if last.kind in (*REFUSALS, "TypeError"):
                reason = f"{last.kind}: " + re.sub(r"\d+", "#", last.why)[:90]
                summary.reasons[reason] += 1
                summary.examples.setdefault(reason, f"{number}: {text}")
            if last.kind in ("differs", "broken"):
                kind = signature(text, last)
                seen[kind] += 1
                if seen[kind] <= 2 and len(summary.differences) < most_shown:
                    summary.differences.append(([f"# {number}", *script[: len(until_refused(results))]], last))
    return summary


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m parity.random_functions", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--seed", type=int, default=1, help="number of the first script")
    parser.add_argument("--count", type=int, default=AT_ONCE)
    parser.add_argument("--shown", type=int, default=40, help="how many differences are printed")
    given = parser.parse_args()
    summary = run(given.seed, given.count, given.shown)
    for script, result in summary.differences:
        print(f"--- {result.kind}: {result.why}")
        print("\n".join(f"    | {line}" for line in script))
        print("\n".join(f"    {line}" for line in result.details))
    print(", ".join(f"{many} {kind}" for kind, many in summary.counts.most_common()))
    print(f"refused: {summary.share_refused:.1%}; at most {MOST_REFUSED:.0%} may be")
    for reason, many in summary.reasons.most_common(40):
        print(f"{many:6d} {reason}     {summary.examples[reason][:200]}")


if __name__ == "__main__":
    main()
