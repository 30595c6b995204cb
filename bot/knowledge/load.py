"""Everything in knowledge/, typed. Each part is read when it is first asked for: a command pays only for what it uses."""

from functools import cached_property
from typing import TYPE_CHECKING

from bot.knowledge.folder import DataFolder, read_yaml
from bot.knowledge.reading import read_as
from bot.knowledge.schema import Rule, Tree

if TYPE_CHECKING:
    from bot.knowledge.builds import Build
    from bot.knowledge.families import Families
    from bot.knowledge.gpus import Gpus
    from bot.knowledge.locale import Locale
    from bot.knowledge.memory import Memory
    from bot.knowledge.phrases import Phrases
    from bot.knowledge.signatures import Signatures


class Knowledge(DataFolder):
    """Everything in knowledge/, typed. Immutable once read; a reload makes a new one."""

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
