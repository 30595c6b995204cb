"""What a moderator runs after a change: every fault of knowledge/ with file, line and remedy.

The files are read first, one by one; what can only be seen across files (a tree that cannot be reached, words that
are missing in a language, a rule without a case) comes once the files themselves are sound.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from bot.knowledge.builds import load_builds
from bot.knowledge.complaint import Complaint, Complaints, nearest_line
from bot.knowledge.folder import located
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags
from bot.knowledge.reading import read_as
from bot.knowledge.schema import Rule, Tree
from bot.yamledit import LimitError, ParseError

Reader = Callable[[Knowledge], object]


def check(knowledge: Knowledge, readers: Mapping[str, Reader] = MappingProxyType({})) -> list[Complaint]:
    """Every fault, the files' own first. Empty: the knowledge is sound.

    `readers` are those of files that other parts of the program own, by file: they are tried like those known here.
    """
    files = {**_readers(knowledge), **readers}
    own = [fault for file, reader in files.items() for fault in _read_faults(knowledge, file, reader)]
    return own or [fault for part in _parts() for fault in part(knowledge)]


def _readers(knowledge: Knowledge) -> dict[str, Reader]:
    """By file what reads it, and raises where it is wrong."""
    from bot.knowledge.families import Families
    from bot.knowledge.gpus import Gpus
    from bot.knowledge.hosts import hosts_of
    from bot.knowledge.keys import keys_of
    from bot.knowledge.pastes import Pastes
    from bot.knowledge.phrases import Phrases
    from bot.knowledge.settings import settings_of
    from bot.knowledge.signatures import Signatures
    from bot.knowledge.tools import tools_of

    rules = [f"rules/{file.name}" for file in sorted((knowledge.folder / "rules").glob("*.yaml"))]
    locales = [f"locales/{tag}.yaml" for tag in locale_tags(knowledge.folder)]
    return {
        **{file: partial(_shape, file=file, shape=tuple[Rule, ...]) for file in rules},
        "tree.yaml": partial(_shape, file="tree.yaml", shape=Tree), "builds.yaml": load_builds,
        **{file: partial(_words, file=file) for file in locales},
        "signatures.yaml": Signatures.load, "families.yaml": Families.load, "gpus.yaml": Gpus.load,
        "phrases.yaml": Phrases.load, "keys.yaml": keys_of, "hosts.yaml": hosts_of, "settings.yaml": settings_of,
        "tools.yaml": tools_of, "pastes.yaml": Pastes.load,
    }  # fmt: skip


def _shape(knowledge: Knowledge, *, file: str, shape: Any) -> object:
    return read_as(shape, knowledge.read(file))


def _words(knowledge: Knowledge, *, file: str) -> None:
    """What the words say is checked against the other files."""
    if not isinstance(knowledge.read(file), Mapping):
        raise ValueError("it holds no words: copy locales/en.yaml and translate it")  # noqa: TRY004 as the other readers do


def _read_faults(knowledge: Knowledge, file: str, reader: Reader) -> Complaints:
    try:
        reader(knowledge)
    except ValidationError as error:
        parsed = located(knowledge.folder / file)
        for fault in error.errors():
            path = tuple(part for part in fault["loc"] if not str(part).startswith("function-"))
            yield Complaint(file, nearest_line(parsed, path), _fault_words(fault), "mend the entry")
    except ParseError as error:
        yield Complaint(file, error.line, f"is not YAML: {error.problem}", "mend that line")
    except LimitError as error:
        yield Complaint(file, 1, str(error), "split the file")
    except OSError as error:
        yield Complaint(file, 1, f"cannot be read: {error.strerror}", "put the file back")
    except (ValueError, TypeError, KeyError) as error:
        yield Complaint(file, 1, f"does not load: {' '.join(str(error).split())}", "mend the entry it names")


def _fault_words(fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    unknown = fault["type"] == "extra_forbidden"
    return f"{where}: {'there is no such key' if unknown else fault['msg'].removeprefix('Value error, ')}"


def _parts() -> tuple[Callable[[Knowledge], Complaints], ...]:
    """What is checked across files."""
    from bot.knowledge.check_cases import case_faults
    from bot.knowledge.check_patterns import pattern_faults
    from bot.knowledge.check_tree import rule_faults, tree_faults
    from bot.knowledge.check_values import phrase_faults, value_faults
    from bot.knowledge.check_words import word_faults

    return (rule_faults, tree_faults, value_faults, phrase_faults, pattern_faults, word_faults, case_faults)
