"""How the bot is doing, as health checks, metrics and the watchdog see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

# Discord's gateway asks for a heartbeat about every 41 s; discord.py gives a connection up that is silent for 60 s.
HEARTBEAT_S = 90.0


@dataclass(frozen=True, slots=True)
class State:
    """`heartbeats`: shard -> seconds since its heartbeat was last acknowledged, None where it is not connected.

    `queue`: diagnoses that wait; `in_hand`: events being dealt with. `knowledge_fault`: why the last reload was
    refused. `database_fault`: the case file's last fault, as the writer met it.
    """

    heartbeats: Mapping[int, float | None]
    shards: int
    servers: int
    queue: int
    queue_limit: int
    in_hand: int
    engines: int
    draining: bool
    database_fault: str | None
    knowledge_rules: int
    knowledge_loaded_at: float
    knowledge_fault: str | None

    @property
    def connected(self) -> bool:
        """Whether every shard of this process is connected with a fresh heartbeat."""
        fresh = [age is not None and age < HEARTBEAT_S for age in self.heartbeats.values()]
        return len(fresh) >= self.shards > 0 and all(fresh)


class Watched(Protocol):
    """What is looked at: the bot."""

    def state(self) -> State:
        """How it is doing now."""

    async def database_answers(self) -> bool:
        """Try whether the case file can be written just now."""
