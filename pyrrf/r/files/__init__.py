"""Files read and written, and what R left of statements that were not translated."""
