"""Known-bad builds of the toolkit and of what it stands on."""

from typing import TYPE_CHECKING, Literal

from bot.knowledge.reading import read_as
from bot.knowledge.schema import Conditional, Slug

if TYPE_CHECKING:
    from bot.knowledge.folder import DataFolder


class Build(Conditional):
    """A window of builds with a fault. Dates are ISO; `fixed` and `commit` name what mends it, where that is known.

    Words: `builds.<id>`.
    """

    id: Slug
    component: Literal["ai-toolkit", "torch", "torchao"]
    since: str | None = None
    fixed: str | None = None
    commit: str | None = None
    remedy: Literal["update_toolkit", "pin_version", "fix_install"]
    source: str


def load_builds(knowledge: "DataFolder") -> tuple[Build, ...]:
    """Every known-bad build."""
    return read_as(tuple[Build, ...], knowledge.read("builds.yaml"))
