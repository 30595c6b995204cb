"""The command where torch is not installed: one sentence that says what to do, and what needs no torch works."""

import builtins
import sys

import pytest

from knowledge.memory import measure


@pytest.fixture
def nothing_installed(monkeypatch):
    """No module of the dependency group can be found, nor imported."""
    found, imported = measure.find_spec, builtins.__import__

    def refuse(name, *more, **named):
        if name.partition(".")[0] in measure.NEEDED:
            raise ModuleNotFoundError(name)
        return imported(name, *more, **named)

    monkeypatch.setattr(measure, "find_spec", lambda name: None if name in measure.NEEDED else found(name))
    monkeypatch.setattr(builtins, "__import__", refuse)


@pytest.mark.parametrize("words", [(), ("z-image",), ("--check", "cuda"), ("--check", "shapes", "lumina2")])
def test_what_needs_torch_says_so_in_one_sentence(nothing_installed, monkeypatch, capsys, words):
    monkeypatch.setattr(sys, "argv", ["measure", *words])
    assert measure.main() == measure.MISSING
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "torch" in said.err
    assert "pip install --group measure" in said.err


def test_what_the_files_say_of_themselves_needs_no_torch(nothing_installed, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["measure", "--check", "residuals"])
    assert measure.main() == 0
    assert "z-image: 6.15 billion values" in capsys.readouterr().out
