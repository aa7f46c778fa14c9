"""R's text as a tree of nodes."""
