"""Gains weighted by node complexity (Rogers and Gunn; paper 004)."""
