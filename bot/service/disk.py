"""Whether the disk of the case file has room left.

SQLite tells only when a write fails, and a small one may still get through where a case no longer does.
"""

import shutil
from pathlib import Path

# A few cases with long logs, and the write-ahead log that takes them in first.
LEAST_BYTES = 16 * 2**20


def is_short(database: Path) -> bool:
    """Whether less than LEAST_BYTES are free for the bot. A folder that cannot be asked is another fault than this."""
    try:
        return shutil.disk_usage(database.absolute().parent).free < LEAST_BYTES
    except OSError:
        return False
