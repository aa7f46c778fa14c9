"""The report of a selection: one page of HTML that needs nothing else."""
