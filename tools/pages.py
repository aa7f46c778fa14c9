"""Put built pages among those of other versions: python tools/pages.py BUILT SITE NAME URL.

URL is the address of the site. NAME is a branch, whose pages stand in SITE/dev, or a tag such as v1.2.3, whose pages
replace those of SITE/1.2. The front page of SITE leads to the newest release. switcher.json lists the versions for the
menu of each page.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path


def folder_of(name: str) -> str:
    """Return the folder of a tag or a branch: fixes of a release replace its pages."""
    tag = re.fullmatch(r"v(\d+\.\d+)\.\d+", name)
    return tag[1] if tag else "dev"


def publish(built: Path, site: Path, name: str, url: str = "") -> None:
    """Copy the pages to their folder; write the list of versions and the front page."""
    target = site / folder_of(name)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(built, target)
    releases = [item.name for item in site.iterdir() if re.fullmatch(r"\d+\.\d+", item.name)]
    releases.sort(key=lambda release: [int(part) for part in release.split(".")], reverse=True)
    shown = ["dev"] * (site / "dev").is_dir() + releases
    entries = [{"version": version, "url": f"{url}/{version}/"} for version in shown]
    (site / "switcher.json").write_text(json.dumps(entries, indent=1) + "\n")
    newest = [*releases, "dev"][0]
    (site / "index.html").write_text(f'<meta http-equiv="refresh" content="0; url={newest}/"><title>pyrrf</title>\n')
    # The folders of Sphinx begin with an underscore, which the server would leave out.
    (site / ".nojekyll").touch()


if __name__ == "__main__":
    publish(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4].rstrip("/"))
