"""A bot process against the stand-in for Discord, with its health checks on a port of its own."""

import json
import shutil
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "discord_app"))

from conftest import Stage

from bot.knowledge.folder import data_folder

PATIENCE_S = 60.0


def reserved():
    """A socket that keeps its port for who listens on it: nobody else is given that one."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(("127.0.0.1", 0))
    return made


class Operated(Stage):
    """A stage whose bot answers health checks and, with `own`, has a copy of knowledge/ that can be edited."""

    def __init__(self, folder, *, own=False, **settings):
        self.knowledge, self._kept = folder / "knowledge", reserved()
        self.port = self._kept.getsockname()[1]
        given = {"health_port": self.port, "log_format": "json"} | ({"knowledge": self.knowledge} if own else {})
        if own:
            shutil.copytree(
                data_folder(), self.knowledge, ignore=shutil.ignore_patterns("*.py", "*.csv", "__pycache__")
            )
        super().__init__(folder, **(given | settings))

    def end(self):
        super().end()
        self._kept.close()

    def get(self, path):
        """Status and text of a health check; 0 where nobody listens."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except urllib.error.URLError:
            return 0, ""

    def ready(self, *, wanted):
        """What /readyz says as soon as it is as wanted."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            status, text = self.get("/readyz")
            if status and (status == 200) is wanted:
                return json.loads(text)
        raise AssertionError(text)

    def lines(self):
        """The log so far, each line its JSON object."""
        return [json.loads(line) for line in self.bot.log.splitlines() if line.startswith("{")]

    def logged(self, part):
        """Wait for a log line with a text in its message."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = [line for line in self.lines() if part in line["message"]]
            if found:
                return found[-1]
            self.get("/readyz")
        raise AssertionError(f"not logged: {part}\n{self.bot.log}")

    def change(self, name, old, new):
        """Edit a file of the bot's knowledge."""
        file = self.knowledge / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One bot for the tests that leave it as it was."""
    made = Operated(tmp_path_factory.mktemp("bot"), own=True, user_pastes_a_minute=3)
    made.start()
    # Only then has it looked for pastes that it missed.
    made.logged("ready: ")
    yield made
    made.end()


@pytest.fixture
def operated(tmp_path):
    """Stages of the test's own, to be reloaded, ended or started several times."""
    made = []

    def make(**settings):
        stage = Operated(tmp_path, **settings)
        made.append(stage)
        return stage.start()

    yield make
    for stage in made:
        stage.end()
