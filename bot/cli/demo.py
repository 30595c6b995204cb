"""`oom-medic demo`: bundled cases from paste to answer, one a language, with no network and no token."""

import sys

import click

from bot.cli.diagnose import run
from bot.cli.language import pick_language
from bot.cli.show import show
from bot.intake.read import Pasted, Told
from bot.knowledge.load import Knowledge

MAX_SHOWN = 40


@click.command()
def demo() -> None:
    """Show three bundled cases from paste to answer, one a language.

    An English log, German prose with a config, an Italian fragment.
    """
    knowledge = Knowledge()
    cases = knowledge.read("examples/demo.yaml")
    locale = knowledge.locale(pick_language("auto", knowledge))
    for number, case in enumerate(cases, 1):
        words = locale.text("cli.demo.title", number=number, total=len(cases), name=case["file"])
        text = (knowledge.folder / "examples" / case["file"]).read_text(encoding="utf-8")
        _heading(words)
        click.echo(_shortened(text))
        _heading(locale.text("cli.demo.answer"))
        _, diagnosis = run([Pasted(case["file"], text)], Told(), knowledge, case["lang"])
        show(diagnosis, knowledge, "text")
        click.echo()


def _heading(words: str) -> None:
    click.echo(click.style(f"=== {words} ===", bold=True) if sys.stdout.isatty() else f"=== {words} ===")


def _shortened(text: str) -> str:
    """The head and the tail of a long paste."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) <= MAX_SHOWN:
        return "\n".join(lines)
    half = MAX_SHOWN // 2
    return "\n".join([*lines[:half], f"[… {len(lines) - MAX_SHOWN}]", *lines[-half:]])
