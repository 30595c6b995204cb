"""The shape of everything in knowledge/, checked strictly when it is loaded."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from bot.facts import Facts
from bot.knowledge.conditions import Condition
from bot.knowledge.record import NONE, Record, matching

Slug = Annotated[str, matching(r"[a-z0-9]+(?:-[a-z0-9]+)*")]
Class = Literal[
    "vram_oom",
    "pinned_host_memory",
    "host_ram_oom",
    "gpu_shared",
    "shared_memory_spill",
    "shm_full",
    "disk_full",
    "not_memory",
    "none",
    "unknown",
]
Phase = Literal[
    "install",
    "load",
    "quantize",
    "text_encoder",
    "cache_latents",
    "cache_text_embeddings",
    "train",
    "sample",
    "save",
    "plan",
    "unknown",
]
Lever = Literal[
    "gradient_checkpointing",
    "batch_size",
    "top_bucket",
    "preview_cost",
    "num_frames",
    "cache_latents",
    "cache_text_embeddings",
    "unload_text_encoder",
    "quantize",
    "low_bit_weights",
    "low_vram",
    "layer_offloading",
    "match_target_res",
    "optimizer",
    "ema",
    "rank",
    "dtype",
    "preservation_loss",
    "dataloader_workers",
    "switch_boundary",
    "update_toolkit",
    "pin_version",
    "fix_install",
    "free_gpu",
    "select_gpu",
    "more_host_memory",
    "raise_shm",
    "free_disk",
    "split_job",
    "smaller_model",
    "bigger_gpu",
    "restart_worker",
    "fix_config",
    "ask",
]
Tool = Literal[
    "ai-toolkit",
    "kohya-sd-scripts",
    "musubi-tuner",
    "onetrainer",
    "diffusion-pipe",
    "simpletuner",
    "diffsynth",
    "other",
    "unknown",
]
Move = Literal[
    "lower_batch",
    "drop_top_bucket",
    "shrink_previews",
    "cheaper_previews",
    "fewer_frames",
    "fewer_workers",
    "low_bit_weights",
    "lower_rank",
]
FAQ_ORDER: tuple[Lever, ...] = ("gradient_checkpointing", "batch_size", "top_bucket", "preview_cost", "num_frames")


class Conditional(Record):
    """Something that holds or not by a condition over the facts."""

    when: Condition

    @cached_property
    def test(self) -> Callable[[Facts], bool]:
        """The compiled condition."""
        return self.when.compile()


class Fix(Record):
    """What a rule changes.

    `set` writes values by path from the process root (`train.x`, `datasets[*].x` for every dataset); `move` names a
    mechanism of bot/engine/moves.py that computes the values from the config. Neither: the fix is words alone.
    """

    lever: Lever
    safety: Literal["safe", "quality", "unsafe"] = "safe"
    set: Mapping[str, Any] = NONE
    move: Move | None = None


class Skip(Conditional):
    """Why a step is left out, said to the user: words `rules.<id>.skip.<say>`."""

    say: Slug


class Rule(Conditional):
    """What to look for, and what to change. Words in the locales under `rules.<id>`.

    `finding: false` makes the rule a step only (nothing is reported as found).
    """

    id: Slug
    severity: Literal["error", "warning", "info"] = "info"
    confidence: Literal["high", "medium", "low"] = "high"
    phases: tuple[Phase, ...] = ()
    finding: bool = True
    evidence: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    fix: Fix | None = None
    skip: tuple[Skip, ...] = ()
    source: str


class Answer(Record):
    """One answer of a tree node: evidence decides by `when`, a person by the words `tree.<node>.<id>`.

    `offer: false` keeps an answer that only evidence can give away from people. `states` are the facts that a
    person's choice sets.
    """

    id: Slug
    offer: bool = True
    when: Condition | None = None
    to: Slug
    class_: Class | None = None
    phase: Phase | None = None
    states: Mapping[str, Any] = NONE

    @cached_property
    def test(self) -> Callable[[Facts], bool]:
        """The compiled condition; an answer without one is for people only."""
        return self.when.compile() if self.when else lambda _facts: False


class Node(Record):
    """A question (with answers) or an outcome (with a ladder of rule ids).

    Evidence takes the first answer whose `when` holds, else `otherwise`. `asked: false` keeps a question that only
    evidence can decide out of the walk by questions; that walk then goes on as evidence would.
    """

    answers: tuple[Answer, ...] = ()
    otherwise: Slug | None = None
    asked: bool = True
    ladder: tuple[Slug, ...] = ()
    class_: Class | None = None
    phase: Phase | None = None

    def _check(self) -> None:
        if bool(self.answers) == bool(self.ladder):
            raise ValueError("a node has either answers (a question) or a ladder (an outcome)")
        if self.answers and self.otherwise is None:
            raise ValueError("a question needs `otherwise`: the node to go to when no answer is certain")


class Tree(Record):
    """The FAQ decision tree."""

    start: Slug
    nodes: Mapping[Slug, Node]
