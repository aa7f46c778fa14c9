"""How R computes, prints and stores."""
