"""What is decided before a line is written: what acts, what is used when, what must stay R."""
