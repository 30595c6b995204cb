"""What `python -m knowledge.memory.measure` does where torch is: measures architectures, or checks shapes or a GPU."""

import argparse
import time
from importlib.metadata import version
from pathlib import Path

import torch
from diffusers.utils import logging as diffusers_logging

from knowledge.memory import diffusers_models, toolkit_models, video_models
from knowledge.memory.coefficients import PREVIEWED, write_file
from knowledge.memory.raw import Raw
from knowledge.memory.shapes import Architecture
from knowledge.memory.terms import BACKENDS, Backend

ARCHITECTURES: dict[str, Architecture] = {
    arch.name: arch
    for arch in (*diffusers_models.ARCHITECTURES, *video_models.ARCHITECTURES, *toolkit_models.ARCHITECTURES)
}
FROM_THE_TOOLKIT = frozenset(arch.name for arch in toolkit_models.ARCHITECTURES)


class Unmet(Exception):  # noqa: N818 no fault of the program: something that the call needs is not there
    """What is not there, and what to do, in one sentence."""


def chosen(names: list[str], *, toolkit: Path | None) -> list[Architecture]:
    """The architectures of these names, all where there is none. Raises Unmet."""
    unknown = [name for name in names if name not in ARCHITECTURES]
    if unknown:
        raise Unmet(f"There is no architecture {unknown[0]}; there are {', '.join(ARCHITECTURES)}.")
    wanted = names or list(ARCHITECTURES)
    theirs = [name for name in wanted if name in FROM_THE_TOOLKIT]
    if theirs and toolkit is None:
        raise Unmet(
            f"The code of {', '.join(theirs)} comes from ai-toolkit: give a checkout of it with --toolkit FOLDER."
        )
    return [ARCHITECTURES[name] for name in wanted]


def backends_of(arch: Architecture) -> list[Backend]:
    """Quantized and offloaded bases only where the toolkit has them."""
    if not arch.quantizable:
        return ["none"]
    return [one for one in BACKENDS if one != "offload" or arch.offloadable]


def versions(toolkit: str | None) -> dict[str, str]:
    """What the coefficients were measured with."""
    found = {name: version(name) for name in ("torch", "diffusers", "transformers")}
    return found | ({"ai-toolkit": toolkit} if toolkit else {})


def measure(arch: Architecture, raw: Raw, folder: Path, stamp: dict[str, str]) -> None:
    """Measures one architecture and writes its file."""
    start = time.monotonic()
    for backend in backends_of(arch):
        for checkpointing in (False, True):
            raw.fill(arch, backend, checkpointing=checkpointing)
        if backend in PREVIEWED:
            raw.fill_previews(arch, backend)
    write_file(folder / f"{arch.name}.yaml", arch, raw, backends_of(arch), stamp)
    print(f"{arch.name}: {time.monotonic() - start:.0f} s", flush=True)


def run(given: argparse.Namespace) -> int:
    """Does what the call says. Raises Unmet."""
    torch.set_num_threads(1)  # meta tensors have no arithmetic to share out
    diffusers_logging.set_verbosity_error()
    toolkit_models.Toolkit.root = given.toolkit
    if given.check == "cuda":
        from knowledge.memory.check_cuda import check_cuda

        return check_cuda(given.out)
    archs = chosen(given.names, toolkit=given.toolkit)
    if given.check == "shapes":
        from knowledge.memory.check_shapes import check_shapes

        return check_shapes(archs)
    for arch in archs:
        measure(arch, Raw(given.raw, arch.name), given.out, versions(given.toolkit_commit))
    return 0
