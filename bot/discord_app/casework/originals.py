"""What was pasted as it came, kept in memory alone: options and modals cannot be fetched again for "Fixed file"."""

from collections import OrderedDict

from bot.discord_app.casework.history import Given

_BYTES = 32 * 2**20


class Originals:
    """The texts of the cases dealt with last, within a limit for all of them."""

    def __init__(self, most: int = _BYTES) -> None:
        self.most = most
        self._kept: OrderedDict[str, tuple[Given, ...]] = OrderedDict()
        # Counted along: adding up thousands of cases for each paste would hold the event loop.
        self._bytes = 0

    def keep(self, case_id: str, given: tuple[Given, ...]) -> None:
        """Remember what belongs to a case; the oldest are forgotten beyond the limit."""
        self.drop(case_id)
        self._kept[case_id] = given
        self._bytes += _size(given)
        while self._bytes > self.most:
            self.drop(next(iter(self._kept)))

    def of(self, case_id: str) -> tuple[Given, ...]:
        """What is remembered of a case."""
        return self._kept.get(case_id, ())

    def drop(self, case_id: str) -> None:
        """Forget a case."""
        self._bytes -= _size(self._kept.pop(case_id, ()))


def _size(given: tuple[Given, ...]) -> int:
    return sum(len(item.pasted.data) for item in given)
