"""What is written out can be taken in elsewhere, whole; what was deleted does not come back by itself."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.cases.book import CaseBook
from bot.cases.importing import Imported, ImportRefusedError
from bot.cases.listing import Filters
from bot.cases.model import FullCase, NewAnswer, Scope
from bot.cases.people import GuildSettings
from bot.cases.store import Store
from tests.cases.making import ASKER, CHANNEL, GUILD, MODERATOR, OTHER_GUILD, SECOND, bytes_of, diagnosis, new_case

SERVER = Scope.server(GUILD)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[CaseBook]:
    with CaseBook(Store(tmp_path / "elsewhere.db").ready()) as opened:
        yield opened


@pytest.fixture
def id_(book: CaseBook) -> str:
    made = book.record(new_case("an aardvark", message=9)).result().id
    target = SERVER.of(made)
    book.attach_reply(target, CHANNEL, 10).result()
    book.answer(target, NewAnswer(1, "still_fails", (SECOND,))).result()
    book.note(target, MODERATOR, "odd", "wrong").result()
    book.record(new_case("of another server", guild=OTHER_GUILD)).result()
    return made


def whole(book: CaseBook, id_: str) -> FullCase:
    """A case without the number of its row, which is the file's own."""
    found = book.find(Scope.operator().of(id_)).result()
    return replace(found, case=replace(found.case, seq=0))


def test_a_servers_cases_move_to_another_host(book: CaseBook, elsewhere: CaseBook, id_: str) -> None:
    book.set_guild_settings(GUILD, GuildSettings(language="it", channels=(1, 2), solved_tags={3: 4})).result()
    taken = elsewhere.import_(book.export(SERVER).result()).result()
    assert taken == Imported(taken=1, present=0, deleted=0)
    assert whole(elsewhere, id_) == whole(book, id_)
    assert elsewhere.guild_settings(GUILD).result() == book.guild_settings(GUILD).result()
    assert [case.id for case in elsewhere.listed(SERVER, Filters(words="aardvark")).result().cases] == [id_]
    assert elsewhere.stats(SERVER).result() == book.stats(SERVER).result()
    assert elsewhere.record(new_case(message=9)).result().id == id_
    assert not elsewhere.listed(Scope.server(OTHER_GUILD)).result().cases


def test_taking_in_twice_changes_nothing(book: CaseBook, id_: str) -> None:
    text = book.export(SERVER).result()
    assert book.import_(text).result() == Imported(taken=0, present=1, deleted=0)


def test_an_old_export_does_not_bring_back_what_was_deleted(book: CaseBook, id_: str) -> None:
    text = book.export(SERVER).result()
    book.delete(SERVER.of(id_)).result()
    assert book.import_(text).result() == Imported(taken=0, present=0, deleted=1)
    assert book.import_(text, again=True).result() == Imported(taken=1, present=0, deleted=0)
    assert whole(book, id_).documents[0].text == "an aardvark"


def test_a_case_that_comes_back_is_counted_once(book: CaseBook, id_: str) -> None:
    before = book.stats(SERVER).result()
    early = book.export(SERVER).result()
    book.answer(SERVER.of(id_), NewAnswer(2, "works")).result()
    late = book.export(SERVER).result()
    worked = book.stats(SERVER).result()
    for text, then in ((late, worked), (early, before)):
        book.delete(SERVER.of(id_)).result()
        assert book.stats(SERVER).result().cases == 1
        assert book.import_(text, again=True).result().taken == 1
        assert replace(book.stats(SERVER).result(), live=1) == then


def test_a_case_that_comes_back_brings_no_text_of_who_opted_out(book: CaseBook, path: Path, id_: str) -> None:
    text = book.export(SERVER).result()
    book.delete(SERVER.of(id_)).result()
    book.opt_out(ASKER, out=True).result()
    assert book.import_(text, again=True).result().taken == 1
    found = book.find(SERVER.of(id_)).result()
    assert (found.documents, {step.diff for step in found.steps}) == ((), {None})
    assert b"aardvark" not in bytes_of(path)


BAD = {
    "guild": 2**63, "asker": -1, "id": "../../K7Q2", "created_at": "for ever", "changed_at": "2026-07-04",
    "rule": "../rule", "lever": "a/b", "vram_gib": "inf", "assigned": 2**70,
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), BAD.items())
def test_what_retention_and_file_names_go_by_is_checked(book: CaseBook, id_: str, name: str, value: object) -> None:
    file = json.loads(book.export(SERVER).result())
    file["cases"][0]["case"][name] = value
    fault = book.import_(json.dumps(file)).exception()
    assert isinstance(fault, ImportRefusedError)
    assert f"cases.0.case.{name}" in str(fault)


@pytest.mark.parametrize("diagnosis", [{}, {"findings": [], "steps": {}}, {"findings": [1], "steps": []}])
def test_a_diagnosis_is_one_that_can_lose_its_text(book: CaseBook, id_: str, diagnosis: dict[str, object]) -> None:
    file = json.loads(book.export(SERVER).result())
    file["cases"][0]["diagnosis"] = diagnosis
    assert isinstance(book.import_(json.dumps(file)).exception(), ImportRefusedError)


def test_an_id_that_is_anothers_here_is_changed(book: CaseBook, id_: str) -> None:
    file = json.loads(book.export(SERVER).result())
    file["cases"][0]["case"]["created_at"] = "2020-01-01T00:00:00Z"
    assert book.import_(json.dumps(file)).result().taken == 1
    ids = {case.id for case in book.listed(SERVER).result().cases}
    assert id_ in ids
    assert len(ids) == 2


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "not json", '{"schema": "oom-medic/cases/2", "cases": []}', '{"schema": "oom-medic/cases/1"}',
     '{"schema": "oom-medic/cases/1", "cases": [{"case": {}}]}', '{"schema": "oom-medic/cases/1", "cases": [], "more": 1}'],
)  # fmt: skip
def test_what_is_no_export_is_refused(book: CaseBook, text: str) -> None:
    assert isinstance(book.import_(text).exception(), ImportRefusedError)


def test_a_file_with_one_bad_case_is_taken_in_not_at_all(book: CaseBook, elsewhere: CaseBook, id_: str) -> None:
    file = json.loads(book.export(Scope.operator()).result())
    file["cases"][0]["steps"][0]["outcome"] = "miracle"
    assert isinstance(elsewhere.import_(json.dumps(file)).exception(), ImportRefusedError)
    assert not elsewhere.listed(Scope.operator()).result().cases


def test_a_person_gets_all_that_is_held_on_them(book: CaseBook, id_: str) -> None:
    book.set_language(ASKER, "de").result()
    file = json.loads(book.export_user(ASKER).result())
    assert file["user_settings"] == {"user": ASKER, "language": "de", "opted_out": False}
    assert {entry["case"]["guild"] for entry in file["cases"]} == {GUILD, OTHER_GUILD}
    assert file["cases"][1]["notes"][0]["text"] == "odd"


def test_a_moderator_gets_what_they_wrote_and_were_given(book: CaseBook, id_: str) -> None:
    book.assign(SERVER.of(id_), MODERATOR).result()
    file = json.loads(book.export_user(MODERATOR).result())
    (note,) = file["as_moderator"]["notes"]
    assert (note["case"], note["verdict"], note["text"]) == (id_, "wrong", "odd")
    assert (file["as_moderator"]["assigned"], file["cases"]) == ([id_], [])
    book.forget_user(MODERATOR).result()
    assert json.loads(book.export_user(MODERATOR).result())["as_moderator"] == {"notes": [], "assigned": []}


def test_csv_is_one_line_a_case(book: CaseBook, id_: str) -> None:
    rows = list(csv.DictReader(io.StringIO(book.export(SERVER, form="csv").result())))
    assert [(row["id"], row["verdict"], row["steps"]) for row in rows] == [
        (id_, "wrong", "gradient_checkpointing: still_fails; batch_size: waiting")
    ]


def test_no_cell_is_a_formula(book: CaseBook) -> None:
    for cell in ("=HYPERLINK(1)", "@x", "+1", "-1", "\tx", "\nx", "\uff1dx"):
        made = diagnosis(model={"arch": cell, "family": None, "kind": "image"})
        book.record(new_case(diagnosis=made)).result()
        row = next(csv.DictReader(io.StringIO(book.export(SERVER, form="csv").result())))
        assert row["arch"] == f"'{cell}"


def test_filters_narrow_an_export(book: CaseBook, id_: str) -> None:
    assert json.loads(book.export(SERVER, Filters(verdict="right")).result())["cases"] == []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(), name=st.text(), reason=st.text())
def test_any_text_goes_out_and_in_unchanged(
    book: CaseBook, elsewhere: CaseBook, text: str, name: str, reason: str
) -> None:
    made = new_case(text, diagnosis=diagnosis(diff=text))
    made = replace(made, documents=(replace(made.documents[0], name=name),))
    id_ = book.record(made).result().id
    book.note(SERVER.of(id_), MODERATOR, reason).result()
    elsewhere.import_(book.export(SERVER, Filters(words=id_)).result()).result()
    assert whole(elsewhere, id_) == whole(book, id_)
