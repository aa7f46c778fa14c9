"""R's files: .rds read and written."""
