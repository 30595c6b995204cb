"""A bot as health checks and metrics see it, in any state a test wants."""

from dataclasses import replace

from bot.service.state import State

WELL = State(
    heartbeats={0: 12.0, 1: 3.5}, shards=2, servers=40, queue=0, queue_limit=2000, in_hand=1, engines=2, draining=False,
    database_fault=None, knowledge_rules=97, knowledge_loaded_at=1_000.0, knowledge_fault=None,
)  # fmt: skip


class Watched:
    def __init__(self, **changes):
        self.now, self.answers = replace(WELL, **changes), True

    def state(self):
        return self.now

    async def database_answers(self):
        return self.answers
