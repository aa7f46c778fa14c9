"""Computing and printing as R does."""
