"""Print the requirements of one extra of pyproject.toml, one a line, for pip install -r."""

import sys
import tomllib

with open("pyproject.toml", "rb") as stream:
    project = tomllib.load(stream)["project"]
for requirement in project["optional-dependencies"][sys.argv[1]]:
    sys.stdout.write(f"{requirement}\n")
