"""Plots: the numbers that they show, and how they are drawn."""
