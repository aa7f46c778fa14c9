"""Markdown tables of what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchmarks import markdown
from benchmarks.markdown import ABSENT
from benchmarks.peers import (
    CRAN,
    ENTROPY,
    FAMILIES,
    INTELEX,
    LIGHTGBM,
    MTRY,
    PARALLEL,
    PYRRF,
    RANGER,
    SKLEARN,
    Peer,
    cran_pair,
)
from benchmarks.runner import Call, Result

Results = dict[str, Result]
Cell = Callable[[Result], str]
Column = tuple[str, Cell]


# ---- cells -------------------------------------------------------------------------------------------------------


def show(value: float | None, pattern: str = ".3g") -> str:
    """Return a number as text, without exponent; a dash where it is missing."""
    if value is None:
        return ABSENT
    return f"{value:,.0f}" if abs(value) >= 100 else format(value, pattern)


def seconds(peer: Peer) -> Cell:
    return lambda result: show(result.median(peer))


def quotient(above: Peer, below: Peer, pattern: str = ".1f") -> Cell:
    return lambda result: show(result.over(above, below), pattern)


def speed_up(family: str, regularized: bool, threads: int) -> Cell:
    return quotient(Peer(family, regularized, 1), Peer(family, regularized, threads), ".2f")


def mebibytes(peer: Peer, what: Callable[[Call], float | None]) -> Cell:
    return lambda result: show(result.median(peer, what), ".0f")


def quality(peer: Peer) -> Cell:
    """Return the error on the rows set aside, the leaves of a tree and the features used."""

    def cell(result: Result) -> str:
        error, leaves, features = (
            result.median(peer, what) for what in (lambda c: c.error, lambda c: c.leaves, lambda c: c.features)
        )
        return ABSENT if error is None else f"{error:.3f}; {show(leaves)}; {show(features, '.0f')}"

    return cell


def table(results: Results, columns: Iterable[Column]) -> str:
    """Return one row per case, the columns, and no column without a value."""
    named = [("case", None), ("data", lambda result: str(result.case)), *columns]
    filled = [
        [name, *(key if cell is None else cell(result) for key, result in results.items())] for name, cell in named
    ]
    if not results:
        return ""
    kept = [cells for cells in filled if any(text != ABSENT for text in cells[1:])]
    head, *rows = zip(*kept, strict=True)
    return markdown.table(head, rows)


def threads_of(results: Results) -> list[int]:
    """Return the numbers of threads measured, in order."""
    return sorted({peer.threads for result in results.values() for peer in result.calls})


# ---- the tables --------------------------------------------------------------------------------------------------


def engine_r(results: Results) -> str:
    """Engine "r" beside CRAN RRF, whose answers it gives, and ranger."""
    one, two, ranger, plain = Peer(PYRRF, True, 1), Peer(PYRRF, True, 2), Peer(RANGER, True, 1), Peer(PYRRF, False, 1)
    columns = [
        ("pyrrf, s", seconds(one)),
        ("2 threads, s", seconds(two)),
        ("ordinary, s", seconds(plain)),
        ("ranger, s", seconds(ranger)),
        ("CRAN RRF, s", _cran_seconds),
        ("ranger / pyrrf", quotient(ranger, one)),
        ("CRAN RRF / pyrrf", lambda result: show(result.over(*cran_pair(result.case)), ".1f")),
        ("2 threads over 1", quotient(one, two, ".2f")),
        ("identical to CRAN RRF", _identical),
    ]
    return table(results, columns)


def _cran_seconds(result: Result) -> str:
    trees = result.case.pair_trees
    text = show(result.median(cran_pair(result.case)[0]))
    return f"{text} ({trees} trees)" if trees and text != ABSENT else text


def _identical(result: Result) -> str:
    return {True: "yes", False: "NO", None: ABSENT}[result.equal.get("CRAN RRF")]


def regularized(results: Results) -> str:
    """Engine "parallel" beside ranger, engine "r" and LightGBM."""
    one, two = Peer(PARALLEL, True, 1), Peer(PARALLEL, True, 2)
    ranger, entropy, lightgbm = Peer(RANGER, True, 1), Peer(ENTROPY, True, 1), Peer(LIGHTGBM, True, 1)
    same = Peer(MTRY, True, 1)
    columns = [
        ("parallel 1, s", seconds(one)),
        ("parallel 2, s", seconds(two)),
        ("the same rule as ranger, s", seconds(same)),
        ("engine r 1, s", seconds(Peer(PYRRF, True, 1))),
        ("ranger, s", seconds(ranger)),
        ("LightGBM rf, price, s", seconds(lightgbm)),
        ("ranger / parallel 1", quotient(ranger, one)),
        ("the same rule: ranger / parallel 1", quotient(ranger, same)),
        ("parallel 1 / engine r 1", quotient(one, Peer(PYRRF, True, 1), ".2f")),
        ("LightGBM / parallel 1", quotient(lightgbm, one)),
        ("2 threads over 1", quotient(one, two, ".2f")),
        ("regrown at 2", _regrown(two)),
        ("entropy / gini", quotient(entropy, one, ".2f")),
    ]
    return table(results, columns)


def _regrown(peer: Peer) -> Cell:
    def cell(result: Result) -> str:
        share = result.median(peer, lambda call: call.regrown)
        return ABSENT if share is None else f"{share:.0%}"

    return cell


def ordinary(results: Results) -> str:
    """Ordinary forests on one thread, and engine "parallel" on two."""
    own, families = Peer(PARALLEL, False, 1), (RANGER, SKLEARN, INTELEX, LIGHTGBM)
    columns = [("parallel 1, s", seconds(own)), ("parallel 2, s", seconds(Peer(PARALLEL, False, 2)))]
    columns += [(f"{family}, s", seconds(Peer(family, False, 1))) for family in families]
    columns += [(f"{family} / parallel 1", quotient(Peer(family, False, 1), own)) for family in families]
    columns.append(("2 threads over 1", speed_up(PARALLEL, False, 2)))
    return table(results, columns)


def qualities(results: Results, kind: bool) -> str:
    """Error, leaves and features of every peer on one thread."""
    columns = [(family, quality(Peer(family, kind, 1))) for family in FAMILIES if family != CRAN]
    if kind:
        columns.append((CRAN, lambda result: quality(cran_pair(result.case)[0])(result)))
    return table(results, columns)


def threads(results: Results, kind: bool) -> str:
    """Seconds on one thread, and how many times faster every other number of threads is."""
    compared = {key: result for key, result in results.items() if result.case.threads}
    columns: list[Column] = []
    for family in (PYRRF, PARALLEL) if kind else (PYRRF, PARALLEL, RANGER, SKLEARN):
        columns.append((f"{family} 1, s", seconds(Peer(family, kind, 1))))
        columns += [(f"{family} {n} over 1", speed_up(family, kind, n)) for n in threads_of(compared) if n > 1]
    return table(compared, columns)


def memory(results: Results, kind: bool) -> str:
    """Largest resident memory in MiB: of the whole process, and what the call added."""
    told = {key: result for key, result in results.items() if result.case.memory}
    peers = [Peer(PARALLEL, kind, 1), Peer(PARALLEL, kind, 2), Peer(PYRRF, kind, 1), Peer(PYRRF, kind, 2)]
    peers += [Peer(RANGER, kind, 1), Peer(SKLEARN, kind, 1), Peer(LIGHTGBM, kind, 1)]
    columns: list[Column] = []
    for what, size in (("whole", lambda call: call.peak), ("added", lambda call: call.growth)):
        columns += [(f"{what}: {peer.family} {peer.threads}", mebibytes(peer, size)) for peer in peers]
    return table(told, columns)


def memory_map(results: Results) -> str:
    """Memory of calls on a memory map: the file's pages count as resident, but belong to no process."""
    mapped = {key: result for key, result in results.items() if result.case.shape.mapped}
    columns: list[Column] = []
    peers = [Peer(PARALLEL, True, 1), Peer(PARALLEL, True, 2), Peer(LIGHTGBM, True, 1)]
    peers += [Peer(PARALLEL, False, 1), Peer(SKLEARN, False, 1)]
    for peer in peers:
        name = f"{peer.family} {peer.threads}{'' if peer.regularized else ', ordinary'}"
        columns += [
            (f"{name}: s", seconds(peer)),
            (f"{name}: added, whole", mebibytes(peer, lambda call: call.growth)),
            (f"{name}: added, no file's", mebibytes(peer, lambda call: call.anonymous)),
        ]
    return table(mapped, columns)
