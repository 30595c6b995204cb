"""Which shard a server belongs to, and ranges of shards as an operator writes them."""

import re
from dataclasses import dataclass
from typing import Final, Self

_WRITTEN: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards that one process or one host serves, of how many."""

    ids: tuple[int, ...]
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """`0-3/8` or `5/8`. Raises ValueError with what is wrong."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise ValueError(f"shards are written FROM-TO/COUNT, for example 0-3/8, not {text}")
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if not first <= last < count:
            raise ValueError(f"{text}: the shards of {count} are 0 to {count - 1}")
        return cls(tuple(range(first, last + 1)), count)

    def serve(self, guild: int) -> bool:
        """Whether a server is theirs. What is asked outside servers comes to shard 0."""
        return (guild >> 22) % self.count in self.ids
