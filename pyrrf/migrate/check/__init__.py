"""`pyrrf migrate --check`: R and Python run a script in step, and what differs stays as R left it."""
