"""`oom-medic plan`: which settings to start with, for a model and a card."""

from typing import TYPE_CHECKING

import click

from bot.cli.inputs import gib
from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.cli.refuse import Refused
from bot.cli.show import as_json
from bot.knowledge.load import Knowledge

if TYPE_CHECKING:
    from bot.knowledge.locale import Locale

EXAMPLES = ("z-image", "flux", "qwen_image", "wan22_14b", "sdxl")


@click.command()
@click.option("--model", required=True, metavar="NAME", help="The model, as you would write it: z-image, FLUX.1, wan 2.2.")
@click.option("--gpu", metavar="NAME", help="The graphics card: 4090, RTX 3060.")
@click.option("--vram", callback=gib, metavar="GIB", help="Its memory in GiB, where the name does not tell.")
@language_option
@click.option("--format", "form", type=click.Choice(("text", "yaml", "json")), default="text", help="Shape of the answer.")
def plan(model: str, gpu: str | None, vram: float | None, lang: str, form: str) -> None:
    """Propose a starting config for a model on a card, with what each phase needs."""
    from bot.engine.plan import named_arch
    from bot.engine.plan import plan as make

    knowledge = Knowledge()
    locale = knowledge.locale(pick_language(lang, knowledge))
    size = card_size(gpu, vram, knowledge, locale)
    arch = named_arch(model, knowledge)
    if arch is None:
        raise Refused(locale.text("memory.no_model", name=model, known=list(EXAMPLES)))
    made = make(arch, size, knowledge)
    if form == "json":
        from bot.engine.plan_config import as_job

        job = as_job(made.arch, made.choice, made.start, "my_lora") if made.choice is not None and made.outcome != "no" else None
        memory = made.estimate.as_dict() if made.estimate is not None else None
        found = {"model": made.arch.id, "vram_gib": size, "outcome": made.outcome, "job": job, "memory": memory}
        near = {"cards_gib": made.cards, "models": made.models}
        click.echo(as_json({**found, "gave": made.gave, "nearest": near, "raises": [vars_of(one) for one in made.raises]}))
        return
    from bot.reply.plan_text import plan_lines, plan_yaml

    job_text = plan_yaml(made)
    if form == "yaml":
        click.echo(job_text or "", nl=False)
        return
    click.echo("\n".join(plan_lines(made, locale, knowledge.families)))
    if made.estimate is not None:
        from bot.reply.memory_table import bars

        click.echo("\n" + "\n".join(bars(made.estimate.as_dict(), locale)))
    if job_text:
        click.echo(f"\n{locale.text('memory.plan.fill_in')}\n\n{job_text}", nl=False)


def vars_of(raised: object) -> dict[str, object]:
    """The fields of a slotted dataclass."""
    return {name: getattr(raised, name) for name in raised.__slots__}  # type: ignore[attr-defined]


def card_size(gpu: str | None, vram: float | None, knowledge: Knowledge, locale: "Locale") -> float:
    """GiB of the card: as said, else of the name. Raises Refused."""
    if vram is not None:
        return vram
    if not gpu:
        raise Refused(locale.text("memory.no_card"))
    _, size = knowledge.gpus.told(gpu)
    if size is None:
        raise Refused(locale.text("memory.no_gpu", name=gpu))
    return size
