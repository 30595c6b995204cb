"""The machine, from what people say: card, memory, system, cloud, and another card they ask about."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.facts import Fact, Place
from bot.intake.said.amounts import Amount, amounts
from bot.intake.said.trouble import most_troubled
from bot.intake.text.passage import Passage
from bot.knowledge.gpus import Gpu, Seen
from bot.knowledge.hosts import Hosts, hosts_of
from bot.knowledge.load import Knowledge

_BEFORE = 3
_CHOICE = 2  # sizes from which on one has to be named
_BARE_SIZE = re.compile(r"[ -](\d{1,3})(?![\d/%]|[.,]\d|\s?x)")
_BETWEEN = 40  # characters between two cards of which one is to be chosen
_BESIDE = 14  # characters between a card's name and its size: `RTX 4060 Ti (16 GB)`, `L20(48G)`


class _Card(NamedTuple):
    """A card named in prose with the size that was said beside it."""

    seen: Seen
    said: Amount | None

    @property
    def gib(self) -> float | None:
        return self.seen.gpu.with_size(None if self.said is None else self.said.gib)


def said_hardware(passage: Passage, knowledge: Knowledge) -> dict[str, Fact]:
    """The gpu.* and host.* facts (origin `prose`) of a passage of prose."""
    hosts = hosts_of(knowledge)
    cards = knowledge.gpus.search(passage.text)
    sizes = amounts(passage, hosts)
    if not cards and not sizes:
        return _surroundings(passage, hosts)
    if _is_choice(passage, cards, hosts):
        chosen = {"gpu.choice": Fact(True, "prose", passage.place(cards[0].start))}
        return (
            chosen
            | _own_card(passage, [], [size for size in sizes if size.kind == "ram"], hosts)
            | _surroundings(passage, hosts)
        )
    paired = _pair(passage.text, cards, sizes)
    paired = most_troubled([(card, card.seen.start, card.seen.end) for card in paired], passage, hosts)
    taken = {id(card.said) for card in paired if card.said}
    loose = [size for size in sizes if id(size) not in taken]
    own, asked = _split(passage, paired, loose, hosts)
    facts = _surroundings(passage, hosts)
    facts |= _own_card(
        passage, own, [size for size in loose if not _asked(passage, size.start, hosts) or not asked], hosts
    )
    if asked is not None:
        facts["gpu.target_vram_gib"] = Fact(asked[0], "prose", passage.place(asked[1]))
    return facts


def _is_choice(passage: Passage, cards: Sequence[Seen], hosts: Hosts) -> bool:
    """`3060 or 4090, which one should I buy?`: neither is the card that a run is on."""
    for one, other in pairwise(cards):
        between = passage.plain[one.end : other.start]
        if one.gpu.name != other.gpu.name and len(between) <= _BETWEEN and hosts.choice.search(between):
            sentence = passage.plain_sentence_at(one.start)
            asked = any(word in sentence for word in hosts.choice_asked)
            return asked and hosts.card_trouble.search(sentence) is None
    return False


def _pair(text: str, cards: Sequence[Seen], sizes: Sequence[Amount]) -> list[_Card]:
    """Each card with the size right behind it, or else in front (`12 GB 3060`), where it can be the card's."""
    paired = []
    for index, card in enumerate(cards):
        limit = cards[index + 1].start if index + 1 < len(cards) else len(text)
        behind = (size for size in sizes if card.end <= size.start < limit and size.start - card.end <= _BESIDE)
        said = next(
            (size for size in behind if "\n" not in text[card.end : size.start] and _can_be(card.gpu, size)), None
        )
        before = (
            size
            for size in sizes
            if 0 <= card.start - size.end <= _BEFORE and not text[size.end : card.start].strip(" -")
        )
        said = said or next((size for size in before if _can_be(card.gpu, size)), None)
        paired.append(_Card(card, said or _bare_size(text, card)))
    return paired


def _bare_size(text: str, card: Seen) -> Amount | None:
    """`A100 80`: one of the sizes that the card was sold with, right behind its name and without a unit."""
    number = _BARE_SIZE.match(text, card.end)
    if number is None or int(number[1]) not in card.gpu.sizes or len(card.gpu.sizes) < _CHOICE:
        return None
    return Amount(float(number[1]), "vram", number.start(1), number.end(1))


def _can_be(gpu: Gpu, size: Amount) -> bool:
    fits = any(abs(sold - size.gib) <= 0.07 * sold for sold in gpu.sizes) or (gpu.unified and not gpu.sizes)
    return fits and size.kind in ({"bare", "vram", "ram"} if gpu.unified else {"bare", "vram"})


def _asked(passage: Passage, at: int, hosts: Hosts) -> bool:
    clause = passage.plain_clause_at(at)
    return any(word in clause for word in hosts.target_words)


def _split(
    passage: Passage, cards: list[_Card], loose: list[Amount], hosts: Hosts
) -> tuple[list[_Card], tuple[float, int] | None]:
    """The person's own cards, and (GiB, offset) of another that they ask about."""
    own = [card for card in cards if not _asked(passage, card.seen.start, hosts)]
    has_own = bool(own) or any(size.kind == "vram" and not _asked(passage, size.start, hosts) for size in loose)
    if not has_own:
        return cards, None
    for card in cards:
        if card not in own and card.gib is not None and card.seen.gpu.name != (own[0].seen.gpu.name if own else None):
            return own, (card.gib, card.seen.start)
    for size in loose:
        if size.kind == "vram" and _asked(passage, size.start, hosts) and (not own or size.gib != own[0].gib):
            return own, (size.gib, size.start)
    return own or cards, None


def _own_card(passage: Passage, own: list[_Card], loose: list[Amount], hosts: Hosts) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    card = own[0] if own else None
    if card is not None:
        gpu, place = card.seen.gpu, passage.place(card.seen.start)
        facts |= _named_card(gpu, place)
        facts["gpu.count"] = Fact(card.seen.count, "prose", place)
        if gpu.unified:
            return facts | _unified_memory(passage, card, loose)
    vram = _vram(card, most_troubled([(size, size.start, size.end) for size in loose], passage, hosts), hosts)
    if vram is not None:
        facts["gpu.vram_gib"] = Fact(vram[0], "prose", passage.place(vram[1]))
    ram = _first(loose, "ram")
    if ram is None and card is not None:
        ram = next((size for size in loose if size.kind == "bare" and _is_ram(size, card, hosts)), None)
    if ram is not None:
        facts["host.ram_gib"] = Fact(ram.gib, "prose", passage.place(ram.start))
    shared = _first(loose, "shared")
    if shared is not None:
        facts["gpu.shared_gib"] = Fact(shared.gib, "prose", passage.place(shared.start))
    return facts


def _is_ram(size: Amount, card: _Card, hosts: Hosts) -> bool:
    """A size with nothing beside it that is none of the card's, and one that system memory comes in."""
    return size.gib in hosts.usual_ram and size.gib != card.gib and size.gib not in card.seen.gpu.sizes


def _named_card(gpu: Gpu, place: Place | None) -> dict[str, Fact]:
    return {
        "gpu.name": Fact(gpu.name, "prose", place),
        "gpu.vendor": Fact(gpu.vendor, "prose", place),
        "gpu.unified": Fact(gpu.unified, "prose", place),
    }


def _vram(card: _Card | None, loose: Iterable[Amount], hosts: Hosts) -> tuple[float, int] | None:
    """The card's size: said beside its name, said as VRAM elsewhere, or known from the name."""
    if card is not None and card.said is not None and card.gib is not None:
        return card.gib, card.seen.start
    said = next((size for size in loose if size.kind == "vram"), None)
    if card is not None:
        gib = card.seen.gpu.with_size(None if said is None else said.gib)
        return None if gib is None else (gib, card.seen.start)
    if said is not None:
        return said.gib, said.start
    bare = [size for size in loose if size.kind == "bare" and size.gib in hosts.usual_vram]
    return (bare[0].gib, bare[0].start) if len({size.gib for size in bare}) == 1 else None


def _unified_memory(passage: Passage, card: _Card, loose: list[Amount]) -> dict[str, Fact]:
    """One memory for both: whatever size is said is the card's and the system's."""
    said = card.said or next((size for size in loose if size.kind in {"bare", "ram", "vram"}), None)
    gib = card.gib if said is None else said.gib
    if gib is None:
        return {}
    place = passage.place(card.seen.start if said is None else said.start)
    return {"gpu.vram_gib": Fact(gib, "prose", place), "host.ram_gib": Fact(gib, "prose", place)}


def _first(sizes: Iterable[Amount], kind: str) -> Amount | None:
    return next((size for size in sizes if size.kind == kind), None)


def _surroundings(passage: Passage, hosts: Hosts) -> dict[str, Fact]:
    facts: dict[str, Fact] = {}
    for fact, names in (("host.platform", hosts.platforms), ("host.cloud", hosts.clouds)):
        for name in names:
            match = hosts.words[name].search(passage.plain)
            if match is not None:
                facts[fact] = Fact(name, "prose", passage.place(match.start() + 1))
                break
    return facts
