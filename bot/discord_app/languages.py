"""Which language somebody is answered in."""

from dataclasses import dataclass

from bot.knowledge.load import Knowledge
from bot.knowledge.locale import FALLBACK, Locale, locale_tags


@dataclass(frozen=True, slots=True)
class Languages:
    """What is known of the language to answer in, as tags (`de`, `pt-BR`) or None, in the order in which it counts."""

    own: str | None = None
    interaction: str | None = None
    prose: str | None = None
    server: str | None = None


class Speech:
    """The languages there are words for, each read once."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._locales: dict[str, Locale] = {}
        self.adopt(knowledge)

    def adopt(self, knowledge: Knowledge) -> None:
        """Speak with the words of this knowledge from now on."""
        self.knowledge = knowledge
        self.tags = locale_tags(knowledge.folder)
        self._locales.clear()

    def locale(self, tag: str) -> Locale:
        """The words of a language that there is a file for."""
        if tag not in self._locales:
            self._locales[tag] = self.knowledge.locale(tag)
        return self._locales[tag]

    def known(self, wish: str | None) -> str | None:
        """The tag that serves a wish: itself, or its language without the region."""
        candidates = (wish, wish.split("-")[0]) if wish else ()
        return next((tag for tag in candidates if tag in self.tags), None)

    def pick(self, languages: Languages) -> str:
        """The first wish that there are words for: own setting, interaction, prose, server, English."""
        wishes = (languages.own, languages.interaction, languages.prose, languages.server)
        return next((tag for tag in map(self.known, wishes) if tag), FALLBACK)

    def say(self, languages: Languages) -> Locale:
        """The words in the language that was picked."""
        return self.locale(self.pick(languages))
