"""`pyrrf migrate --check`: R and Python run a script in step; statements that differ keep the values of R."""
