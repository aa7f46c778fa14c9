"""Renew the rows of the reading path in src_c/README.md: the lines of a file, and its first sentence about itself."""

from __future__ import annotations

import re

import map as the_map

CORE = the_map.ROOT / "src_c"
README = CORE / "README.md"
# A header, or a file with its header; the lines of both are counted.
ROW = re.compile(r"^\| `([\w/]+)\.([ch])`(, `\.c`)? \| \d+ \| .* \|$", re.M)
TOTAL = re.compile(r"These [\d,]+ lines")


def lines_of(row: re.Match[str]) -> int:
    """Return the lines of the files of a row."""
    endings = {row[2], "c"} if row[3] else {row[2]}
    return sum(len((CORE / f"{row[1]}.{ending}").read_text(encoding="utf-8").splitlines()) for ending in endings)


def renewed(row: re.Match[str]) -> str:
    """Return a row as the files are now."""
    said = the_map.first_sentence(CORE / f"{row[1]}.{row[2]}")
    return f"| `{row[1]}.{row[2]}`{row[3] or ''} | {lines_of(row)} | {said} |"


def renew(readme: str) -> str:
    """Return the README with renewed rows, and with their sum."""
    total = sum(lines_of(row) for row in ROW.finditer(readme))
    return TOTAL.sub(f"These {total:,} lines", ROW.sub(renewed, readme))


if __name__ == "__main__":
    README.write_text(renew(README.read_text(encoding="utf-8")), encoding="utf-8")
