"""Reading and writing files, and the records of statements that R ran."""
