"""Operators and mathematical functions."""
