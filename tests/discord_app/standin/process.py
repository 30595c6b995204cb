"""Starts `oom-medic run` as a process of its own, against a stand-in, and ends it the way a test wants."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from standin.world import TOKEN

ROOT = Path(__file__).resolve().parents[3]
LAUNCHER = Path(__file__).with_name("launcher.py")
# Loopback paste hosts, a single engine process, and no waiting between pastes: what the tests are about decides.
QUICK = {"OOM_MEDIC_ENGINE_PROCESSES": "1", "OOM_MEDIC_LOG_FORMAT": "console", "OOM_MEDIC_HEALTH_PORT": "0"}


def environment(standin, folder, **settings):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("OOM_MEDIC_")}
    pastes, probe = settings.pop("pastes", None), settings.pop("probe", None)
    addresses = {"STANDIN_API": standin.api, "STANDIN_GATEWAY": standin.gateway_url, "PYTHONPATH": str(ROOT)}
    own = {"OOM_MEDIC_TOKEN": TOKEN, "OOM_MEDIC_DATABASE": str(folder / "cases.db")}
    given = {f"OOM_MEDIC_{key.upper()}": str(value) for key, value in settings.items()}
    sites = {} if pastes is None else {"STANDIN_PASTES": str(pastes)}
    if probe is not None:
        sites["STANDIN_PROBE"] = str(probe)
    return kept | addresses | sites | QUICK | own | given


def command(standin, folder, *arguments, **settings):
    """Run another command of `oom-medic` against the stand-in to its end."""
    return subprocess.run(
        [sys.executable, LAUNCHER, *arguments],
        env=environment(standin, folder, **settings),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class BotProcess:
    """The running bot. Its log goes to a file, which `log` reads."""

    def __init__(self, standin, folder, *, arguments=(), **settings):
        self.standin, self.folder, self.arguments, self.settings = standin, folder, arguments, settings
        self.log_path = folder / "bot.log"
        self.process = None

    def start(self, *, wait=True):
        seen = len(self.standin.gateway.identifies)
        with self.log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, LAUNCHER, "run", *self.arguments],
                env=environment(self.standin, self.folder, **self.settings),
                stdout=log,
                stderr=log,
            )
        threading.Thread(target=self._tell_the_end, args=(self.process,), daemon=True).start()
        if wait:
            self.standin.run(
                self.standin.until(
                    lambda: (
                        self.ended() or (len(self.standin.gateway.identifies) > seen and self.standin.gateway.live())
                    ),
                    "the bot to log in",
                )
            )
            assert self.process.poll() is None, self.log
        return self

    def _tell_the_end(self, process):
        process.wait()
        self.standin.call(self.standin.changed)

    def ended(self):
        return self.process.poll() is not None

    @property
    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)

    def stop(self):
        if self.process is None:
            return None
        if not self.ended():
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def restart(self):
        self.stop()
        return self.start()
