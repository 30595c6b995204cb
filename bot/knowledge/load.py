"""Reading knowledge/: from the operator's own folder, the wheel's copy, or the repository's folder beside the package.

Each part is read when it is first asked for: a command pays only for what it uses.
"""

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.knowledge.reading import read_as
from bot.knowledge.schema import Rule, Tree
from bot.yamledit import Limits, parse

if TYPE_CHECKING:
    from bot.knowledge.builds import Build
    from bot.knowledge.families import Families
    from bot.knowledge.gpus import Gpus
    from bot.knowledge.locale import Locale
    from bot.knowledge.memory import Memory
    from bot.knowledge.phrases import Phrases
    from bot.knowledge.signatures import Signatures

_LIMITS = Limits(characters=4_000_000, nodes=400_000)


# The operator's own folder; also the variable of the setting `knowledge`.
VARIABLE = "OOM_MEDIC_KNOWLEDGE"


def data_folder() -> Path:
    """Where knowledge/ lies: OOM_MEDIC_KNOWLEDGE, else what is shipped."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else shipped_folder()


def shipped_folder() -> Path:
    """What comes with the program: bot/_data in an installed wheel, else the repository's folder."""
    package = Path(__file__).resolve().parent.parent
    shipped = package / "_data"
    return shipped if shipped.is_dir() else package.parent / "knowledge"


def read_yaml(path: Path) -> Any:
    """The content of one knowledge file, its keys as text. Takes half the time of PyYAML's own loading."""
    return parse(path.read_text(encoding="utf-8"), _LIMITS).data


class Knowledge:
    """Everything in knowledge/, typed. Immutable once read; a reload makes a new one."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder()

    def read(self, name: str) -> Any:
        """The plain content of one file, by its path inside knowledge/."""
        return read_yaml(self.folder / name)

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Every rule by id."""
        files = sorted((self.folder / "rules").glob("*.yaml"))
        return {rule.id: rule for file in files for rule in read_as(tuple[Rule, ...], read_yaml(file))}

    @cached_property
    def tree(self) -> Tree:
        """The FAQ decision tree."""
        return read_as(Tree, self.read("tree.yaml"))

    @cached_property
    def signatures(self) -> "Signatures":
        """Error texts, log markers and stack frames."""
        from bot.knowledge.signatures import Signatures

        return Signatures.load(self)

    @cached_property
    def families(self) -> "Families":
        """Model families and architectures."""
        from bot.knowledge.families import Families

        return Families.load(self)

    @cached_property
    def gpus(self) -> "Gpus":
        """Graphics cards."""
        from bot.knowledge.gpus import Gpus

        return Gpus.load(self)

    @cached_property
    def phrases(self) -> "Phrases":
        """What people say in prose."""
        from bot.knowledge.phrases import Phrases

        return Phrases.load(self)

    @cached_property
    def builds(self) -> "tuple[Build, ...]":
        """Known-bad windows of the toolkit and of torch."""
        from bot.knowledge.builds import load_builds

        return load_builds(self)

    @cached_property
    def memory(self) -> "Memory":
        """What the memory estimate reads."""
        from bot.knowledge.memory import Memory

        return Memory(self)

    def locale(self, tag: str) -> "Locale":
        """The words of one language."""
        from bot.knowledge.locale import Locale

        return Locale.load(self, tag)
