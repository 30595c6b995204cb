"""Short stable ids such as `K7Q2`: random, never reused, easy to read out and to type."""

import secrets
from typing import Final

from sqlite_utils import Database

# No vowels, so that no id is a word; of each pair that is easily confused (0/O, 1/I/L, 2/Z, 5/S, 6/G, 8/B, U/V) one
# at most. 24 symbols: 331,776 ids of four.
ALPHABET: Final = "23456789CDFHJKMNPQRTVWXY"
SHORTEST: Final = 4
# Draws at one length before a longer id is taken: at half of all ids gone, one new case in 256 gets a longer one.
DRAWS: Final = 8
_MEANT = str.maketrans({"Z": "2", "S": "5", "G": "6", "B": "8"})


def new_id(db: Database) -> str:
    """An id that no case has or ever had. Grows by a symbol once an id of this length is hard to find."""
    length = SHORTEST
    while True:
        for _ in range(DRAWS):
            drawn = "".join(secrets.choice(ALPHABET) for _ in range(length))
            if not _taken(db, drawn):
                return drawn
        length += 1


def _taken(db: Database, case_id: str) -> bool:
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM cases WHERE id = ?) OR EXISTS (SELECT 1 FROM retired WHERE id = ?)",
        [case_id, case_id],
    )
    return bool(found.fetchone()[0])


def meant(typed: str) -> str | None:
    """The id that someone typed, or None where it cannot be one: case, `#` and look-alike letters are forgiven."""
    tidy = typed.strip().lstrip("#").upper().translate(_MEANT)
    if len(tidy) >= SHORTEST and all(symbol in ALPHABET for symbol in tidy):
        return tidy
    return None
