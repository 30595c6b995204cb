"""Which error ended the run: every signature that matches, grouped into failures, and the last one not survived."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.intake.crash.log import Log
from bot.intake.crash.view import View, last_occurrences
from bot.knowledge.signature_file import Signature, Survived
from bot.knowledge.signatures import Signatures

_BEFORE, _AFTER = 220, 1000
_TRIES = 8
_BESIDE = {"after": 2200, "before": 1600}
_ENDS = (b"traceback(mostrecent", b"errorrunningjob")
_WEAK = 40
_RUN = ("running-job", "running-process", "completed-result")


class Match(NamedTuple):
    """A signature where it stands in the squeezed text, in the failure (a span without a sign of life) around it."""

    signature: Signature
    start: int
    end: int
    span: tuple[int, int]
    survived: bool = False


class Chosen(NamedTuple):
    """The error that the reading is about. `masked`: `Failed to quantize` hid it and the run went on unquantized."""

    match: Match
    fatal: bool
    masked: bool = False


class Found(NamedTuple):
    """The error that counts, and what else was printed: `survived` (the run went on after it) and `stopped` (by hand)."""

    chosen: Chosen | None
    survived: bool = False
    stopped: bool = False


def find(view: View, signatures: Signatures, log: Log, present: frozenset[str]) -> Found:
    """Every match, judged, and the one that counts."""
    catches = [row for row in signatures.file.survived if row.text in present]
    matches = [_judged(view, log, match, catches) for match in _matches(view, signatures, log, present)]
    matches.sort(key=lambda match: (match.start, match.signature.priority))
    done = _begun_anew_and_finished(log)
    passed = [
        match.end for match in matches if match.survived or match.signature.means == "survived" or match.start < done
    ]
    return Found(
        _choose(view, signatures, log, [match for match in matches if match.start >= done]),
        survived=bool(passed) and log.life_between(passed[-1], len(view.squeezed)),
        stopped=any(match.signature.means == "stopped" for match in matches),
    )


def _begun_anew_and_finished(log: Log) -> int:
    """Where the last run of the log begins, if it is not the first and its job was completed; else 0."""
    named = {mark: [sign.offset for sign in log.signs if sign.marker and sign.marker.id == mark] for mark in _RUN}
    begins = named["running-job"] or named["running-process"]
    done = named["completed-result"]
    return begins[-1] if len(begins) > 1 and done and done[-1] > begins[-1] else 0


def _choose(view: View, signatures: Signatures, log: Log, matches: Sequence[Match]) -> Chosen | None:
    """The root cause that was printed and passed over, else the last uncaught error, else the last survived one."""
    fatal = [match for match in matches if match.signature.severity == "fatal" and not match.survived]
    masked = _masked(view, signatures, matches)
    if masked:
        return Chosen(masked, fatal=True, masked=True)
    if fatal:
        return Chosen(_last(fatal, log), fatal=True)
    rest = [match for match in matches if match.signature.severity in {"fatal", "recovered"}]
    rest = rest or [match for match in matches if match.signature.class_ != "none"]
    return Chosen(_last(rest, log), fatal=False) if rest else None


def _last(matches: Sequence[Match], log: Log) -> Match:
    """The best match of the last failure of the last run that has one."""
    begins = [sign.offset for sign in log.signs if sign.marker and sign.marker.starts]
    last_begin = max((begin for begin in begins if begin < matches[-1].start), default=-1)
    of_run = [match for match in matches if match.start > last_begin]
    strong = [match for match in of_run if match.signature.priority >= _WEAK] or of_run
    return max(
        (match for match in strong if match.span == strong[-1].span),
        key=lambda match: (match.signature.priority, match.start),
    )


def _matches(view: View, signatures: Signatures, log: Log, present: frozenset[str]) -> Iterator[Match]:
    seen: set[tuple[str, int]] = set()
    for word in present.intersection(signatures.by_literal):
        for signature in signatures.by_literal[word]:
            for start, end in _spans_of(view, signatures, signature, word.encode()):
                if (signature.id, start) in seen:
                    continue
                seen.add((signature.id, start))
                match = Match(signature, start, end, log.failure_at(start, len(view.squeezed)))
                if _fits(view, signatures, match):
                    yield match


def _fits(view: View, signatures: Signatures, match: Match) -> bool:
    """Whether the failure around it shows what the signature asks for besides its own text."""

    def shown(written: str) -> bool:
        return signatures.pattern(written).search(view.squeezed, *match.span) is not None

    near, unless = match.signature.near, match.signature.unless
    return (near is None or shown(near)) and (unless is None or not shown(unless))


def _spans_of(view: View, signatures: Signatures, signature: Signature, word: bytes) -> Iterator[tuple[int, int]]:
    for offset in last_occurrences(view.squeezed, word, _TRIES):
        if signature.squeezed is not None:
            pattern = signatures.pattern(signature.squeezed)
            tried = pattern.finditer(view.squeezed, max(0, offset - _BEFORE), offset + _AFTER)
            found = next((match for match in tried if match.end() > offset), None)
            if found:
                yield found.span()
        elif signature.line is not None:
            index = view.line_of(offset)
            if signatures.pattern(signature.line).search(view.lines[index].text.encode("utf-8", "replace")):
                yield offset, offset + len(word)


def _judged(view: View, log: Log, match: Match, catches: Sequence[Survived]) -> Match:
    for row in catches:
        word = row.text.encode()
        if row.error == "after":
            where = view.squeezed.rfind(word, max(0, match.start - _BESIDE["after"]), match.start)
            caught = where != -1 and not log.life_between(where + len(word), match.start)
            caught = caught and not any(end in view.squeezed[where : match.start] for end in _ENDS)
        else:
            where = view.squeezed.find(word, match.end, match.end + _BESIDE["before"])
            caught = where != -1 and not log.life_between(match.end, where)
        if caught:
            return match._replace(survived=True)
    return match


def _masked(view: View, signatures: Signatures, matches: Sequence[Match]) -> Match | None:
    """The first error that `Failed to quantize X:` printed, of the best signature that matches it."""
    failed = signatures.pattern(signatures.file.quantize_failed).search(view.squeezed)
    if failed is None:
        return None
    here = [match for match in matches if failed.start() <= match.start <= failed.end() + 4]
    here = [match for match in here if match.signature.severity == "fatal" and match.signature.priority >= _WEAK]
    return max(here, key=lambda match: match.signature.priority, default=None)
