"""What was pasted as it came, kept in memory alone: options and modals cannot be fetched again for "Fixed file"."""

from collections import OrderedDict

from bot.discord_app.casework.history import Given

_BYTES = 32 * 2**20


class Originals:
    """The texts of the cases dealt with last, within a limit for all of them."""

    def __init__(self, most: int = _BYTES) -> None:
        self.most = most
        self._kept: OrderedDict[str, tuple[Given, ...]] = OrderedDict()

    def keep(self, case_id: str, given: tuple[Given, ...]) -> None:
        """Remember what belongs to a case; the oldest are forgotten beyond the limit."""
        self._kept[case_id] = given
        self._kept.move_to_end(case_id)
        while sum(len(item.pasted.data) for kept in self._kept.values() for item in kept) > self.most:
            self._kept.popitem(last=False)

    def of(self, case_id: str) -> tuple[Given, ...]:
        """What is remembered of a case."""
        return self._kept.get(case_id, ())

    def drop(self, case_id: str) -> None:
        """Forget a case."""
        self._kept.pop(case_id, None)
