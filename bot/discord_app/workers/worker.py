"""The engine's process: jobs in on stdin, outcomes out on stdout, each a pickle behind its length.

A process of its own, for the engine is pure Python that would hold the event loop's interpreter, and because a process
that a hostile paste keeps busy can be killed. It ends when its stdin does, so it never outlives the bot.
"""

import pickle
import re
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO

from bot.diagnosis import Diagnosis
from bot.discord_app.casework.layout import WHY, Laid, lay_out
from bot.discord_app.languages import Speech
from bot.discord_app.workers.jobs import (
    LENGTH,
    Answer,
    Asked,
    AskJob,
    DiagnoseJob,
    Document,
    Fixed,
    FixJob,
    Job,
    Offer,
    Outcome,
    PlanJob,
    Planned,
)
from bot.discord_app.workers.pieces import joined
from bot.discord_app.workers.planning import planned
from bot.discord_app.workers.sure import is_fragment, is_sure
from bot.engine import diagnose
from bot.evidence import Evidence, value
from bot.intake.read import Pasted, carry_back, read
from bot.intake.text.redact import Redactor
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.reply import compose
from bot.reply.asking import conclude, follow, question
from bot.reply.markdown import inline

# What intake replaces that opens nothing: private, but no reason for an alarm.
HARMLESS = frozenset({"user", "email", "ip", "path", "home"})
# Read once at the start, so that the first person waits no longer than the next.
WARM_UP = Pasted("config.yaml", "config:\n  process:\n    - train:\n        batch_size: 1\n")
# No secret is shorter than this.
NAME_CHARS = 16
LINK = re.compile(r"https://[^\s;,)]{4,200}")
_HARDWARE = ("gpu.name", "gpu.vram_gib", "host.ram_gib", "host.platform", "host.cloud")


class Engine:
    """Knowledge and words, read once, and the jobs done with them."""

    def __init__(self) -> None:
        self.knowledge = Knowledge()
        self.speech = Speech(self.knowledge)

    def work(self, job: Job) -> Outcome:
        """Do one job."""
        if isinstance(job, DiagnoseJob):
            return self.answer(job)
        if isinstance(job, PlanJob):
            return self.plan(job)
        return self.fix(job) if isinstance(job, FixJob) else self.ask(job)

    def answer(self, job: DiagnoseJob) -> Answer:
        """Intake, engine and words."""
        pasted = self._under_plain_names(job.pasted)
        whole = joined(pasted)
        evidence = read(whole, self.knowledge, job.told)
        # What is stored of each message goes with that message.
        parted = evidence if len(whole) == len(pasted) else read(pasted, self.knowledge, job.told)
        tag = self.speech.pick(replace(job.languages, prose=job.languages.prose or evidence.prose_language))
        diagnosis = diagnose(evidence, self.knowledge, locale=tag, tried=job.tried)
        locale = self.speech.locale(tag)
        reply = compose(diagnosis, locale)
        return Answer(
            locale=tag,
            diagnosis=diagnosis.as_dict(),
            laid=lay_out(reply, locale),
            why=self._why(lay_out(reply, locale, WHY), diagnosis),
            documents=tuple(_document(parted, index) for index in range(len(parted.sources))),
            offers=tuple(Offer(s.lever, s.rule, index) for index, s in enumerate(diagnosis.steps) if s.now),
            sure=is_sure(evidence, self.knowledge),
            fragment=is_fragment(evidence),
            wants_log=not value(evidence.facts, "crash.present") or diagnosis.problem["class"] == "unknown",
            hardware=tuple(value(evidence.facts, name) for name in _HARDWARE),
            secrets=tuple(dict.fromkeys(r.kind for r in evidence.redactions if r.kind not in HARMLESS)),
            redacted=tuple(sorted({redaction.source for redaction in parted.redactions})),
        )

    def _under_plain_names(self, pasted: Sequence[Pasted]) -> tuple[Pasted, ...]:
        """The same with nothing private in the files' names, for these are shown and stored as well."""
        redactor = Redactor(self.knowledge)
        return tuple(
            replace(one, name=redactor.redact(0, one.name)[0])
            if len(one.name) >= NAME_CHARS or "@" in one.name
            else one
            for one in pasted
        )

    def _why(self, laid: Laid, diagnosis: Diagnosis) -> Laid:
        """The evidence with the rules that speak now: a moderator finds each in knowledge/, with its source."""
        words = self.speech.locale(diagnosis.locale)
        lines = [self._rule_line(step.rule, words) for step in diagnosis.steps if step.now]
        told = "\n".join([f"**{words.text('discord.why.sources')}**", *lines]) if lines else ""
        return replace(laid, description="\n\n".join(part for part in (laid.description, told) if part))

    def _rule_line(self, rule: str, words: Locale) -> str:
        links = LINK.findall(self.knowledge.rules[rule].source)
        return " ".join([f"- {inline(words.text('discord.why.rule', rule=rule))}", *(f"<{link}>" for link in links)])

    def fix(self, job: FixJob) -> Fixed:
        """The person's own file with the fix in it; the config alone where it was pasted among other text."""
        pasted = joined(self._under_plain_names(job.pasted))
        evidence = read(pasted, self.knowledge, job.told)
        patched = diagnose(evidence, self.knowledge, tried=job.tried).patched
        if evidence.config is None or patched is None:
            return Fixed("", None, redacted=False)
        source = evidence.config.source
        whole = carry_back(pasted[source], evidence, patched)
        redacted = any(redaction.source == source for redaction in evidence.redactions)
        return Fixed(evidence.sources[source].name, whole if whole is not None else patched.encode(), redacted)

    def plan(self, job: PlanJob) -> Planned:
        """A starting config for a model on a card."""
        locale = self.speech.say(job.languages)
        return Planned(locale.tag, planned(job.model, job.gpu, self.knowledge, locale))

    def ask(self, job: AskJob) -> Asked:
        """The question that the answers picked so far lead to, or the advice."""
        locale = self.speech.say(job.languages)
        walked = follow(self.knowledge, [])
        given: list[str] = []
        asked = question(self.knowledge, locale, walked)
        for index in job.picked:
            if asked is None or index >= len(asked.answers):
                break
            given.append(asked.answers[index][0])
            walked = follow(self.knowledge, given)
            asked = question(self.knowledge, locale, walked)
        if asked is not None:
            return Asked(locale.tag, Laid(asked.text, ""), tuple(words for _, words in asked.answers))
        reply = compose(conclude(self.knowledge, walked, locale.tag), locale)
        return Asked(locale.tag, lay_out(reply, locale), ())


def _document(evidence: Evidence, index: int) -> Document:
    source = evidence.sources[index]
    if evidence.config is not None and evidence.config.source == index:
        kind = "config"
    else:
        kind = "log" if evidence.crash and evidence.crash.place and evidence.crash.place.source == index else "text"
    return Document(source.name, kind, source.text)


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame, or None at the end."""
    head = stream.read(LENGTH.size)
    return stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def write_frame(stream: BinaryIO, data: bytes) -> None:
    """One frame, at once."""
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def main() -> None:
    """Serve jobs until stdin ends. An exception goes back as its place: the bot logs it, without the paste."""
    # Ctrl-C goes to the whole process group; the bot decides when its engines end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output, sys.stdout = sys.stdout.buffer, sys.stderr
    engine = Engine()
    engine.work(DiagnoseJob((WARM_UP,)))
    write_frame(output, pickle.dumps("ready"))
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        try:
            outcome: object = engine.work(pickle.loads(frame))  # noqa: S301 written by the bot itself
        except Exception as error:  # noqa: BLE001 whatever a paste breaks must not end the process
            outcome = f"{type(error).__name__} at {_where(error)}"
        write_frame(output, pickle.dumps(outcome))


def _where(error: BaseException) -> str:
    """File and line, innermost last: an exception's own message may quote the paste, so it is not passed on."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        places.append(f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join(places[-4:])


if __name__ == "__main__":
    main()
