"""Between a stored case and the engine: what was pasted, what the person said besides, which steps were tried."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from bot.cases.model import NO_GUILD, TOLD, FullCase, NewDocument, NewStep, OfferedStep, Scope
from bot.discord_app.languages import Languages
from bot.discord_app.workers.jobs import Answer, Document
from bot.intake.read import Pasted, Told


@dataclass(frozen=True, slots=True)
class Given:
    """A pasted text or file and the Discord message it came with (None: a command's option or modal)."""

    pasted: Pasted
    message: int | None = None


def scope_of(guild: int, asker: int) -> Scope:
    """Whose cases somebody may act on from a place: a server's own, or outside servers one's own."""
    return Scope.direct(asker) if guild == NO_GUILD else Scope.server(guild)


def as_the_case(case: FullCase) -> Languages:
    """A reply keeps its language, whoever presses."""
    return Languages(own=case.case.locale)


def stored_texts(case: FullCase, without: Iterable[int] = ()) -> tuple[Given, ...]:
    """The (redacted) texts of a case as they can be read again, but for those of some messages."""
    left_out = set(without)
    kept = (document for document in case.documents if document.kind != TOLD and document.message not in left_out)
    return tuple(Given(Pasted(document.name, document.text), document.message) for document in kept)


def stored_told(case: FullCase) -> Told:
    """What the person said outside the paste."""
    found = next((document.text for document in case.documents if document.kind == TOLD), None)
    return Told() if found is None else Told(**json.loads(found))


def new_documents(given: Sequence[Given], documents: Sequence[Document], told: Told) -> tuple[NewDocument, ...]:
    """The texts to be stored, each with the message it came with, and what was said besides."""
    messages = [item.message for item in given]
    made = [
        NewDocument(document.name, document.kind, document.text, message)
        for document, message in zip(documents, messages, strict=False)
    ]
    if told != Told():
        made.append(NewDocument("told", TOLD, json.dumps(asdict(told))))
    return tuple(made)


def stored_diagnosis(answer: Answer) -> dict[str, Any]:
    """The contract's object with the kinds of secrets seen: the stored text holds none of them any more."""
    return {**answer.diagnosis, "secrets": list(answer.secrets)}


def with_past(case: FullCase, answer: Answer) -> Answer:
    """An answer made from stored text, with what was redacted before it was stored."""
    past = case.diagnosis
    secrets = tuple(dict.fromkeys((*past.get("secrets", ()), *answer.secrets)))
    count = max(int(past.get("redactions", 0)), int(answer.diagnosis["redactions"]))
    return replace(answer, secrets=secrets, diagnosis={**answer.diagnosis, "redactions": count})


def gist(diagnosis: Mapping[str, Any]) -> object:
    """What a diagnosis comes to, wherever in the text it stands: what is wrong, on what machine, and what is to be set."""
    findings = [finding["rule"] for finding in diagnosis["findings"]]
    steps = [
        (step["rule"], [(patch["path"], patch["old"], patch["new"]) for patch in step["patches"]])
        for step in diagnosis["steps"]
    ]
    return diagnosis["problem"], diagnosis["model"], diagnosis["hardware"], findings, steps


def new_secrets(case: FullCase, answer: Answer) -> tuple[str, ...]:
    """The kinds of secrets that were not in the case before."""
    known = set(case.diagnosis.get("secrets", ()))
    return tuple(kind for kind in answer.secrets if kind not in known)


def new_steps(answer: Answer) -> tuple[NewStep, ...]:
    """The steps that an answer proposes now."""
    return tuple(NewStep(offer.lever, offer.rule, answer.diff, offer.ladder) for offer in answer.offers)


def standing(case: FullCase) -> object:
    """What a reply shows a case by; another one where somebody pressed, added or edited something since."""
    return case.round, case.case.state, case.documents


def rounds(case: FullCase) -> list[tuple[OfferedStep, ...]]:
    """The steps of a case by round, in order."""
    return [tuple(steps) for _, steps in groupby(case.steps, key=lambda step: step.round)]


def tried(case: FullCase) -> tuple[str, ...]:
    """Rule ids of the changes that are in the person's config by now, in the order they were made.

    "Still fails" leaves a step's change in; one that was taken back has `undone` as its outcome.
    """
    return tuple(step.rule for step in case.steps if step.outcome == "still_fails")


def before_last(case: FullCase) -> tuple[str, ...] | None:
    """The changes made before the step that "Still fails" was pressed on last; None where it never was."""
    failed = [steps for steps in rounds(case) if steps[0].outcome == "still_fails"]
    return tuple(step.rule for steps in failed[:-1] for step in steps) if failed else None
