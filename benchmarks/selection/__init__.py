"""Size against error of selectors, ours beside others: `python -m benchmarks.selection --data FOLDER`.

A case (`cases.py`) is a data set or a simulated truth, split in training and test rows many times. A method
(`methods.py`) has a knob with several settings, or one; on the training rows of a split it tells for each setting what
it keeps. One and the same ordinary forest of scikit-learn judges every subset on the test rows (`judge.py`); beside it
stands the error of the method's own model, where it has one.

- A cell is a case and a method; a job is one split of a cell, with all settings, which may share work such as a guide.
- `Method(select, "knob", settings, "details", package)` adds one: `select(part, settings, seed)` yields (setting,
  `Kept`) in the order of the settings. It imports its package itself; without it its cells are shown as absent.
- A method that raises, or that takes more than the limit of processor time, has failed for the settings that it has
  not yielded by then; that is an answer like others, with the reason.
- What was answered is kept, a file for each job, and asked again only if settings or the limit have changed.
"""
