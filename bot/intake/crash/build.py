"""How old the checkout and which torch it is, as far as the text gives it away; the model and the card likewise."""

import re
from collections.abc import Iterable, Iterator, Mapping

from bot.intake.crash.log import Log, counted_every_step
from bot.intake.crash.phase import Trace
from bot.intake.crash.view import View, last_occurrences
from bot.knowledge.signature_file import Window
from bot.knowledge.signatures import Signatures

_TORCH = re.compile(rb"torch(?:_?version)?[=:]{0,4}v?((?:2\.\d{1,2}|1\.1[0-3])(?:\.\d{1,2})?)(?!\d)")
_CARD = re.compile(r"NVIDIA (?:GeForce )?([A-Z][\w -]{2,40}?) with CUDA capability")
_RUN = re.compile(rb"basesdtrainprocess\.py.{1,3},line(\d{1,5}),inrun(.{1,80})", re.DOTALL)
_LOOP = b"basesdtrainprocess.py"
_LAST_FRAMES = 8
_STEP = frozenset({"train_forward", "train_backward", "optimizer_step"})


def build_window(view: View, signatures: Signatures, log: Log, trace: Trace) -> dict[str, str]:
    """`log.build_after` and `log.build_before` as ISO dates; empty where nothing tells or the hints disagree."""
    file = signatures.file
    rows = [file.builds[place] for place in signatures.any_build.matching(view.squeezed)]
    if trace.name in _STEP and b"outofmemoryerror:" in trace.text:
        rows.append(file.uncaught_step_oom)
    if counted_every_step(log):
        rows += [row for row in file.builds if row.squeezed and "loss_dict" in row.squeezed]
    return _narrowest([*rows, *_by_line_numbers(view, signatures)])


def _by_line_numbers(view: View, signatures: Signatures) -> Iterator[Window]:
    """The toolkit's own trace shows on which line a statement of its main loop stands."""
    for offset in last_occurrences(view.squeezed, _LOOP, _LAST_FRAMES):
        match = _RUN.match(view.squeezed, offset)
        if match is None:
            continue
        for statement, lines in signatures.toolkit_lines.items():
            days = lines.get(int(match[1]))
            if days and statement.encode() in match[2]:
                yield Window(after=days[0], before=days[1])


def _narrowest(rows: Iterable[Window]) -> dict[str, str]:
    kept = list(rows)
    after = max((row.after for row in kept if row.after), default=None)
    before = min((row.before for row in kept if row.before), default=None)
    if after and before and after >= before:
        return {}
    dates = {"log.build_after": after, "log.build_before": before}
    return {name: day.isoformat() for name, day in dates.items() if day}


def torch_version(view: View, signatures: Signatures) -> str | None:
    """The last version of torch named with its number, else the one that only a text of its own gives away."""
    named = [match[1] for match in _TORCH.finditer(view.squeezed)]
    if named:
        return named[-1].decode()
    hints = signatures.file.torch_hints
    return next((row.torch for row in hints if signatures.pattern(row.squeezed).search(view.squeezed)), None)


def model_given_away(log: Log, signatures: Signatures) -> Mapping[str, str]:
    """`model.family` and `model.arch` where the markers leave no doubt."""
    seen = set(log.markers)
    for row in signatures.file.betrays:
        if seen.issuperset(row.seen) and seen.isdisjoint(row.without):
            return {"model.family": row.family} | ({"model.arch": row.arch} if row.arch else {})
    return {}


def card_named(view: View) -> str | None:
    """The card that torch complains about: `RTX 5090`."""
    if b"withcudacapability" not in view.squeezed:
        return None
    found = (_CARD.search(line.text[:400]) for line in view.lines if "CUDA capability" in line.text)
    return next((match[1] for match in found if match), None)
