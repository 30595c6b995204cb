"""What is shipped: every installed package that oom-medic needs, with version and licence, from their own metadata.

A bill of materials in CycloneDX 1.6's JSON, the same each time for the same installation, or a list of licences.
"""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Final

ROOT: Final = "oom-medic"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Licences that older packages name in a classifier or in words, as SPDX writes them.
_SPDX: Final = {
    "MIT License": "MIT",
    "MIT": "MIT",
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache-2.0": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "BSD-3-Clause": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


@dataclass(frozen=True, slots=True)
class Part:
    """An installed package. `licence` is SPDX's name or expression where `spdx`, else the package's own words."""

    name: str
    version: str
    licence: str
    spdx: bool
    needs: tuple[str, ...]

    @property
    def address(self) -> str:
        """Its package URL."""
        return f"pkg:pypi/{self.name}@{self.version}"


class NotInstalledError(Exception):
    """oom-medic runs from its source folder; what is shipped is only known of an installation."""


def parts(root: str = ROOT) -> dict[str, Part]:
    """The package and everything that it needs, by normalised name. Raises NotInstalledError."""
    found: dict[str, Part] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if name == root:
                raise NotInstalledError from None
            # Needed on other systems or for an extra that is not installed.
            continue
        needs = tuple(sorted(set(_needs(distribution, extras=name == root))))
        found[name] = _part(name, distribution, needs)
        waiting += needs
    kept = dict(sorted(found.items()))
    return {
        name: Part(part.name, part.version, part.licence, part.spdx, tuple(need for need in part.needs if need in kept))
        for name, part in kept.items()
    }


def cyclonedx(found: dict[str, Part], root: str = ROOT) -> dict[str, Any]:
    """The bill of materials."""
    made: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", **_component(found[root])}},
        "components": [{"type": "library", **_component(part)} for name, part in found.items() if name != root],
        "dependencies": [
            {"ref": part.address, "dependsOn": [found[need].address for need in part.needs]} for part in found.values()
        ],
    }
    made["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(p.address for p in found.values()))}"
    return made


def normalised(name: str) -> str:
    """A package's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _needs(distribution: metadata.Distribution, *, extras: bool) -> Iterator[str]:
    for requirement in distribution.requires or ():
        name = _NAME.match(requirement)
        if name is not None and (extras or "extra ==" not in requirement):
            yield normalised(name[0])


def _part(name: str, distribution: metadata.Distribution, needs: tuple[str, ...]) -> Part:
    told = distribution.metadata
    expression = _first(told, "License-Expression")
    if expression:
        return Part(name, distribution.version, expression, spdx=True, needs=needs)
    classifiers = [
        line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if line.startswith("License ::")
    ]
    words = [*classifiers, _first(told, "License").split("\n")[0]]
    known = next((_SPDX[word] for word in words if word in _SPDX), None)
    licence = known or next((word for word in words if word), "unknown")
    return Part(name, distribution.version, licence, spdx=known is not None, needs=needs)


def _first(told: metadata.PackageMetadata, name: str) -> str:
    return str(next(iter(told.get_all(name) or ()), "")).strip()


def _component(part: Part) -> dict[str, Any]:
    licence = {"expression": part.licence} if part.spdx else {"license": {"name": part.licence}}
    return {
        "bom-ref": part.address,
        "name": part.name,
        "version": part.version,
        "purl": part.address,
        "licenses": [licence],
    }
