"""R's language as text and as trees; nothing is evaluated."""
