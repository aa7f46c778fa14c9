"""R's packages graphics and grDevices on matplotlib."""
