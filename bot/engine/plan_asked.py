"""What somebody asks a plan for: a model and a card by the names they were given."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.engine.plan import Plan, named_arch, plan
from bot.knowledge.spelling import plain

if TYPE_CHECKING:
    from bot.knowledge.load import Knowledge

EXAMPLES = ("z-image", "flux", "qwen_image", "wan22_14b", "sdxl")


class NotPlanned(Exception):  # noqa: N818 no fault of the program: the question lacks something
    """What the question lacks. Words: `memory.<reason>`."""

    def __init__(self, reason: str, **values: Any) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, values


@dataclass(frozen=True, slots=True)
class Card:
    """A card: GiB, and who makes it."""

    vram: float
    vendor: str


def plan_for(model: str, gpu: str | None, vram: float | None, knowledge: "Knowledge") -> Plan:
    """The plan for a model and a card as people name them. Raises NotPlanned."""
    card = card_asked(gpu, vram, knowledge)
    arch = named_arch(model, knowledge)
    if arch is None:
        for said in knowledge.phrases.search(plain(model.lower())):
            absent = knowledge.phrases.phrases[said.phrase].states.get("model.absent")
            if absent is not None:
                raise NotPlanned("absent", name=absent)
        raise NotPlanned("no_model", name=model, known=list(EXAMPLES))
    return plan(arch, card.vram, knowledge, vendor=card.vendor)


def card_asked(gpu: str | None, vram: float | None, knowledge: "Knowledge") -> "Card":
    """Its size as said, else of the name. Raises NotPlanned."""
    if not gpu:
        if vram is None:
            raise NotPlanned("no_card")
        return Card(vram, "nvidia")
    known, size = knowledge.gpus.told(gpu)
    size = vram if vram is not None else size
    if size is not None:
        return Card(size, known.vendor if known is not None else "nvidia")
    if known is not None and known.sizes:
        raise NotPlanned("which_size", name=gpu, sizes=[f"{one} GB" for one in known.sizes], example=known.sizes[-1])
    raise NotPlanned("no_gpu", name=gpu)
