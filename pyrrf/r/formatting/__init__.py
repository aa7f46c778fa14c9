"""Values and calls as text: format(), deparse()."""
