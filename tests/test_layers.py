"""Imports run one way: facts and YAML editing, knowledge, intake, engine, reply; then the faces. Never back."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

BOT = Path(__file__).parent.parent / "bot"
# Each layer may import itself and the layers before it.
ORDER = (
    {"facts", "yamledit"},
    {"knowledge"},
    {"evidence", "intake"},
    {"diagnosis"},
    {"engine"},
    {"reply"},
    {"settings"},
    {"cases"},
    {"service"},
    {"discord_app"},
    {"cli", "__main__"},
)
LAYER = {name: number for number, names in enumerate(ORDER) for name in names}


def _part(file: Path) -> str:
    return file.relative_to(BOT).parts[0].removesuffix(".py")


def _imported(file: Path) -> set[str]:
    """The parts of bot/ that a module imports, those for type checkers included."""
    modules = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules.add(node.module)
        elif isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in modules if name.startswith("bot.") and len(name.split(".")) > 1}


MODULES = sorted(
    file
    for file in BOT.rglob("*.py")
    if ("_data" not in file.parts and file.parent != BOT) or file.name != "__init__.py"
)


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(BOT).as_posix())
def test_imports_run_one_way(file: Path) -> None:
    here = _part(file)
    for there in _imported(file):
        assert LAYER[there] <= LAYER[here], f"{here} must not import {there}"


def test_every_part_has_its_layer() -> None:
    assert {_part(file) for file in MODULES} <= LAYER.keys()


@pytest.mark.parametrize("module", ["discord", "sqlite_utils", "torch"])
def test_diagnose_does_not_load(module: str, tmp_path: Path) -> None:
    paste = tmp_path / "config.yaml"
    paste.write_text("train:\n  gradient_checkpointing: false\n", encoding="utf-8")
    code = (
        "import sys\nfrom bot.cli import main\n"
        f"sys.argv = ['oom-medic', 'diagnose', {str(paste)!r}]\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code, stop.code\n"
        f"assert {module!r} not in sys.modules"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
