"""Names of the script, of Python, and of pyrrf.r."""
