"""R scripts turned into Python that calls pyrrf; the R code is read, never run."""
