"""Leverage score trees, LESS (Kyrillidis and Zouzias, 2014; paper 001)."""
