"""Carries a case from paste to solved: engine, case history and nothing of Discord's.

What a person sees answered is on the disk before it is sent. Without the case history answers go out without buttons.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.cases.model import FullCase, NewAnswer, NewCase, Revision, Scope, State, Target
from bot.discord_app.casework import history
from bot.discord_app.casework.history import Given, as_the_case
from bot.discord_app.casework.originals import Originals
from bot.discord_app.casework.shown import Arrival, Ask, Shown, Stage, TextGoneError
from bot.discord_app.languages import Languages
from bot.discord_app.locks import Locks
from bot.discord_app.workers.jobs import Answer, DiagnoseJob, Fixed, FixJob
from bot.discord_app.workers.pool import EnginePool
from bot.intake.read import Told
from bot.service.logs import fields
from bot.service.tally import Tally

log = logging.getLogger(__name__)
SAME_TEXT = timedelta(minutes=10)
_CACHED_ANSWERS = 64


class Desk:
    """One for the whole bot."""

    def __init__(self, engine: EnginePool, book: CaseBook, tally: Tally) -> None:
        self.engine, self.book, self.tally = engine, book, tally
        self._answers: OrderedDict[bytes, Answer] = OrderedDict()
        self.originals = Originals()
        self._changing = Locks()

    async def examine(
        self,
        given: Sequence[Given],
        told: Told,
        languages: Languages,
        tried: tuple[str, ...] = (),
        *,
        urgent: bool = False,
    ) -> Answer:
        """The engine's answer. Raises EngineError. Identical questions are worked out once."""
        job = DiagnoseJob(tuple(item.pasted for item in given), told, languages, tried)
        key = job.key()
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        kept = self._answers
        kept[key] = answer = await self.engine.run(job, urgent=urgent)
        while len(kept) > _CACHED_ANSWERS:
            kept.popitem(last=False)
        return answer

    def forget_answers(self) -> None:
        """Work everything out anew. An answer still under way goes where nobody looks any more."""
        self._answers = OrderedDict()

    async def open(self, ask: Ask, answer: Answer) -> Shown:
        """Put a case on the disk, so that its answer may be sent. The same event finds the case that is there."""
        new = NewCase(
            guild=ask.guild,
            locale=answer.locale,
            origin=ask.origin,
            diagnosis=history.stored_diagnosis(answer),
            documents=history.new_documents(ask.given, answer.documents, ask.told),
            steps=history.new_steps(answer),
            channel=ask.channel,
            asker=ask.asker,
            link=ask.link,
            message=ask.message,
            receipts=(ask.receipt,) if ask.receipt else (),
            store_text=ask.store_text,
        )
        self._count(answer)
        try:
            with self.tally.timing("record"):
                recorded = await asyncio.wrap_future(self.book.record(new))
        except StoreError as error:
            log.error("case not recorded: %s", error)  # noqa: TRY400 the reason is the whole message
            return Shown(None, answer)
        self.originals.keep(recorded.id, ask.given)
        told = {name: answer.diagnosis["problem"][name] for name in ("class", "phase")}
        told |= {"family": answer.diagnosis["model"]["family"], "levers": [offer.lever for offer in answer.offers]}
        log.info("case %s by %s", recorded.id, ask.origin, extra=fields(case=recorded.id, fresh=recorded.fresh, **told))
        if recorded.fresh:
            self.tally.count("pastes", ask.origin)
        first = int(bool(answer.offers)) if recorded.fresh else None
        return Shown(recorded.id, answer, fresh=recorded.fresh, round=first)

    async def same(self, ask: Ask, answer: Answer) -> FullCase | None:
        """The case of the same person that these very texts made a short time ago."""
        documents = history.new_documents(ask.given, answer.documents, Told())
        scope = history.scope_of(ask.guild, ask.asker)
        since = datetime.now(UTC) - SAME_TEXT
        try:
            found = await asyncio.wrap_future(self.book.same_text(scope, documents, since))
            # A reply that a moderator took away is none to point to.
            if found is None or found.asker != ask.asker or found.state == "closed":
                return None
            return await asyncio.wrap_future(self.book.find(scope.of(found.id)))
        except (StoreError, LookupError):
            return None

    async def revise(
        self, case: FullCase, given: tuple[Given, ...], came_with: Arrival | None = None, *, keep: bool = False
    ) -> Shown | None:
        """The case with new content. None where the message it came with had been added before.

        `keep`: the case stays in the state it is in, and nothing is offered anew. Raises TextGoneError where all that
        was pasted for it is gone meanwhile.
        """
        async with self._changing.of(case.case.id):
            # Somebody may have pressed a button since, or deleted a message.
            now = await asyncio.wrap_future(self.book.find(_target(case)))
            gone = set(case.pastes) - set(now.pastes)
            if gone and not now.pastes:
                raise TextGoneError(case.case.id)
            return await self._revised(
                now, tuple(one for one in given if one.message not in gone), came_with, keep=keep
            )

    async def _revised(
        self, case: FullCase, given: tuple[Given, ...], came_with: Arrival | None, *, keep: bool
    ) -> Shown | None:
        told, made = history.stored_told(case), history.tried(case)
        answer = history.with_past(case, await self.examine(given, told, as_the_case(case), made))
        revision = Revision(
            documents=history.new_documents(given, answer.documents, told),
            diagnosis=history.stored_diagnosis(answer),
            steps=() if keep else history.new_steps(answer),
            locale=answer.locale,
            **({} if came_with is None else asdict(came_with)),
        )
        target = _target(case)
        if not await asyncio.wrap_future(self.book.revise(target, revision)):
            return None
        if keep:
            await asyncio.wrap_future(self.book.set_state(target, case.case.state))
        self._count(answer)
        self.originals.keep(case.case.id, given)
        return self._shown(await asyncio.wrap_future(self.book.find(target)), answer)

    async def current(self, case: FullCase, languages: Languages) -> Shown:
        """What is to be shown of a case now. Raises TextGoneError, EngineError."""
        return self._shown(case, await self._again(case, self.texts(case), languages, history.tried(case)))

    async def _again(
        self, case: FullCase, texts: tuple[Given, ...], languages: Languages, tried: tuple[str, ...]
    ) -> Answer:
        """The engine's answer to a stored case, as of the steps tried."""
        answer = await self.examine(texts, history.stored_told(case), languages, tried, urgent=True)
        return history.with_past(case, answer)

    async def still_fails(self, case: FullCase, languages: Languages, receipt: str) -> Shown:
        """Note that the step did not help and offer the next; at the end of the ladder the case is failed."""
        if case.case.state != "open" or not case.current or case.current[0].outcome not in {"waiting", "no_answer"}:
            return await self.current(case, languages)
        made = (*history.tried(case), *(step.rule for step in case.current))
        answer = await self._again(case, self.texts(case), languages, made)
        state: State = "open" if answer.offers else "failed"
        new = NewAnswer(case.round, "still_fails", history.new_steps(answer), state, receipt)
        return await self._answered(case, new, answer, languages)

    async def works(self, case: FullCase, languages: Languages, receipt: str) -> Shown:
        """Note that the step helped."""
        shown = await self.current(case, languages)
        return await self._answered(case, NewAnswer(case.round, "works", receipt=receipt), shown.answer, languages)

    async def undo(self, case: FullCase, languages: Languages, receipt: str) -> Shown:
        """Take back the last press: "It works" opens the case again, "Still fails" goes back to the step before."""
        works = case.case.state == "works"
        made = history.tried(case) if works else history.before_last(case)
        if made is None:
            return await self.current(case, languages)
        answer = await self._again(case, self.texts(case), languages, made)
        new = NewAnswer(case.round, "undone", history.new_steps(answer), "open", receipt)
        return await self._answered(case, new, answer, languages)

    async def fixed(self, case: FullCase, originals: tuple[Given, ...]) -> tuple[Fixed, bool]:
        """The patched file, and whether it was made from the person's own original. Raises TextGoneError."""
        given = originals or self.originals.of(case.case.id)
        source = given or self.texts(case)
        job = FixJob(tuple(item.pasted for item in source), history.stored_told(case), history.tried(case))
        return await self.engine.run(job, urgent=True), bool(given)

    def texts(self, case: FullCase) -> tuple[Given, ...]:
        """What was pasted: as stored, else as still remembered. Raises TextGoneError."""
        found = history.stored_texts(case) or self.originals.of(case.case.id)
        if not found:
            raise TextGoneError(case.case.id)
        return found

    async def forget_messages(self, case_id: str, gone: Sequence[int]) -> FullCase | None:
        """Delete what some messages brought to a case. The case as it was; None where that was done before."""
        async with self._changing.of(case_id):
            was = await asyncio.wrap_future(self.book.forget_messages(Scope.operator(), gone))
            self.originals.drop(case_id)
        return next(iter(was), None)

    async def _answered(self, case: FullCase, new: NewAnswer, answer: Answer, languages: Languages) -> Shown:
        """Store an answer. A press that another press or an edit came before is only shown how the case stands."""
        async with self._changing.of(case.case.id):
            now = await asyncio.wrap_future(self.book.find(_target(case)))
            if now.documents != case.documents:
                return await self.current(now, languages)
            done = await asyncio.wrap_future(self.book.answer(_target(case), new))
        if done.applied:
            for step in case.current:
                self.tally.count("steps", step.lever, new.outcome)
            self._offered(answer)
        return self._shown(done.case, answer) if done.applied else await self.current(done.case, languages)

    def _count(self, answer: Answer) -> None:
        """A diagnosis that goes into a case."""
        verdict = answer.diagnosis
        self.tally.count("diagnoses", verdict["problem"]["class"], verdict["model"]["family"] or "unknown")
        self.tally.count("redactions", n=verdict["redactions"])
        self._offered(answer)

    def _offered(self, answer: Answer) -> None:
        for offer in answer.offers:
            self.tally.count("steps", offer.lever, "offered")

    def _shown(self, case: FullCase, answer: Answer) -> Shown:
        stage: Stage = {"works": "works", "failed": "ended", "closed": "closed"}.get(case.case.state, "open")  # type: ignore[assignment]
        made = history.tried(case)
        levers = {step.rule: step.lever for step in case.steps}
        return Shown(
            case.case.id,
            answer,
            stage,
            step=len(made) + 1,
            tried=tuple(levers.get(rule, rule) for rule in made),
            can_undo=stage == "works" or bool(made),
            standing=history.standing(case),
            round=case.round,
        )


def _target(case: FullCase) -> Target:
    return history.scope_of(case.case.guild, case.case.asker or 0).of(case.case.id)
