"""Parts that count what they decide, for the metrics."""

from collections.abc import Hashable

from bot.discord_app.pasting.detect import Decision, Detector, Look
from bot.discord_app.pasting.pace import Cooldown
from bot.knowledge.pastes import Pastes
from bot.service.tally import Tally


class CountedDetector(Detector):
    """Counts the messages worth a look by what they were taken for."""

    def __init__(self, pastes: Pastes, tally: Tally) -> None:
        super().__init__(pastes)
        self._tally = tally

    def process(self, look: Look) -> Decision:
        """The decision."""
        decision = super().process(look)
        if decision is not Decision.SILENT:
            self._tally.count("looks", decision.value)
        return decision


class CountedCooldown(Cooldown):
    """Counts the answers refused under `limit`."""

    def __init__(self, count: int, seconds: float, tally: Tally, limit: str) -> None:
        super().__init__(count, seconds)
        self._tally, self._limit = tally, limit

    def wait(self, key: Hashable) -> float:
        """Seconds until this key is answered again."""
        seconds = super().wait(key)
        if seconds:
            self._tally.count("refusals", self._limit)
        return seconds
