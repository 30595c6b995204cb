"""Names in a paste replaced by invented ones, so that a stranger's case can become a test.

What a case stores is redacted already (secrets, addresses, user names). What is left of a person are the names they
gave: of the job, the folders, the subject, and their prompts. Which keys hold such names is data:
`knowledge/invented.yaml`. What people say in prose and comments stays; nobody but a reader can tell a name there.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Final

from pydantic import BaseModel, ConfigDict

from bot.cases.named_values import QUOTES, Value, comment_end, values
from bot.knowledge.load import Knowledge

# As in `--w 1536`; a phone makes one long dash of the two.
_SIZES: Final = re.compile(r"(?:--|[\u2013\u2014])[a-z]{1,8} [0-9.]{1,12}")
# What is no name: nothing, a switch, a number, a template of the toolkit's own (`[name]`).
_NO_NAME: Final = re.compile(r"|null|None|~|true|false|[-+0-9.e_]+|\[[a-z_]+\]|<[a-z-]+-\d+>", re.IGNORECASE)
# A path on the machine rather than a public model's id: `org/name`.
_LOCAL: Final = re.compile(r"(?:[A-Za-z]:)?[\\/~.].*|.*[\\/].*[\\/].*|.*\.(?:safetensors|ckpt|pth?|bin|gguf)")
_DRIVE: Final = re.compile(r"[A-Za-z]:([\\/]+)")
# A name shorter than this may stand in other words by chance.
_SHORTEST: Final = 5
_FILE: Final = r"(?:[\\/]+[^\s\"',;:()\[\]{}<>|]+)*"


class Invented(BaseModel):
    """`knowledge/invented.yaml`; its head says what each part is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: Mapping[str, str]
    places: Mapping[str, str]
    pictures: Mapping[str, str]
    prompts: Mapping[str, str]
    models: Mapping[str, str]
    plain: str
    roots: str


def load(knowledge: Knowledge) -> Invented:
    """The checked file. Raises pydantic.ValidationError."""
    return Invented.model_validate(knowledge.read("invented.yaml"))


class Inventor:
    """Replaces names in any number of texts of one case; the same name becomes the same everywhere."""

    def __init__(self, knowledge: Knowledge) -> None:
        invented = self._invented = load(knowledge)
        self._families = knowledge.families
        self._plain = set(invented.plain.split())
        self._roots = sorted(invented.roots.split(), key=len, reverse=True)
        self._named = {**invented.keys, **invented.places, **invented.pictures}
        self._keys = [*self._named, *invented.prompts, *invented.models]
        self._given: dict[str, str] = {}
        self._folders: set[str] = set()
        self._used: dict[str, int] = {}

    def renamed(self, texts: Iterable[str]) -> list[str]:
        """The texts with invented names."""
        made = [self._own_values(text) for text in texts]
        for name in sorted(filter(self._is_telling, self._given), key=len, reverse=True):
            inside = _FILE if name in self._folders else ""
            pattern = re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])({inside})")
            fresh = self._given[name]
            made = [_replaced(text, pattern, fresh) for text in made]
        return made

    def _own_values(self, text: str) -> str:
        pieces: list[str] = []
        at = 0
        for value in values(text, self._keys):
            before = text[value.start : value.end]
            fresh = self._fresh(value, before)
            if fresh is None:
                continue
            quote = text[value.end : value.end + 1] if text[value.start - 1] in QUOTES else ""
            pieces += (text[at : value.start], fresh, quote)
            at = max(value.end + len(quote), comment_end(text, value.end))
        return "".join((*pieces, text[at:]))

    def _fresh(self, value: Value, before: str) -> str | None:
        """What stands for a value; None where it names nobody."""
        if _NO_NAME.fullmatch(before.strip()):
            return None
        if value.key in self._invented.prompts:
            fresh = " ".join([self._invented.prompts[value.key], *_SIZES.findall(before)])
            self._given.setdefault(before, fresh)
            return fresh
        if value.key in self._invented.models:
            return self._model(before, self._invented.models[value.key])
        if value.key in self._invented.pictures:
            self._folders.add(before)
        return self._name(before, self._named[value.key])

    def _model(self, name: str, folder: str) -> str | None:
        """What tells the family stays: a published model's id whole, of a path the part that names it."""
        local = _LOCAL.fullmatch(name)
        if self._families.of_known_repo(name):
            return None
        base = _base(name)
        if self._families.names.search(base):
            return self._placed(name, f"{folder}/{base}") if local else None
        file = f"model{PurePosixPath(base).suffix}"
        telling = next((part for part in reversed(_parts(name)) if self._families.names.search(part)), None)
        if telling:
            return self._name(name, f"{folder}/{telling}/{file}") if local else None
        return self._name(name, f"{folder}/{file}" if local else "somebody/model")

    def _name(self, name: str, base: str) -> str:
        if name in self._given:
            return self._given[name]
        if name in self._given.values():
            return name
        self._used[base] = self._used.get(base, 0) + 1
        stem, dot, kind = base.partition(".")
        number = "" if self._used[base] == 1 else f"-{self._used[base]}"
        ending = dot + kind or PurePosixPath(name).suffix * base.startswith("/")
        self._given[name] = self._placed(name, f"{stem}{number}{ending}")
        return self._given[name]

    def _placed(self, name: str, fresh: str) -> str:
        """A place is invented below the root that the person's own lies in: it tells the system and the host."""
        if not fresh.startswith("/workspace/"):
            return fresh
        below = fresh.removeprefix("/workspace/")
        if drive := _DRIVE.match(name):
            return drive[0] + below.replace("/", drive[1])
        if not name.startswith(("/", "~")):
            return below
        root = next((root for root in self._roots if name.startswith(f"{root}/")), "/data")
        return f"{root}/{below}"

    def _is_telling(self, name: str) -> bool:
        """Whether a name means the same wherever else it stands."""
        return len(name) >= _SHORTEST and name.lower() not in self._plain


def _replaced(text: str, pattern: re.Pattern[str], fresh: str) -> str:
    return pattern.sub(lambda found: fresh + _file(found[1]), text)


def _file(path: str) -> str:
    """A file below a folder of pictures: its name goes, its kind stays."""
    return f"/file{PurePosixPath(path).suffix}" if path else ""


def _parts(path: str) -> list[str]:
    return re.split(r"[\\/]+", path.rstrip("\\/"))


def _base(path: str) -> str:
    """The last part of a path."""
    return _parts(path)[-1]
