"""The words of one diagnosis: every key looked up with the facts and with what the step or finding adds."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bot.diagnosis import Citation, Diagnosis, Finding, Skipped, Step
from bot.knowledge.locale import Locale
from bot.knowledge.spoken import clean

if TYPE_CHECKING:
    from bot.knowledge.architectures import Family

MAX_CITED = 60
# Levers that no config has, so that they are the same in every trainer.
_WITHOUT_CONFIG = frozenset({
    "update_toolkit", "pin_version", "fix_install", "free_gpu", "select_gpu", "more_host_memory", "raise_shm", "free_disk",
    "split_job", "smaller_model", "bigger_gpu", "restart_worker", "fix_config", "ask",
})  # fmt: skip


class Words:
    """Texts of a diagnosis in one language. An empty text means that there is nothing to say."""

    def __init__(self, diagnosis: Diagnosis, locale: Locale) -> None:
        self.diagnosis = diagnosis
        self.locale = locale
        self.family = _family(diagnosis, locale)
        # Names as people write them, over the ids that the facts hold: `Z-Image` for `z-image`.
        self._names = {"model.family": self.family.label} if self.family else {}
        self.values = {**diagnosis.values, **self._names}
        self.now = tuple(step for step in diagnosis.steps if step.now)
        self.later = tuple(step for step in diagnosis.steps if not step.now and self._sayable(step))

    @property
    def for_toolkit(self) -> bool:
        """Whether ai-toolkit's own keys and panels may be named."""
        return self.diagnosis.source_tool in {"ai-toolkit", "unknown"}

    @property
    def faster(self) -> bool:
        """Whether nothing failed and the person wants speed."""
        return self.diagnosis.problem["class"] == "none" and self.diagnosis.values.get("goal") == "speed"

    def text(self, key: str, /, **given: Any) -> str:
        """The words under a key. Raises MissingWords."""
        return self.locale.text(key, self.values, **given)

    def find(self, key: str, /, **given: Any) -> str:
        """The words under a key, or an empty text."""
        return self.locale.find(key, self.values, **given)

    def of_rule(self, rule: str, part: str, values: Mapping[str, Any] | None) -> str:
        """`rules.<rule>.<part>` with the values of the step or finding over the facts.

        An empty value is one that is not there (a key that was absent): sentences that need it are not said.
        """
        own = {name: value for name, value in (values or {}).items() if value != ""}
        return self.locale.find(f"rules.{rule}.{part}", {**self.values, **own, **self._names})

    def fix(self, step: Step) -> str:
        """The change as an imperative; for other trainers their own setting, since ai-toolkit's keys mean nothing there."""
        said, name = self.of_rule(step.rule, "fix", step.values), self.text(f"levers.{step.lever}.name")
        if self.for_toolkit:
            return said or name
        return self._own_setting(step) or (name if "`" in said else said)

    def _own_setting(self, step: Step) -> str:
        return self.find(f"tools.{self.diagnosis.source_tool}.settings.{step.lever}").removesuffix(".")

    def _sayable(self, step: Step) -> bool:
        """Not what another trainer has no setting for."""
        return self.for_toolkit or step.lever in _WITHOUT_CONFIG or bool(self._own_setting(step))

    def why(self, step: Step) -> str:
        """Why it costs memory, or why the change helps; what to send, without ai-toolkit's places for other trainers."""
        if step.lever == "ask" and not self.for_toolkit:
            return self.text("tools.send")
        return self.of_rule(step.rule, "why", step.values)

    def cost(self, step: Step) -> str:
        """What the change costs; the safety's own sentence where the rule has none. An empty one: nothing to speak of."""
        key = f"rules.{step.rule}.cost"
        said = (
            self.of_rule(step.rule, "cost", step.values) if self.locale.has(key) else self.find(f"safety.{step.safety}")
        )
        return f"{self.text('reply.label.cost')} {said}" if said else ""

    def where(self, step: Step) -> str:
        """Where to click, in the labels of ai-toolkit's UI, or in its editor where the UI hides the switch for this model.

        Nothing for other tools.
        """
        if not self.for_toolkit:
            return ""
        hidden = self.values.get(f"arch.{step.lever}") == "hidden" and self.find(f"levers.{step.lever}.hidden")
        said = hidden or self.of_rule(step.rule, "where", step.values) or self.find(f"levers.{step.lever}.where")
        return f"{self.text('reply.label.where')} {said}" if said else ""

    def first_try(self) -> str:
        """The safest first try of the family, for advice ahead of a run and where checkpointing is what to change."""
        ahead = self.diagnosis.problem["class"] == "none" and self.diagnosis.problem["phase"] == "plan"
        if self.family is None or self.family.risk is None or not self.for_toolkit:
            return ""
        if not ahead and not any(step.lever == "gradient_checkpointing" for step in self.now):
            return ""
        return self.find(f"first_tries.{self.family.risk.first_try}")

    def saving(self, step: Step) -> str:
        """What the change saves, and whether it all fits the card then; silent where it saves nothing at this point."""
        if not step.saves_gib:
            return ""
        saved = self.text("memory.saves", saved=step.saves_gib) if self._believable(step) else ""
        fits = self.text(f"memory.fits.{step.fits}") if step.fits else ""
        return f"{saved} {fits} {self._ahead()}".strip()

    def _ahead(self) -> str:
        """That the training step, which comes after the preview, will not fit either; silent where steps were done."""
        verdicts = (self.diagnosis.memory or {}).get("verdict", {})
        fails = self.diagnosis.problem["phase"] == "sample" and verdicts.get("train") == "no"
        return self.text("memory.ahead") if fails else ""

    def less(self, step: Step) -> str:
        """The same of a later step, in brackets behind it."""
        if not step.saves_gib or not self._believable(step):
            return ""
        return self.text(f"memory.less.{step.fits or 'open'}", saved=step.saves_gib)

    def _believable(self, step: Step) -> bool:
        """Not more than the card has: so much was never there to be saved, and the figure would only puzzle."""
        card = self.diagnosis.hardware.get("vram_gib")
        return card is None or (step.saves_gib or 0) <= card

    def skip(self, skip: Skipped) -> str:
        """Why a step is left out."""
        return self.of_rule(skip.rule, f"skip.{skip.reason}", skip.values)

    def finding(self, found: Finding) -> str:
        """The fact that was found."""
        return self.of_rule(found.rule, "finding", found.values)

    def citation(self, cited: Citation) -> str:
        """Where in the paste it stands."""
        text = clean(cited.text, MAX_CITED)
        return self.text("reply.line", line=cited.line, **({"text": text} if text else {}))


def _family(diagnosis: Diagnosis, locale: Locale) -> "Family | None":
    slug = diagnosis.model.get("family")
    return locale.knowledge.families.family(slug) if slug and locale.knowledge else None
