"""Parts of values: ``x[i]``, ``x[[i]]``, ``x$name``, taken and replaced."""
