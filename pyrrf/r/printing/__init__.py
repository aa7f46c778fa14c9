"""print(), cat(), summary() and str()."""
