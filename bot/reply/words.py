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
        self._names = _names(diagnosis, locale)
        self.values = {**diagnosis.values, **self._names}
        self.now = tuple(step for step in diagnosis.steps if step.now)

    @property
    def for_toolkit(self) -> bool:
        """Whether ai-toolkit's own keys and panels may be named."""
        return self.diagnosis.source_tool in {"ai-toolkit", "unknown"}

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
        """The change as an imperative."""
        return self.of_rule(step.rule, "fix", step.values) or self.text(f"levers.{step.lever}.name")

    def why(self, step: Step) -> str:
        """Why it costs memory, or why the change helps."""
        return self.of_rule(step.rule, "why", step.values)

    def cost(self, step: Step) -> str:
        """What the change costs; the safety's own sentence where the rule says nothing."""
        said = self.of_rule(step.rule, "cost", step.values) or self.find(f"safety.{step.safety}")
        return f"{self.text('reply.label.cost')} {said}" if said else ""

    def where(self, step: Step) -> str:
        """Where to click, in the labels of ai-toolkit's UI; nothing for other tools."""
        if not self.for_toolkit:
            return ""
        said = self.of_rule(step.rule, "where", step.values) or self.find(f"levers.{step.lever}.where")
        return f"{self.text('reply.label.where')} {said}" if said else ""

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


def _names(diagnosis: Diagnosis, locale: Locale) -> dict[str, str]:
    """Names as people write them, over the ids that the facts hold: `Z-Image` for `z-image`."""
    slug = diagnosis.model.get("family")
    family = locale.knowledge.families.family(slug) if slug and locale.knowledge else None
    return {"model.family": family.label} if family else {}
