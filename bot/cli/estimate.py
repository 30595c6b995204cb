"""`oom-medic estimate`: how much memory a config needs, phase by phase."""

import click

from bot.cli.inputs import check_read, gib, read_inputs
from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.cli.refuse import Refused
from bot.cli.show import as_json
from bot.knowledge.load import Knowledge


@click.command()
@click.argument("files", nargs=-1, metavar="[CONFIG…|-]")
@click.option("--gpu", metavar="NAME", help="The graphics card: 4090, RTX 3060.")
@click.option("--vram", callback=gib, metavar="GIB", help="Its memory in GiB, where the name does not tell.")
@language_option
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", help="Shape of the answer.")
def estimate(files: tuple[str, ...], gpu: str | None, vram: float | None, lang: str, form: str) -> None:
    """Compute what a config needs, phase by phase."""
    from bot.engine.memory import estimate as compute
    from bot.engine.memory import why_none
    from bot.engine.plan_asked import NotPlanned, card_asked
    from bot.intake.read import Told, read

    knowledge = Knowledge()
    evidence = read(read_inputs(files), knowledge, Told(gpu=gpu or None, vram_gib=vram))
    locale = knowledge.locale(pick_language(lang, knowledge, evidence.prose_language))
    check_read(evidence, locale)
    try:
        card_asked(gpu, vram, knowledge)
    except NotPlanned as lacking:
        if gpu:
            raise Refused(locale.text(f"memory.{lacking.reason}", **lacking.values), locale) from None
    made = compute(evidence.facts, knowledge)
    if made is None and evidence.config is None and "model.arch" not in evidence.facts:
        raise Refused(locale.text("memory.none.config"), locale)
    if made is None:
        raise Refused(locale.text(f"memory.none.{why_none(evidence.facts, knowledge)}"), locale)
    memory = made.as_dict()
    if form == "json":
        click.echo(as_json(memory))
        return
    from bot.reply.memory_table import bars, lines

    arch = knowledge.families.arch(made.setup.arch)
    click.echo(locale.text("memory.title", model=arch.label if arch is not None else made.setup.arch))
    click.echo("\n".join(lines(memory, locale)))
    click.echo(locale.text("memory.basis", basis=memory["basis"]))
    click.echo("\n" + "\n".join(bars(memory, locale)))
