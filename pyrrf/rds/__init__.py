"""Reading and writing R's .rds files."""
