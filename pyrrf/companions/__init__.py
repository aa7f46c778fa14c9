"""R's functions around RRF()."""
