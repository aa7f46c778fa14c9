"""Sphinx configuration: `make docs` writes build/docs."""

import importlib.metadata

project = "pyrrf"
author = "The pyrrf authors"
release = importlib.metadata.version("pyrrf")
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]
autosummary_generate = True
numpydoc_show_class_members = False
html_theme = "alabaster"
