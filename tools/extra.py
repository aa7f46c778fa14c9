"""Print the requirements of pyrrf and of one of its extras, one per line, for pip install -r."""

import sys
import tomllib

with open("pyproject.toml", "rb") as stream:
    project = tomllib.load(stream)["project"]
for requirement in project["dependencies"] + project["optional-dependencies"][sys.argv[1]]:
    sys.stdout.write(f"{requirement}\n")
