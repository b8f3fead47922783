"""Complete the bill of materials of `make sbom`: roclab's version, and what its wheels bundle.

``python .github/bill.py FILE``; the file is CycloneDX in JSON, of the packages that roclab brings.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def bundled() -> list[dict[str, Any]]:
    """Programs of others inside a wheel, with their licences."""
    pins = (ROOT / "constraints" / "build.txt").read_text("utf-8")
    page = ROOT / "src" / "roclab" / "monitor" / "page" / "vendor"
    nanobind = _found(r"^nanobind==([\d.]+)$", pins)
    uplot = _found(r"\(v([\d.]+)\)", (page / "uPlot.iife.min.js").read_text("utf-8"))
    sums = dict(
        line.split()[::-1] for line in (page / "SHA256SUMS").read_text("utf-8").splitlines()
    )
    return [
        _component("nanobind", nanobind, "BSD-3-Clause", f"pkg:pypi/nanobind@{nanobind}"),
        _component(
            "robin-map", None, "MIT", "pkg:github/tessil/robin-map", note=f"of nanobind {nanobind}"
        ),
        _component("uplot", uplot, "MIT", f"pkg:npm/uplot@{uplot}")
        | {"hashes": [{"alg": "SHA-256", "content": sums["uPlot.iife.min.js"]}]},
    ]


def completed(bill: dict[str, Any]) -> dict[str, Any]:
    """The bill with roclab's version and with what is bundled."""
    code = (ROOT / "src" / "roclab" / "__init__.py").read_text("utf-8")
    version = _found(r'^__version__ = "(.*)"$', code)
    about = bill["metadata"]["component"]
    about |= {"version": version, "purl": f"pkg:pypi/roclab@{version}", "components": bundled()}
    return bill


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        sys.exit(f"nothing fits {pattern}")
    return found[1]


def _component(
    name: str, version: str | None, licence: str, purl: str, note: str = ""
) -> dict[str, Any]:
    one: dict[str, Any] = {"type": "library", "bom-ref": f"bundled-{name}", "name": name}
    one |= {"purl": purl, "licenses": [{"license": {"id": licence}}]}
    if version is not None:
        one["version"] = version
    if note:
        one["description"] = note
    return one


if __name__ == "__main__":
    (file,) = map(Path, sys.argv[1:])
    bill = completed(json.loads(file.read_text("utf-8")))
    file.write_text(json.dumps(bill, indent=2) + "\n", "utf-8")
