"""The text option of `/diagnose`: Discord turns each line break into a blank.

The blanks of an indentation survive, so a config's lines can be told apart again: before a key stands a run of blanks
that was a line break and an indentation. Where the indentation is lost too, that cannot be mended, and the person is
told of the form.
"""

import re

# A run of blanks before a key or a list item; the blank between a dash and its key is none of them.
_BREAK = re.compile(r"(?<!\s)(?<!\s-) ( *)(?=(?:- )?[A-Za-z_][A-Za-z0-9_]{1,40}:(?: |$))")
KEYS_AT_LEAST = 3


def restored(text: str) -> str:
    """The text with its lines, where it is a config in one line; any other text as it is."""
    if "\n" in text or len(_BREAK.findall(text)) < KEYS_AT_LEAST:
        return text
    return _BREAK.sub(lambda match: f"\n{match[1]}", text)


def is_flat_config(text: str) -> bool:
    """Whether a text is a config whose lines and indentation are lost for good."""
    return "\n" not in text and "  " not in text.strip() and len(_BREAK.findall(text)) >= KEYS_AT_LEAST
