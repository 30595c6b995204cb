"""Settings: every source, and nothing unknown or wrong passes unnamed."""

import json
import os
import re
import tomllib

import pytest
from click.testing import CliRunner

from bot.cli import cli
from bot.discord_app.token import NoTokenError, read_token
from bot.knowledge.load import Knowledge
from bot.settings import Settings
from bot.settings.file import CONFIG, config_file
from bot.settings.sources import SettingsError, load

SECRET = "bm90LWEtdG9rZW4.really.not-one"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch, tmp_path):
    for name in os.environ:
        if name.startswith("OOM_MEDIC_") or name in {"CREDENTIALS_DIRECTORY", "XDG_CONFIG_HOME"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.chdir(tmp_path)


def run(*arguments):
    return CliRunner().invoke(cli, arguments)


def entry(name):
    return next(one for one in load().entries if one.name == name)


def problems():
    with pytest.raises(SettingsError) as caught:
        load()
    return [(one.kind, one.values) for one in caught.value.problems]


def test_environment_before_file_before_default(monkeypatch, tmp_path):
    file = tmp_path / "own.toml"
    file.write_text('retention_days = 11\ngrace_days = 3\nlog_format = "console"\n')
    monkeypatch.setenv(CONFIG, str(file))
    monkeypatch.setenv("OOM_MEDIC_GRACE_DAYS", "5")
    settings = load().settings
    assert (settings.retention_days, settings.grace_days, settings.no_answer_days) == (11, 5, 3)
    assert [entry(name).source for name in ("retention_days", "grace_days", "no_answer_days")] == [
        "file",
        "environment",
        "default",
    ]
    assert (entry("retention_days").value, entry("retention_days").default) == ("11", "30")


def test_an_empty_variable_sets_nothing(monkeypatch):
    monkeypatch.setenv("OOM_MEDIC_RETENTION_DAYS", "")
    assert entry("retention_days").source == "default"


def test_the_file_is_found_here_then_at_home(monkeypatch, tmp_path):
    assert config_file() is None
    home = tmp_path / "home" / ".config" / "oom-medic"
    home.mkdir(parents=True)
    (home / "oom-medic.toml").write_text("grace_days = 1\n")
    assert load().settings.grace_days == 1
    (tmp_path / "oom-medic.toml").write_text("grace_days = 2\n")
    assert load().settings.grace_days == 2


def test_a_folder_that_may_not_be_looked_into_has_no_file(monkeypatch):
    def forbidden(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.is_file", forbidden)
    assert config_file() is None


def test_unknown_variables_and_keys_are_refused_by_name(monkeypatch, tmp_path):
    (tmp_path / "oom-medic.toml").write_text('retension_days = 9\n[bot]\nname = "x"\n')
    monkeypatch.setenv("OOM_MEDIC_GRACEDAYS", "5")
    found = problems()
    assert [kind for kind, _ in found] == ["unknown_variable", "unknown_key", "unknown_key"]
    assert (found[0][1]["name"], found[0][1]["meant"]) == ("OOM_MEDIC_GRACEDAYS", "OOM_MEDIC_GRACE_DAYS")
    assert (found[1][1]["name"], found[1][1]["meant"]) == ("retension_days", "retention_days")
    assert (found[2][1]["name"], found[2][1]["meant"]) == ("bot", None)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("RETENTION_DAYS", "0", "1…3650 days"),
        ("RETENTION_DAYS", "a month", "1…3650 days"),
        ("ENGINE_DEADLINE_S", "nan", ">0…300 seconds"),
        ("MESSAGE_CONTENT", "perhaps", "true | false"),
        ("LOG_FORMAT", "xml", "json | console"),
    ],
)
def test_a_bad_value_is_refused_with_what_is_allowed(monkeypatch, name, value, allowed):
    monkeypatch.setenv(f"OOM_MEDIC_{name}", value)
    values = {"name": f"OOM_MEDIC_{name}", "value": value, "allowed": allowed.split(" days")[0].split(" sec")[0]}
    ((kind, found),) = problems()
    assert (kind, values | {"unit": found["unit"]}) == ("bad_value", found)
    done = run("settings")
    assert done.exit_code == 2
    assert f"OOM_MEDIC_{name}" in done.output
    assert allowed in done.output


def test_everything_wrong_is_told_at_once(monkeypatch):
    monkeypatch.setenv("OOM_MEDIC_LOG_FORMAT", "xml")
    monkeypatch.setenv("OOM_MEDIC_LOG_LEVEL", "LOUD")
    monkeypatch.setenv("OOM_MEDIC_COLOUR", "red")
    assert len(problems()) == 3


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda file: None, "missing"),
        (lambda file: file.mkdir(), "unreadable"),
        (lambda file: file.write_text("a = "), "no_toml"),
        (lambda file: file.write_bytes(b"\xff\xfe"), "no_toml"),
    ],
)
def test_a_file_that_cannot_be_used(monkeypatch, tmp_path, make, kind):
    file = tmp_path / "given.toml"
    make(file)
    monkeypatch.setenv(CONFIG, str(file))
    assert [found for found, _ in problems()] == [kind]
    assert run("settings").exit_code == 2


def test_a_bad_value_in_the_file_names_key_and_file(tmp_path):
    (tmp_path / "oom-medic.toml").write_text("grace_days = 3.5\n")
    ((kind, values),) = problems()
    assert kind == "bad_value"
    assert values["name"].startswith("grace_days (")


@pytest.mark.parametrize("command", [["settings"], ["check"], ["run"], ["cases", "list"]])
def test_every_command_refuses_wrong_settings(monkeypatch, command):
    monkeypatch.setenv("OOM_MEDIC_RETENTION_DAYS", "never")
    done = run(*command)
    assert done.exit_code == 2
    assert "OOM_MEDIC_RETENTION_DAYS" in done.output


def test_config_option_names_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv(CONFIG, "elsewhere.toml")
    file = tmp_path / "own.toml"
    file.write_text("grace_days = 42\n")
    printed = json.loads(run("settings", "--config", str(file), "--format", "json").output)
    assert next(one for one in printed if one["name"] == "grace_days")["value"] == "42"


def test_secrets_are_masked_everywhere(monkeypatch):
    monkeypatch.setenv("OOM_MEDIC_TOKEN", SECRET)
    for form in ("text", "json", "toml"):
        done = run("settings", "--format", form)
        assert done.exit_code == 0
        assert SECRET not in done.output
    assert SECRET not in repr(load())


@pytest.mark.parametrize("tag", ["en", "de", "it"])
def test_every_setting_is_printed_with_its_meaning_in_each_language(tag):
    words, printed = Knowledge().locale(tag), run("settings", "--lang", tag).output
    for name in Settings.model_fields:
        assert f"OOM_MEDIC_{name.upper()}" in printed
        assert words.text(f"service.settings.about.{name}") in printed
    assert words.text("service.settings.units.days") in printed
    assert words.text("service.settings.kinds.path") in printed
    assert "_a_minute ·" not in printed


def test_english_says_what_the_program_text_says():
    words = Knowledge().locale("en")
    for name, field in Settings.model_fields.items():
        assert words.text(f"service.settings.about.{name}") == field.description


def test_a_refusal_is_in_the_readers_language(monkeypatch):
    monkeypatch.setenv("OOM_MEDIC_RETENTION_DAYS", "0")
    assert "1…3650 giorni" in run("settings", "--lang", "it").output


def test_numbers_have_units():
    for one in load().entries:
        assert one.unit or not one.allowed.lstrip(">")[0].isdigit() or one.name == "health_port", one.name


def test_the_printed_file_is_accepted(monkeypatch, tmp_path):
    printed = run("settings", "--format", "toml").output
    filled = re.sub(r"^# (\w+ = )", r"\1", printed, flags=re.MULTILINE)
    paths = {"token_file", "knowledge"}
    (tmp_path / "oom-medic.toml").write_text(
        "".join(line for line in filled.splitlines(keepends=True) if line.split(" =")[0] not in paths)
    )
    loaded = load()
    assert tomllib.loads(filled).keys() == Settings.model_fields.keys() - {"token"}
    assert loaded.settings == Settings.model_construct(
        **{name: field.default for name, field in Settings.model_fields.items()}
    )


# --- the token


def test_a_token_in_the_settings_file_is_refused_and_not_shown(tmp_path):
    (tmp_path / "oom-medic.toml").write_text(f'token = "{SECRET}"\n')
    assert [kind for kind, _ in problems()] == ["token_in_file"]
    assert SECRET not in run("settings").output


def test_the_token_comes_from_the_environment_a_file_or_systemd(monkeypatch, tmp_path):
    with pytest.raises(NoTokenError):
        read_token(load().settings)
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "token").write_text("from-systemd\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(credentials))
    assert read_token(load().settings) == "from-systemd"
    assert entry("token").source == "credential"
    assert entry("token").value == "********"
    (tmp_path / "token").write_text(" from-file ")
    monkeypatch.setenv("OOM_MEDIC_TOKEN_FILE", str(tmp_path / "token"))
    assert read_token(load().settings) == "from-file"
    assert entry("token").source == "default"
    monkeypatch.setenv("OOM_MEDIC_TOKEN", "from-environment")
    assert read_token(load().settings) == "from-environment"


def test_no_command_takes_a_token():
    for command in (["run"], ["check"], ["settings"]):
        assert "--token" not in run(*command, "--help").output
