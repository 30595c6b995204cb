"""From a Discord message or the options of a command to texts: content, attachments, forwarded messages, links.

Attachments are read up to a limit and never more: of a longer one its head (where a log shows the config) and its tail
(where it shows the error), by ranges, so that the middle never crosses the wire.
"""

import asyncio
import codecs
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

import aiohttp
import discord

from bot.discord_app.casework.history import Given
from bot.discord_app.pasting.detect import Detector
from bot.discord_app.pasting.links import LinkReader, bounded
from bot.intake.read import Pasted

log = logging.getLogger(__name__)
FILES_AT_MOST = 3
HEAD_BYTES = 64 * 1024
TIMEOUT_S = 20.0
MESSAGE_NAME = "message.txt"
BUDGET_BYTES = 128 * 2**20
# A line's end in the files that begin with such a mark.
_SEAMS = {codecs.BOM_UTF16_LE: b"\n\0", codecs.BOM_UTF16_BE: b"\0\n"}
ATTEMPTS, PAUSE_S = 3, 0.5
# What a message without files is counted as.
TEXT_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes read of one attachment at most."""

    attachment_bytes: int


class Budget:
    """Bytes that may be held at once by all that is being read and diagnosed; who comes then waits."""

    def __init__(self, most: int) -> None:
        self.most = self._left = most
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def hold(self, size: int) -> AsyncIterator[None]:
        """Hold so many bytes, or all there are, until the block ends."""
        wanted = min(size, self.most)
        async with self._freed:
            await self._freed.wait_for(lambda: self._left >= wanted)
            self._left -= wanted
        try:
            yield
        finally:
            async with self._freed:
                self._left += wanted
                self._freed.notify_all()


class Gatherer:
    """Reads what belongs to a message. `open` it before use; hold `budget` for `weight` bytes while using the texts."""

    def __init__(self, limits: Limits, detector: Detector, links: LinkReader) -> None:
        self.limits, self.detector, self.links = limits, detector, links
        self.budget = Budget(BUDGET_BYTES)
        self._session: aiohttp.ClientSession | None = None

    def weight(self, files: Iterable[discord.Attachment]) -> int:
        """Bytes that reading these files may take."""
        sizes = [min(file.size, self.limits.attachment_bytes) for file in files if self.readable(file.filename)]
        return TEXT_BYTES + sum(sizes[:FILES_AT_MOST])

    async def open(self) -> None:
        """Open the sessions."""
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S))
        await self.links.__aenter__()

    async def close(self) -> None:
        """Close the sessions."""
        if self._session is not None:
            await self._session.close()
        await self.links.__aexit__(None, None, None)

    async def message(self, message: discord.Message) -> tuple[Given, ...]:
        """Everything a message brings, in the order in which it is read."""
        texts, files = [message.content], list(message.attachments)
        for snapshot in message.message_snapshots:
            texts.append(snapshot.content)
            files += snapshot.attachments
        return await self.texts_and_files(texts, files, message.id)

    async def texts_and_files(
        self, texts: Sequence[str], files: Iterable[discord.Attachment], message: int | None = None
    ) -> tuple[Given, ...]:
        """Texts as they are, then the files among them that may be read, then what links lead to."""
        readable = [file for file in files if self.readable(file.filename)][:FILES_AT_MOST]
        links = [address for text in texts for address in self.detector.links(text)]
        pasted = [Pasted(MESSAGE_NAME, text) for text in texts if text.strip()]
        pasted += [found for found in await asyncio.gather(*map(self._file, readable)) if found is not None]
        pasted += await self.links.read(tuple(dict.fromkeys(links)))
        return tuple(Given(item, message) for item in pasted)

    def readable(self, name: str) -> bool:
        """Whether a file may hold a config or a log, by its name."""
        return name.lower().endswith(self.detector.files)

    async def _file(self, file: discord.Attachment) -> Pasted | None:
        for attempt in range(ATTEMPTS):
            try:
                return Pasted(file.filename[:100], await self._read(file.url, file.size))
            except (aiohttp.ClientError, TimeoutError) as error:
                log.warning("attachment not read: %s", type(error).__name__)
                if isinstance(error, aiohttp.ClientResponseError) and error.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                    return None
                await asyncio.sleep(PAUSE_S * attempt)
        return None

    async def _read(self, url: str, size: int) -> bytes:
        most = self.limits.attachment_bytes
        if size <= most:
            return await self._part(url, None, most)
        head = await self._part(url, f"bytes=0-{HEAD_BYTES - 1}", HEAD_BYTES)
        # Windows' files may hold two bytes a character; none of them may be torn apart.
        seam = next((end for mark, end in _SEAMS.items() if head.startswith(mark)), b"\n")
        rest = most - HEAD_BYTES
        rest -= (size - rest) % len(seam)
        tail = await self._part(url, f"bytes=-{rest}", rest)
        return head + seam + tail

    async def _part(self, url: str, part: str | None, most: int) -> bytes:
        if self._session is None:
            raise RuntimeError("the gatherer is not open")
        headers = {"Range": part} if part else {}
        async with self._session.get(url, headers=headers) as response:
            response.raise_for_status()
            return await bounded(response, most)
