"""What is shown, and how it is drawn."""
