"""The words of one diagnosis: every key looked up with the facts and with what the step or finding adds."""

from collections.abc import Mapping
from typing import Any

from bot.diagnosis import Citation, Diagnosis, Finding, Skipped, Step
from bot.knowledge.locale import Locale
from bot.knowledge.values import clean

MAX_CITED = 100


class Words:
    """Texts of a diagnosis in one language. An empty text means that there is nothing to say."""

    def __init__(self, diagnosis: Diagnosis, locale: Locale) -> None:
        self.diagnosis = diagnosis
        self.locale = locale
        self.now = tuple(step for step in diagnosis.steps if step.now)

    @property
    def for_toolkit(self) -> bool:
        """Whether ai-toolkit's own keys and panels may be named."""
        return self.diagnosis.source_tool in {"ai-toolkit", "unknown"}

    def text(self, key: str, /, **given: Any) -> str:
        """The words under a key. Raises MissingWords."""
        return self.locale.text(key, self.diagnosis.values, **given)

    def find(self, key: str, /, **given: Any) -> str:
        """The words under a key, or an empty text."""
        return self.locale.find(key, self.diagnosis.values, **given)

    def of_rule(self, rule: str, part: str, values: Mapping[str, Any] | None) -> str:
        """`rules.<rule>.<part>` with the values of the step or finding over the facts."""
        return self.locale.find(f"rules.{rule}.{part}", {**self.diagnosis.values, **(values or {})})

    def fix(self, step: Step) -> str:
        """The change as an imperative."""
        return self.of_rule(step.rule, "fix", step.values) or self.text(f"levers.{step.lever}.name")

    def why(self, step: Step) -> str:
        """Why it costs memory, or why the change helps."""
        return self.of_rule(step.rule, "why", step.values)

    def cost(self, step: Step) -> str:
        """What the change costs; the safety's own sentence where the rule says nothing."""
        return self.of_rule(step.rule, "cost", step.values) or self.find(f"safety.{step.safety}")

    def where(self, step: Step) -> str:
        """Where to click, in the labels of ai-toolkit's UI; nothing for other tools."""
        if not self.for_toolkit:
            return ""
        return self.of_rule(step.rule, "where", step.values) or self.find(f"levers.{step.lever}.where")

    def saving(self, step: Step) -> str:
        """What the step saves and whether that fits the card, where an estimate was made."""
        said = self.text("memory.saves", saved=step.saves_gib) if step.saves_gib else ""
        fits = self.find(f"memory.fits.{step.fits}") if step.fits else ""
        return " ".join(part for part in (said, fits) if part)

    def skip(self, skip: Skipped) -> str:
        """Why a step is left out."""
        return self.of_rule(skip.rule, f"skip.{skip.reason}", skip.values)

    def finding(self, found: Finding) -> str:
        """The fact that was found."""
        return self.of_rule(found.rule, "finding", found.values)

    def citation(self, cited: Citation) -> str:
        """Where in the paste it stands."""
        return self.text("reply.line", line=cited.line, text=clean(cited.text, MAX_CITED))
