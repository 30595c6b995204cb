"""`oom-medic diagnose`: files or stdin in, the cause and the fix out."""

from typing import TYPE_CHECKING

import click

from bot.cli.inputs import GibType, read_inputs
from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.cli.show import show
from bot.cli.write import check_targets, write_fixed
from bot.knowledge.load import Knowledge

if TYPE_CHECKING:
    from bot.diagnosis import Diagnosis
    from bot.evidence import Evidence
    from bot.intake.read import Pasted, Told

FORMATS = ("text", "markdown", "json", "diff")


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE…|-]")
@click.option("--gpu", metavar="NAME", help="Your graphics card, as you would write it: 4090, RTX 3060, A6000.")
@click.option("--vram", type=GibType(), metavar="GIB", help="Its memory in GiB, where the name does not tell.")
@click.option("--ram", type=GibType(), metavar="GIB", help="System RAM in GiB.")
@click.option("--goal", type=click.Choice(["fit", "speed"]), help="What you want: a run that fits, or a faster one.")
@language_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Shape of the answer.")
@click.option("--apply", "out", metavar="OUT", help="Write the fixed config to OUT (never over the input).")
@click.option("--in-place", is_flag=True, help="Write the fix into your config file itself.")
@click.option("--force", is_flag=True, help="Let --apply overwrite an existing OUT.")
@click.option("--all-steps", is_flag=True, help="Explain every further step, not only the first.")
def diagnose(  # noqa: PLR0913 one parameter an option
    files: tuple[str, ...],
    gpu: str | None,
    vram: float | None,
    ram: float | None,
    goal: str | None,
    lang: str,
    form: str,
    out: str | None,
    in_place: bool,
    force: bool,
    all_steps: bool,
) -> None:
    """Say why a run died of memory, and what to change first.

    FILE is a config, a log or a traceback, in any number; `-` or nothing is standard input.
    """
    from bot.intake.read import Told

    pasted = read_inputs(files)
    check_targets(files, out, in_place=in_place, force=force)
    told = Told(gpu=gpu, vram_gib=vram, ram_gib=ram, goal=goal)
    knowledge = Knowledge()
    evidence, diagnosis = run(pasted, told, knowledge, lang)
    show(diagnosis, knowledge, form, all_steps=all_steps)
    if out is not None or in_place:
        write_fixed(pasted, files, evidence, diagnosis, knowledge.locale(diagnosis.locale), out)


def run(
    pasted: "list[Pasted]", told: "Told", knowledge: Knowledge, lang: str
) -> "tuple[Evidence, Diagnosis]":
    """Intake and engine, in the language that fits."""
    from bot.engine import diagnose as decide
    from bot.intake.read import read

    evidence = read(pasted, knowledge, told)
    locale = pick_language(lang, knowledge, evidence.prose_language)
    return evidence, decide(evidence, knowledge, locale=locale)
