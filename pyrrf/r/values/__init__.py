"""Values: a vector of R with its attributes, its conversions, and how functions are looked up by class."""
