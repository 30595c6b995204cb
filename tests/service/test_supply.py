"""What is shipped: bill of materials, licences, and the look for known vulnerabilities."""

import importlib.util
import json
import re
import stat
import sys
from email.message import Message
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import cli
from bot.service import sbom
from bot.service.sbom import NotInstalledError, cyclonedx, normalised, parts

DEPLOY = Path(__file__).parents[2] / "deploy"
# Needed to build the wheel, not to run it.
BUILDING = {"hatchling", "trove-classifiers", "pathspec", "packaging", "tomlkit"}


def pinned(file):
    """Name -> marker of each pinned package."""
    found = re.findall(r"^([\w.-]+)==\S+(?: ; (.*?))? \\$", (DEPLOY / file).read_text(encoding="utf-8"), re.MULTILINE)
    return {normalised(name): marker for name, marker in found}


def test_a_bill_of_materials_is_whole_and_the_same_each_time():
    found = parts("pydantic-settings")
    assert {"pydantic-settings", "pydantic", "pydantic-core", "python-dotenv"} <= found.keys()
    made = cyclonedx(found, "pydantic-settings")
    assert made == cyclonedx(parts("pydantic-settings"), "pydantic-settings")
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    refs = {component["bom-ref"] for component in (*made["components"], made["metadata"]["component"])}
    assert len(refs) == len(found)
    assert {row["ref"] for row in made["dependencies"]} == refs
    assert {need for row in made["dependencies"] for need in row["dependsOn"]} <= refs
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", made["serialNumber"])


def test_every_licence_is_known():
    for part in (*parts("discord-py").values(), *parts("sqlite-utils").values()):
        assert part.licence != "unknown", part.name


def test_extras_of_others_are_not_ours(monkeypatch):
    class Fake:
        version = "1"
        metadata = Message()

        def __init__(self, requires):
            self.requires = requires

    known = {
        "oom-medic": Fake(["a[speed]>=1", 'metrics-thing; extra == "metrics"', 'gone; sys_platform == "win32"']),
        "a": Fake(['b; extra == "speed"', "C_c.d (>=2)"]), "b": Fake(None), "c-c-d": Fake(None), "metrics-thing": Fake(None),
    }  # fmt: skip

    def find(name):
        if name not in known:
            raise sbom.metadata.PackageNotFoundError(name)
        return known[name]

    monkeypatch.setattr(sbom.metadata, "distribution", find)
    found = parts()
    assert set(found) == {"oom-medic", "a", "c-c-d", "metrics-thing"}
    assert found["oom-medic"].needs == ("a", "metrics-thing")


def test_from_the_source_folder_it_says_what_to_do(monkeypatch):
    def nothing(*_):
        raise NotInstalledError

    monkeypatch.setattr("bot.cli.sbom.parts", nothing)
    done = CliRunner().invoke(cli, ["sbom"])
    assert done.exit_code == 2
    assert "pip install" in done.output


def test_the_list_of_licences_names_every_pinned_package():
    text = (DEPLOY / "licences.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| ([\w-]+) \| (?!licence|-)\S", text, re.MULTILINE))
    needed = {name for name, marker in pinned("requirements.txt").items() if "3.13" not in marker}
    assert needed - BUILDING <= listed
    assert listed <= needed
    assert "audioop-lts" in text


def versions(file):
    """Name, version and marker of each pinned package."""
    return set(re.findall(r"^([\w.-]+==\S+(?: ; .*?)?) \\$", (DEPLOY / file).read_text(encoding="utf-8"), re.MULTILINE))


def test_what_is_tested_and_audited_is_what_is_shipped():
    shipped = versions("requirements.txt")
    assert len(shipped) > 30
    assert shipped <= versions("requirements-test.txt")
    assert shipped <= versions("requirements-extras.txt")
    assert "requirements-extras.txt" in (DEPLOY / "audit").read_text(encoding="utf-8")
    shipped = pinned("requirements.txt")
    assert "pip-audit" in pinned("requirements-audit.txt")
    assert "prometheus-client" in shipped
    assert {"datasette", "matplotlib"} <= pinned("requirements-extras.txt").keys()


@pytest.fixture
def audit():
    loader = SourceFileLoader("deploy_audit", str(DEPLOY / "audit"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("deploy_audit", loader))
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    loader.exec_module(module)
    sys.dont_write_bytecode = keep
    return module


@pytest.fixture
def answering(audit, tmp_path, monkeypatch):
    """The audit with a pip-audit that answers as a test wants."""

    def answer(output, status=0):
        tool = tmp_path / "pip-audit"
        tool.write_text(f"#!{sys.executable}\nimport sys\nprint({output!r})\nsys.exit({status})\n")
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(audit, "installed", lambda _: tool)
        return audit.main()

    return answer


def test_a_known_vulnerability_fails_the_audit(answering, capsys):
    found = [
        {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]},
        {"name": "b", "version": "1", "vulns": []},
    ]
    assert answering(json.dumps({"dependencies": found}), 1) == 1
    assert "a 1: CVE-1, mended in 2" in capsys.readouterr().out


def test_nothing_known_passes(answering, capsys):
    assert answering(json.dumps({"dependencies": [{"name": "b", "version": "1", "vulns": []}]})) == 0
    assert "1 packages looked up, 0 vulnerabilities" in capsys.readouterr().out


@pytest.mark.parametrize("output", ["", "no network", '{"dependencies": [{"name": "b", "skip_reason": "not found"}]}'])
def test_without_an_answer_the_audit_is_skipped_and_says_so(answering, capsys, output):
    assert answering(output, 1) == 0
    assert "audit: skipped" in capsys.readouterr().out


def test_without_pip_audit_it_is_skipped(audit, monkeypatch, capsys):
    monkeypatch.setattr(audit, "installed", lambda _: None)
    assert audit.main() == 0
    assert "skipped" in capsys.readouterr().out
