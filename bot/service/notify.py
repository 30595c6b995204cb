"""Telling systemd how the process is doing, by the protocol of sd_notify(3): lines in a datagram to a Unix socket.

Without systemd (no NOTIFY_SOCKET) every call does nothing.
"""

import contextlib
import os
import socket
import time


class Notifier:
    """Speaks to the socket that systemd named, and takes its name out of the environment of child processes."""

    def __init__(self) -> None:
        self._address = os.environ.pop("NOTIFY_SOCKET", "")
        usec, pid = os.environ.pop("WATCHDOG_USEC", ""), os.environ.pop("WATCHDOG_PID", "")
        mine = self._address and usec.isdigit() and pid in {"", str(os.getpid())}
        # Half of the time after which systemd would act, as its manual advises.
        self.watchdog_s = int(usec) / 2_000_000 if mine else None

    def ready(self) -> None:
        """Logged in and serving; also the end of a reload."""
        self._tell("READY=1")

    def status(self, text: str) -> None:
        """A line for `systemctl status`."""
        self._tell(f"STATUS={text}")

    def reloading(self) -> None:
        """A reload begins; `ready` ends it."""
        self._tell("RELOADING=1", f"MONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")

    def stopping(self) -> None:
        """The process is about to end."""
        self._tell("STOPPING=1")

    def alive(self) -> None:
        """For the watchdog."""
        self._tell("WATCHDOG=1")

    def _tell(self, *lines: str) -> None:
        if not self._address:
            return
        # A leading @ stands for the abstract namespace, whose names begin with a NUL.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        # systemd being restarted, or the socket full, must not end the bot.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
            made.setblocking(False)
            made.sendto("\n".join(lines).encode(), address)
