"""R's basics: vectors, sums, rounding, sorting, reading and writing of numbers. The rooms above are built on them."""
