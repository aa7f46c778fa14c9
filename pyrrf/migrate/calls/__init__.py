"""What each function of R becomes; one file for each kind of function."""
