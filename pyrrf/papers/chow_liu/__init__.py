"""Forward search, and the search that a Chow-Liu tree guides (paper 002)."""
