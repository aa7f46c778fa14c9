"""Plots: their numbers, and their drawing by matplotlib."""
