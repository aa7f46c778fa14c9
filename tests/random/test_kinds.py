"""Kinds of samples: which calls and threads they hold for. What they draw is compared with R's recorded answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

import pyrrf
from pyrrf.random import (
    RNGkind,
    call_stream,
    get_random_seed,
    private_stream,
    process_stream,
    set_random_seed,
)


@pytest.fixture(autouse=True)
def rounding() -> Iterator[None]:
    """Rounding, as R before 3.6; afterwards the default again."""
    with pytest.warns(UserWarning, match="non-uniform 'Rounding' sampler used"):
        pyrrf.set_seed(1, sample_kind="Rounding")
    yield
    RNGkind(sample_kind="default")


def test_a_seed_leaves_the_kind() -> None:
    pyrrf.set_seed(1)
    assert pyrrf.sample(10).tolist() == [3, 4, 5, 7, 2, 8, 9, 6, 10, 1]
    with private_stream(1):
        assert pyrrf.sample(10).tolist() == [3, 4, 5, 7, 2, 8, 9, 6, 10, 1]


def test_a_call_with_a_seed_hands_its_kind_over() -> None:
    with call_stream(1):
        RNGkind(sample_kind="Rejection")
    assert RNGkind()[2] == "Rejection"


def test_a_call_inside_a_call_hands_its_kind_over() -> None:
    with call_stream(1) as outer, call_stream(2):
        RNGkind(sample_kind="Rejection")
    assert not outer.rounding


def test_a_private_stream_keeps_its_kind_to_itself() -> None:
    with private_stream(1):
        RNGkind(sample_kind="Rejection")
    assert RNGkind()[2] == "Rounding"


def test_an_error_takes_the_kind_back() -> None:
    def fails() -> None:
        with call_stream():
            RNGkind(sample_kind="Rejection")
            pyrrf.runif(-1)

    with pytest.raises(ValueError, match="n must be 0 or more"):
        fails()
    assert RNGkind()[2] == "Rounding"


def test_other_threads_see_the_kind_of_the_process() -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(RNGkind()[2]))
    thread.start()
    thread.join()
    assert found == ["Rounding"]


def test_both_states_have_the_kind() -> None:
    stream = process_stream()
    expected = stream.sample(20, 20).tolist()
    stream.load()
    assert stream.sample(20, 20).tolist() == expected


def test_a_state_brings_its_kind() -> None:
    state = get_random_seed()
    assert state[0] == 403
    RNGkind(sample_kind="Rejection")
    pyrrf.runif(5)
    set_random_seed(state.tolist())
    assert RNGkind()[2] == "Rounding"
    np.testing.assert_array_equal(get_random_seed(), state)


def test_forests_draw_the_same() -> None:
    x = np.arange(40.0).reshape(20, 2) % 7
    y = np.array(["a", "b"] * 10)
    old = pyrrf.RRF(x, y, ntree=3, seed=5).importance.to_numpy()
    RNGkind(sample_kind="Rejection")
    np.testing.assert_array_equal(pyrrf.RRF(x, y, ntree=3, seed=5).importance.to_numpy(), old)
