"""Sphinx configuration: `make docs` writes build/docs."""

import importlib.metadata

project = "pyrrf"
author = "The pyrrf authors"
release = importlib.metadata.version("pyrrf")
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_parser"]
autosummary_generate = True
numpydoc_show_class_members = False
html_theme = "alabaster"
# Room for lines of 100 letters of code.
html_theme_options = {"page_width": "1200px"}
exclude_patterns = ["r-names.md"]  # a page for readers of the repository, which tests read, too
# Docstrings that come from scikit-learn point into its own pages.
suppress_warnings = ["myst.header", "myst.xref_missing", "ref.ref"]
