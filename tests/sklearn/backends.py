"""A backend of joblib that stands for other processes: threads that are handed pickles and hand pickles back."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import joblib
from joblib._parallel_backends import ThreadingBackend


class Pickles(ThreadingBackend):
    """Two threads; tasks and answers are pickled on the way."""

    supports_sharedmem = False
    sent = 0

    def submit(self, func: Callable[[], Any], callback: Any = None) -> Any:
        task = pickle.dumps(func)
        Pickles.sent += 1
        return super().submit(lambda: pickle.loads(pickle.dumps(pickle.loads(task)())), callback)


joblib.register_parallel_backend("pickles", Pickles)


@contextmanager
def at_work(backend: str) -> Iterator[None]:
    """Let joblib use a backend with two workers; of "pickles", at least one must be sent."""
    before = Pickles.sent
    with joblib.parallel_config(backend=backend, n_jobs=2):
        yield
    assert backend != "pickles" or Pickles.sent > before
