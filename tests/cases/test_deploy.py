"""What deploy/ says of the case file is so."""

import re
from pathlib import Path

import yaml

from bot.settings import Settings

DEPLOY = Path(__file__).parent.parent.parent / "deploy"


def test_litestreams_configuration_is_whole_and_names_the_bots_own_variable() -> None:
    text = (DEPLOY / "litestream.yml").read_text(encoding="utf-8")
    (database,) = yaml.safe_load(text)["dbs"]
    assert database["path"] == "${OOM_MEDIC_DATABASE}"
    assert "database" in Settings.model_fields
    assert all(text.count(name) > 1 for name in re.findall(r"\$\{(\w+)\}", text)), "each variable is explained"


def test_the_commands_of_the_drill_are_there() -> None:
    from click.testing import CliRunner

    from bot.cli import cli

    said = re.findall(
        r"^(?:|.*[ /])oom-medic (cases .*)$", (DEPLOY / "backup.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(said) >= 6
    for line in said:
        words = line.split("#")[0].split()
        command = [
            word
            for word in words
            if not word.startswith(("-", "/", '"', "$")) and "." not in word and not word.isdigit()
        ]
        assert CliRunner().invoke(cli, [*command, "--help"]).exit_code == 0, line
        options = {word for word in words if word.startswith("--")} - {"--database"}
        shown = CliRunner().invoke(cli, [*command, "--help"]).output
        assert all(option in shown for option in options), line
