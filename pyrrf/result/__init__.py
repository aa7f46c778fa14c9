"""What a fit holds, and what it answers."""
