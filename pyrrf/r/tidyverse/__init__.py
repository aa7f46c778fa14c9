"""dplyr, tidyr, purrr and stringr."""
