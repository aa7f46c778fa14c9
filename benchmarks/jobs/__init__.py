"""What the benchmarks of many jobs share: the jobs, the runner, the answers on disk, the data sets, intervals."""
