"""Reading what lies behind a link to a paste site, as if it had been pasted.

Only https, only the hosts of knowledge/pastes.yaml, no redirects at all (a raw address needs none), never an address
that is not on the public internet (looked at after resolving, on the very address that is connected to), at most so
many bytes, within a deadline.
"""

import asyncio
import ipaddress
import logging
import socket
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver

from bot.intake.read import Pasted

log = logging.getLogger(__name__)
DEADLINE_S = 8.0
LINKS_AT_MOST = 3
_HEADERS = {"User-Agent": "oom-medic (reads paste links in support channels)", "Accept": "text/plain, */*;q=0.1"}


class PublicOnly(AbstractResolver):
    """Resolves names, and forgets every address that is private, loopback, link-local or otherwise not public."""

    def __init__(self) -> None:
        self._inner = DefaultResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The public addresses of a host. Raises OSError where there is none."""
        found = [entry for entry in await self._inner.resolve(host, port, family) if is_public(entry["host"])]
        if not found:
            raise OSError(f"{host} has no public address")
        return found

    async def close(self) -> None:
        """Let go of the resolver behind."""
        await self._inner.close()


def is_public(address: str) -> bool:
    """Whether an address is on the public internet; IPv6 forms that hold an IPv4 address are judged by that."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    inside = getattr(ip, "ipv4_mapped", None) or getattr(ip, "sixtofour", None)
    return ip.is_global and not ip.is_multicast and (inside is None or inside.is_global)


def connector() -> aiohttp.TCPConnector:
    """Connections of the reader: public addresses alone, nothing remembered for long."""
    return aiohttp.TCPConnector(resolver=PublicOnly(), limit=8, ttl_dns_cache=10)


class LinkReader:
    """One session for all links."""

    def __init__(self, most_bytes: int, **connecting: Any) -> None:
        self.most_bytes = most_bytes
        self._connecting = connecting
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        # Made here, not before: a connector belongs to the running loop.
        connecting = self._connecting or {"connector": connector()}
        timeout = aiohttp.ClientTimeout(total=DEADLINE_S)
        self._session = aiohttp.ClientSession(
            timeout=timeout, headers=_HEADERS, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False, **connecting
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def read(self, addresses: tuple[str, ...]) -> tuple[Pasted, ...]:
        """The texts behind the first few addresses; those that cannot be read are left out."""
        found = await asyncio.gather(*(self._read(address) for address in addresses[:LINKS_AT_MOST]))
        return tuple(pasted for pasted in found if pasted is not None)

    async def _read(self, address: str) -> Pasted | None:
        if self._session is None:
            raise RuntimeError("the reader is not open")
        try:
            # A literal address would not pass the resolver, and no site of the list is one.
            async with self._session.get(address, allow_redirects=False) as response:
                if response.status != 200:
                    log.info("paste link answered %s from %s", response.status, urlsplit(address).hostname)
                    return None
                data = await bounded(response, self.most_bytes)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            log.info("paste link not read from %s: %s", urlsplit(address).hostname, type(error).__name__)
            return None
        return Pasted(file_name(address), data)


async def bounded(response: aiohttp.ClientResponse, most: int) -> bytes:
    """The body up to so many bytes; the rest is never asked for."""
    parts, left = [], most
    async for part in response.content.iter_chunked(1 << 16):
        parts.append(part[:left])
        left -= len(part)
        if left <= 0:
            break
    return b"".join(parts)


def file_name(address: str) -> str:
    """A name for what a link held: the end of its path where that looks like a file's, else `paste.txt`."""
    last = unquote(urlsplit(address).path.rsplit("/", 1)[-1])[:60]
    return last if "." in last else "paste.txt"
