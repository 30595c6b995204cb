"""`oom-medic diagnose`: files or standard input in, the cause and the fix out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from bot.cli.inputs import check_read, gib, read_inputs
from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.cli.show import show
from bot.cli.write import check_targets, others_unchanged, target_of, write_fixed
from bot.knowledge.load import Knowledge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.diagnosis import Diagnosis
    from bot.evidence import Evidence
    from bot.intake.read import Pasted, Told

FORMATS = ("text", "markdown", "json", "diff")
_FORMAT_HELP = "Shape of the answer; `diff` is the change alone, for `patch` and `git apply`."


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of a call."""

    gpu: str | None
    vram: float | None
    ram: float | None
    goal: str | None
    lang: str
    form: str
    out: str | None
    in_place: bool
    force: bool
    all_steps: bool


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE…|-]")
@click.option("--gpu", metavar="NAME", help="Your graphics card, as you would write it: 4090, RTX 3060, A6000.")
@click.option("--vram", callback=gib, metavar="GIB", help="Its memory in GiB, where the name does not tell.")
@click.option("--ram", callback=gib, metavar="GIB", help="System RAM in GiB.")
@click.option("--goal", type=click.Choice(["fit", "speed"]), help="What you want: a run that fits, or a faster one.")
@language_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help=_FORMAT_HELP)
@click.option("--apply", "out", metavar="OUT", help="Write the fixed config to OUT (never over the input).")
@click.option("--in-place", is_flag=True, help="Write the fix into your config file itself.")
@click.option("--force", is_flag=True, help="Let --apply overwrite an existing OUT.")
@click.option("--all-steps", is_flag=True, help="Explain every further step, not only the first.")
def diagnose(files: tuple[str, ...], **options: Any) -> None:
    """Say why a run died of memory, and what to change first.

    FILE is a config, a log or a traceback, in any number; `-` or nothing is standard input.
    """
    from bot.intake.read import Told

    wanted = Wanted(**options)
    check_targets(files, wanted.out, in_place=wanted.in_place, force=wanted.force)
    pasted = read_inputs(files)
    told = Told(gpu=wanted.gpu or None, vram_gib=wanted.vram, ram_gib=wanted.ram, goal=wanted.goal)
    knowledge = Knowledge()
    evidence, diagnosis = run(pasted, told, knowledge, wanted.lang)
    words = knowledge.locale(diagnosis.locale)
    check_read(evidence, words)
    made = False
    if wanted.form == "diff":
        from bot.cli.own_diff import show_diff

        made = show_diff(pasted, evidence, diagnosis, words)
    else:
        show(diagnosis, knowledge, wanted.form, all_steps=wanted.all_steps)
    if wanted.out is not None or wanted.in_place:
        made = write_fixed(pasted, evidence, diagnosis, words, target_of(files, evidence, wanted.out))
    others = others_unchanged(files, evidence) if made else []
    if others:
        click.echo(words.text("cli.others_unchanged", names=others), err=True)


def run(pasted: "Sequence[Pasted]", told: "Told", knowledge: Knowledge, lang: str) -> "tuple[Evidence, Diagnosis]":
    """Intake and engine, in the language that fits."""
    from bot.engine import diagnose as decide
    from bot.intake.read import read

    evidence = read(pasted, knowledge, told)
    locale = pick_language(lang, knowledge, evidence.prose_language)
    return evidence, decide(evidence, knowledge, locale=locale)
