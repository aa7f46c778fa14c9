"""Sphinx configuration: `make docs` writes build/docs."""

import importlib.metadata
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import links
import map_page
import pictures
import python_gallery
import r_functions
import r_scripts

pictures.draw()
r_scripts.draw()
r_functions.write()
map_page.write()

project = "pyrrf"
author = "The pyrrf authors"
release = importlib.metadata.version("pyrrf")
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
sphinx_gallery_conf = python_gallery.CONF
autosummary_generate = True
# Types stand in the lists of parameters; in signatures those of arrays take lines.
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
templates_path = ["_templates"]
# What a docstring sets in single backticks is code; links.py lets public names point to their pages.
default_role = "literal"
# Of the types of parameters only classes of pyrrf are links.
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = links.CLASSES
numpydoc_show_class_members = False
html_title = f"pyrrf {release}"
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "show_prev_next": False,
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
}
# Pages without others in their section.
html_sidebars: dict[str, list[str]] = {"start": [], "choose": [], "changelog": []}
# On the site each version has a menu of the others; tools/pages.py writes its list. PAGES_URL is the site's address,
# PAGES_VERSION the folder that these pages go to.
if "PAGES_URL" in os.environ:
    html_theme_options["switcher"] = {
        "json_url": os.environ["PAGES_URL"].rstrip("/") + "/switcher.json",
        "version_match": os.environ["PAGES_VERSION"],
    }
    html_theme_options["navbar_end"] = ["version-switcher", "theme-switcher", "navbar-icon-links"]
    # The list is read when a page is shown; at the first publication there is none yet.
    html_theme_options["check_switcher"] = False
html_static_path = ["style"]
html_css_files = ["pyrrf.css"]
html_show_sourcelink = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
# Docstrings that come from scikit-learn point into its own pages.
suppress_warnings = ["myst.header", "myst.xref_missing", "ref.ref"]
# Files of the repository that pages include point to others by their places; the pages that include those.
PAGES = {
    "(parity/ENGINES.md)": "(measured/engines.md)",
    "(benchmarks/RESULTS.md)": "(measured/speed.md)",
    "(docs/": "(",
}


def point_at_pages(app: object, folder: object, document: str, content: list[str]) -> None:
    """Let links in an included file point to pages."""
    for place, page in PAGES.items():
        content[0] = content[0].replace(place, page)


def setup(app: object) -> None:
    """Connect what these pages need."""
    app.connect("include-read", point_at_pages)  # type: ignore[attr-defined]
    links.connect(app)
