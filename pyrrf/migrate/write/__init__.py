"""The Python: expressions, statements, and the file."""
