"""R underneath: what a vector is, how R adds, rounds, sorts, reads and writes. The rooms above are built on it."""
