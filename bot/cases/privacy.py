"""The privacy text, generated from the settings in force, so that it cannot say what is not so."""

from dataclasses import dataclass

from bot.cases.deletion import Policy
from bot.knowledge.locale import Locale


@dataclass(frozen=True, slots=True)
class Facts:
    """What the text must know: the periods in force (for the server it is shown in), and who can be asked."""

    policy: Policy
    opted_out: bool = False
    contact: str | None = None
    moderators: bool = True


def privacy_text(facts: Facts, words: Locale) -> str:
    """What is stored, for how long, who sees it and how to be rid of it; paragraphs parted by empty lines."""
    parts = ["stored", "redacted", "retention", "settings", "counters"]
    parts += ["seen_by", "moderators"] if facts.moderators else ["seen_by_operator"]
    parts += ["opted_out" if facts.opted_out else "your_rights", "message_deleted", "server_left", "gone"]
    if facts.contact is not None:
        parts.append("contact")
    values = {
        "retention": facts.policy.retention_days,
        "grace": facts.policy.grace_days,
        "contact": facts.contact or "",
    }
    paragraphs = [_counted(words, part, values) for part in parts]
    return "\n\n".join([words.text("privacy.title"), *paragraphs])


def _counted(words: Locale, part: str, values: dict[str, object]) -> str:
    count = values["grace"] if part == "server_left" else values["retention"]
    return words.text(f"privacy.{part}", values, count=count)
