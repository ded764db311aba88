"""Writes the licences of all libraries in the program, and its bill of materials in CycloneDX 1.5.

Usage: dependencies.py FOLDER. It writes LICENSES.txt and sbom.cdx.json into the folder.
"""

import json
import pathlib
import subprocess
import sys
import tomllib

# Names under which libraries keep the texts of their licences.
TEXTS = ("license", "licence", "copying", "unlicense", "notice")


def metadata() -> dict:
    """Return the metadata of Cargo for all packages, restricted to this machine."""
    host = subprocess.run(["rustc", "--print", "host-tuple"], capture_output=True, text=True, check=True).stdout.strip()
    words = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", host]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def linked(known: dict) -> list[dict]:
    """Return the packages that the program is built from, without those that only tests need."""
    nodes = {node["id"]: node for node in known["resolve"]["nodes"]}
    found, pending = set(), [known["resolve"]["root"]]
    while pending:
        package = pending.pop()
        if package not in found:
            found.add(package)
            pending.extend(
                dependency["pkg"]
                for dependency in nodes[package]["deps"]
                if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
            )
    packages = [package for package in known["packages"] if package["id"] in found]
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def texts(package: dict) -> str:
    """Return the texts of the licences of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name.lower().startswith(TEXTS)]
    return "\n".join(file.read_text(errors="replace").strip() for file in files)


def licences(packages: list[dict]) -> str:
    """Return the licences of the packages, each text once, after the packages that it belongs to."""
    owners: dict[str, list[str]] = {}
    for package in packages:
        name = f"{package['name']} {package['version']} ({package['license'] or 'see the text'})"
        owners.setdefault(texts(package), []).append(name)
    parts = ["\n".join(names) + "\n\n" + (text or "The package has no text of its licence.") for text, names in owners.items()]
    return ("\n\n" + "=" * 80 + "\n\n").join(parts) + "\n"


def bill(packages: list[dict], program: dict) -> dict:
    """Return the bill of materials."""
    locked = tomllib.loads(pathlib.Path("Cargo.lock").read_text())["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}

    def component(package: dict) -> dict:
        name, version = package["name"], package["version"]
        checksum = checksums.get((name, version))
        return {
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:cargo/{name}@{version}",
            "licenses": [{"expression": package["license"].replace("/", " OR ")}] if package["license"] else [],
            "hashes": [{"alg": "SHA-256", "content": checksum}] if checksum else [],
        }

    itself = {"type": "application", "name": program["name"], "version": program["version"]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": itself},
        "components": [component(package) for package in packages],
    }


def main() -> None:
    """Write both files."""
    folder = pathlib.Path(sys.argv[1])
    known = metadata()
    packages = linked(known)
    program = next(package for package in packages if package["id"] == known["resolve"]["root"])
    others = [package for package in packages if package["source"] is not None]
    (folder / "LICENSES.txt").write_text(licences(others))
    (folder / "sbom.cdx.json").write_text(json.dumps(bill(others, program), indent=1) + "\n")


if __name__ == "__main__":
    main()
