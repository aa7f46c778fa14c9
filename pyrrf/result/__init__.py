"""Fits: their components, predictions and summaries."""
