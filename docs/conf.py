"""Sphinx configuration: `make docs` writes build/docs."""

from importlib.metadata import version

project = "pyrrf"
author = "The pyrrf authors"
release = version("pyrrf")
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]
autosummary_generate = True
numpydoc_show_class_members = False
html_theme = "alabaster"
