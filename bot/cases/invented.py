"""Names in a paste replaced by invented ones, so that a stranger's case can become a test.

What a case stores is redacted already (secrets, addresses, user names). What is left of a person are the names they
gave: of the job, the folders, the subject, and their prompts. Which keys hold such names is data:
`knowledge/invented.yaml`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict

from bot.knowledge.load import Knowledge

# `key: value` in YAML, `"key": "value",` in JSON; the value up to the line's end.
_ENTRY: Final = re.compile(r'^[ \t]*(?:- )?["\']?([A-Za-z_]\w{0,40})["\']?[ \t]{0,4}:[ \t]?(.{1,4000})$', re.MULTILINE)
_KEY: Final = re.compile(r'^[ \t]*["\']?(\w{1,40})["\']?[ \t]{0,4}:')
_ITEM: Final = re.compile(r"^([ \t]*(?:- )?)(\S.{0,4000})$")
_SIZES: Final = re.compile(r"--[a-z]{1,8} [0-9.]{1,12}")
# Short or plain words (`flux`, `output`) mean other things elsewhere in a log; only a name that looks like one is
# replaced beyond its own key.
_DISTINCT: Final = re.compile(r"[\d_/\\-]")
_QUOTES: Final = "\"'"


class Invented(BaseModel):
    """`knowledge/invented.yaml`; its head says what each part is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: Mapping[str, str]
    places: Mapping[str, str]
    prompts: Mapping[str, str]
    prompt_lists: tuple[str, ...]


def load(knowledge: Knowledge) -> Invented:
    """The checked file. Raises pydantic.ValidationError."""
    return Invented.model_validate(knowledge.read("invented.yaml"))


class Inventor:
    """Replaces names in any number of texts of one case; the same name becomes the same everywhere."""

    def __init__(self, invented: Invented) -> None:
        self._invented = invented
        self._given: dict[str, str] = {}
        self._used: dict[str, int] = {}

    def renamed(self, texts: Iterable[str]) -> list[str]:
        """The texts with invented names."""
        made = [self._own_values(text) for text in texts]
        everywhere = sorted((name for name in self._given if len(name) >= 6 and _DISTINCT.search(name)), key=len)
        for name in reversed(everywhere):
            made = [text.replace(name, self._given[name]) for text in made]
        return made

    def _own_values(self, text: str) -> str:
        lines = _ENTRY.sub(self._entry, text).split("\n")
        inside = False
        for number, line in enumerate(lines):
            key = _KEY.match(line)
            if key:
                inside = key[1] in self._invented.prompt_lists
            elif line.strip().startswith("]"):
                inside = False
            elif inside and (item := _ITEM.match(line)):
                lines[number] = item[1] + _in_place_of(item[2], self._prompt(item[2], "prompt"))
        return "\n".join(lines)

    def _entry(self, match: re.Match[str]) -> str:
        key, value = match[1], match[2]
        if key in self._invented.prompts:
            fresh: str | None = self._prompt(value, key)
        else:
            base = self._invented.keys.get(key) or self._invented.places.get(key)
            bare = self._bare(value)
            fresh = None if base is None or bare in {"", "null", "~", "[", "{"} else self._name(bare, base)
        return match[0] if fresh is None else match[0][: match.start(2) - match.start()] + _in_place_of(value, fresh)

    def _name(self, name: str, base: str) -> str:
        if name in self._given:
            return self._given[name]
        if name in self._given.values():
            return name
        self._used[base] = self._used.get(base, 0) + 1
        number = self._used[base]
        self._given[name] = base if number == 1 else f"{base}-{number}"
        return self._given[name]

    def _prompt(self, prompt: str, key: str) -> str:
        return " ".join([self._invented.prompts[key], *_SIZES.findall(prompt)])

    @staticmethod
    def _bare(value: str) -> str:
        bare = value.strip().rstrip(",").strip()
        if bare[:1] in _QUOTES:
            return bare[1:].partition(bare[0])[0]
        return bare.partition(" #")[0].strip()


def _in_place_of(value: str, fresh: str) -> str:
    """The fresh value in the quotes of the old one, with its comma. A comment behind it is the person's text and goes."""
    bare = value.strip()
    quote = bare[0] if bare[0] in _QUOTES else ""
    return f"{quote}{fresh}{quote}{',' if bare.endswith(',') else ''}"
