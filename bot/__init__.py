"""oom-medic: from a pasted config or crash to the one change that fixes it."""

__version__ = "0.1.0"
