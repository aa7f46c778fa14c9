"""What R computes for a script in Python: one session of R, and the values that go there and come back."""
