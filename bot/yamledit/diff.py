"""A unified diff with little context."""

from difflib import SequenceMatcher

_NO_NEWLINE = "\n\\ No newline at end of file"


def unified_diff(before: str, after: str, name: str, context: int = 2) -> str:
    r"""`--- name`/`+++ name` and the hunks, lines ended by `\n`; an empty text where nothing differs.

    Windows line ends are shown as plain ones: they are the same before and after.
    """
    old, new = _lines(before), _lines(after)
    if old == new:
        return ""
    # Only what lies between the first and the last difference is matched line by line: a patch changes few lines of many.
    head, tail = _alike(old, new, context)
    matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail])
    made = [f"--- {name}", f"+++ {name}"]
    for group in matcher.get_grouped_opcodes(context):
        (_, first_old, _, first_new, _), (_, _, end_old, _, end_new) = group[0], group[-1]
        made.append(f"@@ -{_span(head + first_old, head + end_old)} +{_span(head + first_new, head + end_new)} @@")
        for tag, from_old, to_old, from_new, to_new in group:
            if tag == "equal":
                made += [f" {line}" for line in old[head + from_old : head + to_old]]
                continue
            made += [f"-{line}" for line in old[head + from_old : head + to_old]]
            made += [f"+{line}" for line in new[head + from_new : head + to_new]]
    return "\n".join(made) + "\n"


def _alike(old: list[str], new: list[str], context: int) -> tuple[int, int]:
    """How many lines before and after all differences can be left out, so that the context of the hunks stays."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    tail = next((at for at in range(least - head) if old[-1 - at] != new[-1 - at]), least - head)
    return max(head - context, 0), max(tail - context, 0)


def _span(start: int, end: int) -> str:
    """Lines as a hunk's head names them: 1-based start and length; an empty span stands behind the line before it."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + bool(length)},{length}"


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    last = lines.pop()
    return [*lines, last + _NO_NEWLINE] if last else lines
