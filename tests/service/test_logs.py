"""Log lines: structured, one line each, without pasted text and without the token."""

import json
import logging

import pytest

from bot.service.logs import ConsoleLines, Counting, JsonLines, fields, set_up, story

PASTED = "hf_pasted_by_somebody"
TOKEN = "bm90LWEtdG9rZW4.really.not-one"


def record(message, *arguments, error=None, **extra):
    info = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord("bot.discord_app.casework.desk", logging.INFO, __file__, 1, message, arguments, info)
    made.__dict__ |= extra
    return made


def failure():
    try:
        try:
            int(PASTED)
        except ValueError as first:
            raise OSError(28, PASTED) from first
    except OSError as error:
        return error


def test_a_line_is_one_json_object_with_its_own_fields():
    line = JsonLines("").format(record("case %s answered", "K7Q2", **fields(case="K7Q2", family=None, ms=12)))
    made = json.loads(line)
    assert made["message"] == "case K7Q2 answered"
    assert (made["case"], made["ms"], made["level"]) == ("K7Q2", 12, "info")
    assert "family" not in made
    assert made["time"].endswith("Z")


def test_the_console_shows_the_same_on_one_line():
    line = ConsoleLines("").format(record("two\nlines", **fields(case="K7Q2")))
    assert "two lines case=K7Q2" in line
    assert "\n" not in line


@pytest.mark.parametrize("shape", [JsonLines, ConsoleLines])
def test_an_error_is_its_types_and_places_without_its_messages(shape):
    line = shape("").format(record("it failed", error=failure()))
    assert "OSError 28 at test_logs.py" in line
    assert "ValueError at test_logs.py" in line
    assert PASTED not in line
    assert "\n" not in line


def test_the_token_is_written_nowhere():
    for shape in (JsonLines, ConsoleLines):
        line = shape(TOKEN).format(record("GET %s", f"/x/{TOKEN}", **fields(url=TOKEN)))
        assert TOKEN not in line
        assert line.count("<token>") == 2


def test_a_story_ends_with_the_first_cause():
    assert story(failure()).split(" | from ")[1].startswith("ValueError at")


@pytest.fixture
def root():
    logger = logging.getLogger()
    kept = logger.handlers[:], logger.level
    yield logger
    logger.handlers[:], level = kept
    logger.setLevel(level)
    logging.captureWarnings(capture=False)


def test_discord_debug_lines_which_hold_messages_are_never_written(root, capsys):
    set_up("json", "DEBUG", secret=TOKEN)
    logging.getLogger("discord.gateway").debug("event with %s", PASTED)
    logging.getLogger("bot").debug("own")
    lines = capsys.readouterr().err.splitlines()
    assert [json.loads(line)["message"] for line in lines] == ["own"]


def test_warnings_and_errors_are_counted_by_part(root):
    counted = []
    root.addHandler(Counting(lambda level, part: counted.append((level, part))))
    logging.getLogger("bot.discord_app.casework.outbox").error("x")
    logging.getLogger("bot.cases").info("x")
    assert counted == [("error", "bot.discord_app.casework")]
