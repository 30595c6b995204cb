"""`oom-medic plan`: which settings to start with, for a model and a card."""

from typing import TYPE_CHECKING, Any

import click

from bot.cli.inputs import gib
from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.cli.refuse import Refused
from bot.cli.show import as_json
from bot.knowledge.load import Knowledge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.engine.plan import Plan


@click.command()
@click.option(
    "--model", required=True, metavar="NAME", help="The model, as you would write it: z-image, FLUX.1, wan 2.2."
)
@click.option("--gpu", metavar="NAME", help="The graphics card: 4090, RTX 3060.")
@click.option("--vram", callback=gib, metavar="GIB", help="Its memory in GiB, where the name does not tell.")
@language_option
@click.option(
    "--format", "form", type=click.Choice(("text", "yaml", "json")), default="text", help="Shape of the answer."
)
def plan(model: str, gpu: str | None, vram: float | None, lang: str, form: str) -> None:
    """Propose a starting config for a model on a card.

    With what each phase needs, and what to raise first.
    """
    from bot.engine.plan_asked import NotPlanned, plan_for

    knowledge = Knowledge()
    locale = knowledge.locale(pick_language(lang, knowledge))
    try:
        made = plan_for(model, gpu, vram, knowledge)
    except NotPlanned as lacking:
        raise Refused(locale.text(f"memory.{lacking.reason}", **lacking.values), locale) from None
    from bot.reply.plan_text import plan_job, plan_lines, plan_yaml

    if form == "json":
        click.echo(as_json(_as_dict(made, plan_job(made))))
        return
    job_text = plan_yaml(made)
    if form == "yaml":
        if job_text is None:
            raise Refused(locale.text(f"memory.plan.{made.outcome}"), locale)
        click.echo(job_text, nl=False)
        return
    click.echo("\n".join(plan_lines(made, locale, knowledge.families)))
    if made.estimate is not None:
        from bot.reply.memory_table import bars

        click.echo("\n" + "\n".join(bars(made.estimate.as_dict(), locale)))
    if job_text:
        click.echo(f"\n{locale.text('memory.plan.fill_in')}\n\n{job_text}", nl=False)


def _as_dict(plan: "Plan", job: "Mapping[str, Any] | None") -> dict[str, Any]:
    return {
        "model": plan.arch.id, "vram_gib": plan.vram, "outcome": plan.outcome, "job": job,
        "memory": plan.estimate.as_dict() if plan.estimate is not None else None, "gave": plan.gave,
        "nearest": {"cards_gib": plan.cards, "models": plan.models},
        "raises": [{"lever": one.lever, "value": one.value, "costs": one.costs} for one in plan.raises],
    }  # fmt: skip
