"""A stand-in for Discord on loopback: gateway and HTTP interface, as strict as the real one about limits.

What is imitated and where its rules come from is said in each module. A real, unmodified bot process is pointed at it
by `launcher.py`; tests act as people through `acting.People` and wait for what the bot does with `StandIn.until`.
"""

from standin.acting import People
from standin.server import StandIn

__all__ = ["People", "StandIn"]
