"""Words that every part shares; no torch is needed to read them."""

from typing import Literal

# How a base is held. `float8` stands for `uintN` too: both keep the unpacked weight, and measured the same (within 0.1 GiB
# on FLUX.2 Klein).
Backend = Literal["none", "qfloat8", "float8", "offload"]
BACKENDS: tuple[Backend, ...] = ("none", "qfloat8", "float8", "offload")
REFERENCE_RANK = 32  # ranks are measured above and below this one
