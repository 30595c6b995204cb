"""How a value of the paste is written inside a sentence.

Values are hostile text: what is not a plain character goes, back-ticks and @ cannot reach a face as such, and length is
capped, so that a sentence stays a sentence wherever it is shown.
"""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import babel


class Spoken(Protocol):
    """A language with its rules for numbers."""

    @property
    def babel(self) -> "babel.Locale":
        """Read when first asked for."""

    @property
    def decimal_sign(self) -> str:
        """What stands before the fraction."""

    def percent(self, hundredths: int) -> str:
        """A share."""


MAX_LENGTH = 80
MAX_ITEMS = 12
MAX_NUMBER = 1e15
_ZERO_WIDTH = "\u200b"
_MIB_PER_GIB = 1024
_GROUPED_FROM = 1000
_WHOLE_FROM = 100  # GiB; no estimate is exact to a tenth of it


def clean(text: str, limit: int = MAX_LENGTH) -> str:
    """One line of printable text: no control characters, no back-tick, no live mention, at most `limit` long."""
    shown = "".join(char if char.isprintable() else " " for char in text[: limit * 4])
    shown = " ".join(shown.split()).replace("`", "'").replace("@", f"@{_ZERO_WIDTH}")
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


def printable(code: str) -> str:
    """Lines of a paste as they can be shown: no escape sequence reaches a terminal, line ends and tabs stay."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in code)


def render_value(locale: Spoken, value: Any, form: str | None = None) -> str:
    """A value as it is read: config spelling for booleans and whole numbers, the language's own for fractions."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(locale, value, form)
    if isinstance(value, list | tuple):
        shown = [render_value(locale, item) for item in value[:MAX_ITEMS]]
        return ", ".join(shown if len(value) <= MAX_ITEMS else [*shown, "…"])
    return render_code(value)


def render_code(value: Any) -> str:
    """A value inside of back-ticks: as the config writes it in every language, so that it can be copied."""
    if isinstance(value, list | tuple):
        return ", ".join([*map(render_code, value[:MAX_ITEMS]), *(["…"] if len(value) > MAX_ITEMS else [])])
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if not isinstance(value, int | float):
        return clean(str(value))
    if not -MAX_NUMBER < value < MAX_NUMBER:
        return "…"
    written = f"{value:.6g}" if isinstance(value, float) else str(value)
    return written if isinstance(value, int) or set(written) & {".", "e"} else f"{written}.0"


def _number(locale: Spoken, value: float, form: str | None) -> str:
    if not -MAX_NUMBER < value < MAX_NUMBER:  # infinity, not-a-number, and what no config means
        return "…"
    if form == "percent":
        return locale.percent(round(value * 100))
    if form == "size":
        if abs(value) < 1:
            return f"{_decimal(locale, value * _MIB_PER_GIB, '0')} MiB"
        return f"{_decimal(locale, value, '#,##0.#' if abs(value) < _WHOLE_FROM else '#,##0')} GiB"
    if isinstance(value, int):
        return str(value)
    return _decimal(locale, value, "#,##0.##")


def _decimal(locale: Spoken, value: float, pattern: str) -> str:
    written = f"{value:.{len(pattern.partition('.')[2])}f}"
    if abs(float(written)) < _GROUPED_FROM:  # no sign but the decimal one: Babel, slow to load, is not needed
        whole, _, fraction = written.partition(".")
        fraction = fraction.rstrip("0")
        return f"{whole}{locale.decimal_sign}{fraction}" if fraction else whole
    from babel.numbers import format_decimal

    return format_decimal(value, format=pattern, locale=locale.babel)
