"""The examples of pages that take seconds each; `tests/prose/test_docs.py` runs those of the others."""

from __future__ import annotations

import pytest

from tests.prose.test_docs import LONG_PAGES, check_page


@pytest.mark.parametrize("name", LONG_PAGES)
def test_examples_of_pages_run(name: str) -> None:
    check_page(name)
