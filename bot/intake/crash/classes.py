"""The problem's class, and the flags that explain it."""

from typing import NamedTuple

from bot.intake.crash.log import Log
from bot.intake.crash.match import Chosen, Match
from bot.intake.crash.numbers import Judgement
from bot.intake.crash.phase import Trace, phase_of
from bot.intake.crash.view import View
from bot.knowledge.signatures import Signatures

_SHORT = 4000
_REST = 24
_RUNTIME = frozenset({"not-the-allocator", "pinned-memory"})


class Scene(NamedTuple):
    """An error with all that surrounds it."""

    view: View
    signatures: Signatures
    present: frozenset[str]
    log: Log
    chosen: Chosen
    trace: Trace

    @property
    def match(self) -> Match:
        """Where the error stands, and which it is."""
        return self.chosen.match

    @property
    def phase(self) -> str | None:
        """What the run was doing."""
        return phase_of(self.chosen, self.trace, self.log)

    def shows(self, written: str) -> bool:
        """Whether the trace matches a pattern of the knowledge."""
        return bool(self.trace.text) and self.signatures.pattern(written).search(self.trace.text) is not None


def class_of(scene: Scene, judged: Judgement) -> str:
    """The class the signature stands for, corrected by the frames and by the numbers."""
    signature = scene.match.signature
    if not scene.chosen.fatal and signature.severity == "fatal":
        return "none"
    if signature.means == "not-the-allocator" and _is_host_side(scene):
        return "pinned_host_memory"
    if signature.class_ == "vram_oom" and judged.class_:
        return judged.class_
    return signature.class_


def more_flags(scene: Scene) -> list[str]:
    """Flags that come from the text, not from the numbers."""
    signs, signature = scene.signatures.file.signs, scene.match.signature
    of_runtime = signature.means in _RUNTIME
    flags = {
        "quantize_masked": scene.chosen.masked,
        "user_cap": signature.means == "user-cap",
        "pinned_frames": of_runtime and scene.shows(signs.pinned_frames),
        "offload_frames": of_runtime and scene.shows(signs.offload_frames),
        "unified_memory": signature.class_ == "vram_oom" and _shares_memory(scene),
    }
    return [name for name, on in flags.items() if on]


def _is_host_side(scene: Scene) -> bool:
    """Whether the runtime's `out of memory` without sizes, with no telling frame, is page-locked RAM.

    A copy to the card says no; quantizing says yes (it pins what it moves back), and in a step layer offloading does; so
    does somebody's own account with no frames at all. The bare text on its own tells nothing: then it is the card.
    """
    if scene.shows(scene.signatures.file.signs.to_card):
        return False
    if scene.phase == "quantize":
        return True
    if scene.trace.text:
        return False
    if scene.phase in {"train", "sample", "save"}:
        offload_on = scene.signatures.pattern(scene.signatures.file.signs.offload_on)
        return offload_on.search(scene.view.squeezed) is not None
    return bool(scene.log.signs) or _is_told(scene)


def _is_told(scene: Scene) -> bool:
    """Whether more is said than the error's own sentences."""
    text = scene.view.squeezed[:_SHORT]
    for written in scene.signatures.file.runtime_sentences:
        text = scene.signatures.pattern(written).sub(b"", text)
    return len(text) > _REST


def _shares_memory(scene: Scene) -> bool:
    return scene.match.signature.backend == "mps" or not scene.present.isdisjoint(scene.signatures.unified_words)
