"""What lies in deploy/ fits the program, checked by what runs without a Docker engine or a running systemd."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from bot.cli import cli
from bot.service.tally import COUNTS, TIMES
from bot.settings import Settings
from tests.service.test_health import page

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
VARIABLES = {f"OOM_MEDIC_{name.upper()}" for name in Settings.model_fields} | {"OOM_MEDIC_CONFIG"}
# compose.yaml's own, the image's tag.
COMPOSE = {"OOM_MEDIC_VERSION"}
PORT = Settings.model_fields["health_port"].default


def text(name):
    return (DEPLOY / name).read_text(encoding="utf-8")


def compose():
    return yaml.safe_load(text("compose.yaml"))


@pytest.mark.parametrize(
    "name", ["Dockerfile", "compose.yaml", "oom-medic.service", "README.md", "growth.md", "backup.md"]
)
def test_every_setting_that_is_named_exists(name):
    assert set(re.findall(r"OOM_MEDIC_[A-Z_]+", text(name))) <= VARIABLES | COMPOSE


def test_hadolint_has_nothing_to_say():
    tool = Path(sys.executable).with_name("hadolint")
    if not tool.exists():
        pytest.skip("hadolint is only pinned for Linux on x86-64")
    done = subprocess.run([tool, "--no-color", DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def checked_compose(file):
    tool = Path(sys.executable).with_name("check-jsonschema")
    if not tool.exists():
        pytest.skip("check-jsonschema is not installed")
    call = [tool, "--builtin-schema", "vendor.compose-spec", file]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def test_compose_is_valid_by_the_compose_specification(tmp_path):
    done = checked_compose(DEPLOY / "compose.yaml")
    assert done.returncode == 0, done.stdout
    (tmp_path / "compose.yaml").write_text(text("compose.yaml").replace("read_only:", "read_onyl:", 1))
    assert "read_onyl" in checked_compose(tmp_path / "compose.yaml").stdout


def test_the_image_runs_as_nobody_from_two_stages_with_a_health_check():
    stages = text("Dockerfile").split("\nFROM ")[1:]
    assert len(stages) == 2
    assert re.search(r"^USER 10001:10001$", stages[1], re.MULTILINE)
    assert re.search(rf"HEALTHCHECK .*\\\n +CMD .*127\.0\.0\.1:{PORT}/healthz", stages[1])
    assert "--require-hashes" in stages[0]
    assert "pip" not in stages[1]


def test_what_the_image_copies_is_there_and_not_ignored():
    kept = {line[1:].rstrip("/") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [
        word
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text("Dockerfile"), re.MULTILINE)
        for word in line.split()
    ]
    assert len(copied) >= 6
    for name in copied:
        assert (ROOT / name).exists(), name
        assert name in kept, name


def test_every_service_is_confined_and_only_loopback_reaches_it():
    services = compose()["services"]
    assert {name: service.get("profiles") for name, service in services.items()} == {
        "bot": None, "litestream": ["litestream"], "datasette": ["datasette"],
    }  # fmt: skip
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {"mem_limit", "cpus", "pids_limit"} <= service.keys(), name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        assert not service["image"].endswith(":latest"), name
    assert services["bot"]["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]


def test_what_compose_mounts_is_declared_or_there():
    made = compose()
    for name, service in made["services"].items():
        for mount in service["volumes"]:
            source = mount.split(":")[0]
            assert source in made["volumes"] or (DEPLOY / source).is_file(), (name, mount)
        assert set(service.get("secrets", [])) <= made["secrets"].keys()
    bot = made["services"]["bot"]
    assert "OOM_MEDIC_TOKEN" not in bot["environment"]
    assert (ROOT / "deploy" / bot["build"]["context"]).resolve() == ROOT
    assert (ROOT / bot["build"]["dockerfile"]).is_file()


def test_the_token_of_compose_is_not_committed():
    assert not subprocess.run(["git", "ls-files", "deploy/token"], cwd=ROOT, capture_output=True, check=False).stdout


def test_systemd_rates_the_unit_low():
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("no systemd here")
    call = [tool, "security", "--offline=true", "--no-pager", "--threshold=15", DEPLOY / "oom-medic.service"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd cannot rate a file")
    assert done.returncode == 0, done.stdout[-300:]


def test_the_unit_says_what_the_bot_needs():
    unit = text("oom-medic.service")
    for line in (
        "Type=notify",
        "LoadCredential=token:/etc/oom-medic/token",
        "StateDirectory=oom-medic",
        "Restart=on-failure",
    ):
        assert f"\n{line}\n" in unit
    seconds = {
        name: int(found) for name, found in re.findall(r"^(WatchdogSec|TimeoutStopSec)=(\d+)s$", unit, re.MULTILINE)
    }
    assert seconds["TimeoutStopSec"] > Settings.model_fields["drain_s"].default + 3
    assert seconds["WatchdogSec"] >= 10


@pytest.mark.parametrize("name", ["README.md", "growth.md"])
def test_the_commands_of_the_guides_exist(name):
    said = set(
        re.findall(
            r"(?<![/\w-])oom-medic ((?:cases |knowledge )?[a-z]+(?: in| out)?)",
            "".join(re.findall(r"```sh\n(.*?)```", text(name), re.DOTALL)),
        )
    )
    said -= {line for line in said if line.split()[0] not in {"cases", "knowledge", "settings", "run", "check", "sbom"}}
    assert said
    for line in said:
        assert CliRunner().invoke(cli, [*line.split(), "--help"]).exit_code == 0, line


@pytest.mark.parametrize("name", ["README.md", "growth.md", "backup.md", "licences.md"])
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text(name)):
        assert (DEPLOY / target).exists(), target


def test_the_dashboard_shows_metrics_that_there_are():
    expressions = [
        target["expr"] for panel in json.loads(text("grafana.json"))["panels"] for target in panel["targets"]
    ]
    named = {name for expression in expressions for name in re.findall(r"oom_medic_\w+", expression)}
    counts = {f"oom_medic_{name}_total" for name in COUNTS}
    times = {f"oom_medic_{name}_seconds_bucket" for name in TIMES}
    gauges = {name.split("{")[0] for name in page()}
    assert named <= counts | times | gauges
    assert counts | times <= named
    labels = {
        label
        for expression in expressions
        for found in re.findall(r"by \(([^)]*)\)", expression)
        for label in found.split(", ")
    }
    assert labels <= {"le"} | {label for _, labels in COUNTS.values() for label in labels}
