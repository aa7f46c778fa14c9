"""R's package base (and functions of utils that scripts use), but for files and printing."""
