"""Ids are short, random, unambiguous and never given out twice."""

import pytest
from sqlite_utils import Database

from bot.cases import ids, schema
from bot.cases.book import CaseBook
from bot.cases.model import Scope
from tests.cases.making import new_case


@pytest.fixture
def db() -> Database:
    database = Database(memory=True)
    schema.upgrade(database)
    yield database
    database.close()


def test_the_alphabet_is_unambiguous() -> None:
    assert len(set(ids.ALPHABET)) == len(ids.ALPHABET) == 24
    for pair in ("0O", "1IL", "2Z", "5S", "6G", "8B", "UV"):
        assert sum(symbol in ids.ALPHABET for symbol in pair) <= 1
    assert not set("AEIOU") & set(ids.ALPHABET)


@pytest.mark.parametrize(
    ("typed", "id_"), [("K7Q2", "K7Q2"), (" #k7q2 ", "K7Q2"), ("k7qz", "K7Q2"), ("SBGZ", "5862"), ("2345C", "2345C")]
)
def test_what_people_type_is_understood(typed: str, id_: str) -> None:
    assert ids.meant(typed) == id_


@pytest.mark.parametrize("typed", ["", "K7", "K7Q1", "HELLO", "K7 Q2", "🙂🙂🙂🙂"])
def test_what_is_no_id_is_none(typed: str) -> None:
    assert ids.meant(typed) is None


def test_a_taken_id_is_not_drawn_again(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter("22222223")
    monkeypatch.setattr(ids.secrets, "choice", lambda _: next(drawn))
    db.execute("INSERT INTO retired (id) VALUES ('2222')")
    assert ids.new_id(db) == "2223"


def test_ids_grow_when_short_ones_are_used_up(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "ALPHABET", "23")
    made = []
    for _ in range(60):
        made.append(ids.new_id(db))
        db.execute("INSERT INTO retired (id) VALUES (?)", [made[-1]])
    assert len(set(made)) == 60
    assert {len(id_) for id_ in made} >= {4, 5}


def test_the_id_of_a_deleted_case_is_not_given_to_another(book: CaseBook, monkeypatch: pytest.MonkeyPatch) -> None:
    first = book.record(new_case()).result().id
    book.delete(Scope.operator().of(first)).result()
    drawn = iter(first + "2345" if first != "2345" else first + "3456")
    monkeypatch.setattr(ids.secrets, "choice", lambda _: next(drawn))
    assert book.record(new_case()).result().id != first
