"""R's package base (and what scripts take from utils), but for files and printing."""
