"""A plan as lines of text, and the job to paste."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import yaml

from bot.engine.plan_config import as_job
from bot.reply.memory_table import lines

if TYPE_CHECKING:
    from bot.engine.plan import Plan
    from bot.knowledge.families import Families
    from bot.knowledge.locale import Locale

_NAME = "my_lora"  # of the job, for the person to change


def plan_lines(plan: "Plan", locale: "Locale", families: "Families") -> Iterator[str]:
    """What came out, what it rests on, and what to try next."""
    yield locale.text("memory.plan.title", model=plan.arch.label, size=plan.vram)
    yield locale.text(f"memory.plan.{plan.outcome}")
    stated = plan.arch.can.stated_gib
    if plan.outcome in {"fits", "tight"} and stated is not None and stated > plan.vram:
        yield locale.text("memory.plan.stated", stated=stated)
    if plan.estimate is None:
        return
    yield ""
    yield from lines(plan.estimate.as_dict(), locale)
    yield ""
    if plan.outcome != "no" and plan.headroom is not None:
        yield locale.text("memory.plan.headroom", headroom=plan.headroom)
    if plan.gave and plan.outcome != "no":
        yield locale.text("memory.plan.gave", levers=[locale.text(f"levers.{name}.name") for name in plan.gave])
    if plan.choice is not None and plan.choice.offload and plan.outcome != "no":
        yield locale.text("memory.plan.offloads")
    if plan.vendor != "nvidia":
        yield locale.text(f"memory.plan.{'unified' if plan.vendor == 'apple' else 'not_nvidia'}")
    yield from _nearest(plan, locale, families)
    if plan.raises:
        yield locale.text("memory.plan.raise")
    for one in plan.raises:
        yield "- " + locale.text(f"memory.plan.raises.{one.lever}", value=int(one.value), costs=one.costs)


def _nearest(plan: "Plan", locale: "Locale", families: "Families") -> Iterator[str]:
    for size in plan.cards:
        yield locale.text("memory.plan.nearest_card", size=float(size))
    known = [arch.label for name in plan.models if (arch := families.arch(name)) is not None]
    if known:
        yield locale.text("memory.plan.nearest_models", models=known)


def plan_yaml(plan: "Plan") -> str | None:
    """The job as YAML, lists of numbers on one line; None where there is nothing to paste."""
    job = plan_job(plan)
    return None if job is None else yaml.dump(job, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=200)


def plan_job(plan: "Plan") -> Mapping[str, Any] | None:
    """The job, for the device that the card is; None where there is nothing to paste."""
    if plan.choice is None or plan.outcome == "no":
        return None
    device = "mps" if plan.vendor == "apple" else "cuda:0"
    return as_job(plan.arch, plan.choice, plan.start, _NAME, device=device)


class _Dumper(yaml.SafeDumper):
    """Indents list items under their key, as the toolkit's own examples do."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 the base class's name
        super().increase_indent(flow, indentless=False)


def _numbers_in_line(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.Node:
    flow = all(isinstance(item, int) for item in items)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=flow)


_Dumper.add_representer(list, _numbers_in_line)
