"""Rate limits as Discord announces and enforces them, and failures that a test orders."""

import asyncio
import re
from collections import Counter
from dataclasses import dataclass, field

from aiohttp import web

from standin.keys import STANDIN


@dataclass
class Fault:
    """What happens to the next `times` requests that match. `after` lets the request take effect before it fails.

    With a `gate` it does not fail but waits for that: before it takes effect, or with `after` before it is answered.
    """

    method: str
    pattern: str
    status: int = 502
    times: int = 1
    after: bool = False
    retry_after: float = 0.05
    gate: asyncio.Event | None = None
    held: int = 0


@dataclass
class Window:
    started: float = 0.0
    used: int = 0


@dataclass
class Faults:
    """Middleware state. `limits` maps a path pattern to (requests, seconds); the default is far from any test's pace."""

    orders: list = field(default_factory=list)
    limits: dict = field(default_factory=dict)
    windows: dict = field(default_factory=dict)
    refused: Counter = field(default_factory=Counter)

    def order(self, method, pattern, **options):
        fault = Fault(method, pattern, **options)
        self.orders.append(fault)
        return fault

    def take(self, request):
        for fault in self.orders:
            if fault.times and fault.method == request.method and re.search(fault.pattern, request.path):
                fault.times -= 1
                return fault
        return None

    def limit(self, request, now):
        """Remaining requests, seconds to the reset and the bucket of a request; remaining is -1 when it is one too many."""
        pattern = next((one for one in self.limits if re.search(one, request.path)), "")
        most, seconds = self.limits.get(pattern, (10_000, 1.0))
        key = (request.method, pattern, request.path.split("/messages")[0])
        window = self.windows.setdefault(key, Window())
        if now - window.started >= seconds:
            window.started, window.used = now, 0
        window.used += 1
        return most, most - window.used, window.started + seconds - now, f"{request.method}:{pattern}"


def limited(retry_after, *, shared=False):
    body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": False}
    return web.json_response(
        body,
        status=429,
        headers={
            "Retry-After": str(retry_after),
            "Via": "1.1 google",
            "X-RateLimit-Scope": "shared" if shared else "user",
        },
    )


def broken(fault):
    if fault.status == 429:
        return limited(fault.retry_after, shared=True)
    return web.Response(status=fault.status, text="upstream connect error", content_type="text/plain")


@web.middleware
async def middleware(request, handler):
    standin = request.app[STANDIN]
    if request.path.startswith("/api/"):
        most, remaining, reset_after, bucket = standin.faults.limit(request, standin.clock.now())
        if remaining < 0:
            standin.faults.refused[bucket] += 1
            response = limited(reset_after)
        else:
            response = await failing(standin, request, handler)
        if response.content_type == "application/json":
            response.charset = None  # Discord names none, and discord.py compares the whole header
        response.headers.update({
            "X-RateLimit-Limit": str(most), "X-RateLimit-Remaining": str(max(0, remaining)), "X-RateLimit-Reset": str(standin.clock.now() + reset_after),
            "X-RateLimit-Reset-After": f"{reset_after:.3f}", "X-RateLimit-Bucket": bucket,
        })  # fmt: skip
        return response
    return await failing(standin, request, handler)


async def failing(standin, request, handler):
    fault = standin.faults.take(request)
    if fault is None:
        return await handler(request)
    fault.held += 1
    standin.changed()
    made = await handler(request) if fault.after else None
    if fault.gate is not None:
        await fault.gate.wait()
        return made or await handler(request)
    return broken(fault)
