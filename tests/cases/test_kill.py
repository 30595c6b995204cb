"""No case is lost: what was replied to is in the file, once, whenever the process was killed."""

from pathlib import Path

import pytest

from bot.cases.backup import check
from bot.cases.book import CaseBook
from bot.cases.listing import Filters
from bot.cases.model import NewAnswer, Scope
from bot.cases.store import Store
from tests.cases.making import GUILD
from tests.killing import Figures, kill_and_count

SERVER = Scope.server(GUILD)


@pytest.mark.parametrize(
    ("kills", "per_life", "together"), [(10, 100, 1), (2, 30, 2)], ids=["one process", "two processes"]
)
def test_killed_at_any_moment_no_case_is_lost_or_doubled(
    path: Path, capsys: pytest.CaptureFixture[str], kills: int, per_life: int, together: int
) -> None:
    figures = kill_and_count(path, kills=kills, per_life=per_life, together=together)
    with CaseBook(Store(path).ready()) as book:
        figures.count(book.store.read(_messages_and_cases).result())
        with capsys.disabled():
            print(f"\n{figures}")
        assert (figures.lost, figures.doubled) == (0, 0)
        assert figures.kills == kills * together
        assert len(figures.replies) <= figures.cases <= len(figures.replies) + figures.kills
        _buttons_still_work(book, figures)
        book.store.write(lambda db: check(db.conn, path)).result()


def _messages_and_cases(connection: object) -> list[tuple[int, str]]:
    found = connection.execute("SELECT message, id FROM messages JOIN cases USING (seq) WHERE role = 'paste'")
    return [(message, case_id) for message, case_id in found]


def _buttons_still_work(book: CaseBook, figures: Figures) -> None:
    for message in list(figures.replies)[:: max(1, len(figures.replies) // 20)]:
        (case_id,) = set(figures.replies[message])
        found = book.by_message(SERVER, message).result()
        assert found is not None
        assert found.case.id == case_id
        assert len(found.documents) == len(found.steps) == 1
        assert book.listed(SERVER, Filters(words=case_id)).result().cases
        assert book.answer(SERVER.of(case_id), NewAnswer(1, "works")).result().applied


def test_the_count_sees_what_is_lost_and_doubled() -> None:
    figures = Figures(replies={1: ["AAAA"], 2: ["BBBB"], 3: ["CCCC", "DDDD"]})
    figures.count([(1, "AAAA"), (3, "CCCC"), (3, "DDDD")])
    assert (figures.cases, figures.lost, figures.doubled) == (3, 1, 2)
