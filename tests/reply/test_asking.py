"""The FAQ tree by questions: every path ends in an answer, in every language."""

import pytest

from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags
from bot.reply import compose, text
from bot.reply.asking import UNSURE, conclude, follow, question

KNOWLEDGE = Knowledge()


def every_path():
    """Every sequence of answers from the start to an outcome; the tree is small and has no circle."""
    pending = [()]
    while pending:
        answers = pending.pop()
        node = KNOWLEDGE.tree.nodes[follow(KNOWLEDGE, answers).node]
        if node.ladder:
            yield answers
        else:
            pending += [(*answers, choice) for choice in (*(one.id for one in node.answers if one.offer), UNSURE)]


TAGS = locale_tags(KNOWLEDGE.folder)
PATHS = sorted(every_path())
ENDS = {follow(KNOWLEDGE, path).node: path for path in PATHS}


def test_the_walk_reaches_many_outcomes():
    assert len(ENDS) > 5
    assert all(KNOWLEDGE.tree.nodes[node].ladder for node in ENDS)


@pytest.mark.parametrize("tag", TAGS)
def test_every_question_on_the_way_has_words(tag):
    locale = KNOWLEDGE.locale(tag)
    for path in PATHS:
        for length in range(len(path)):
            asked = question(KNOWLEDGE, locale, follow(KNOWLEDGE, path[:length]))
            assert asked is not None
            assert asked.text
            ids = [answer for answer, _ in asked.answers]
            assert len(set(ids)) == len(ids)
            assert path[length] in ids or path[length] == UNSURE
        assert question(KNOWLEDGE, locale, follow(KNOWLEDGE, path)) is None


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("path", ENDS.values(), ids=ENDS)
def test_every_end_is_an_answer_in_words(path, tag):
    walked = follow(KNOWLEDGE, path)
    diagnosis = conclude(KNOWLEDGE, walked, tag)
    assert diagnosis.outcome == walked.node
    assert diagnosis.problem["class"] == walked.problem_class
    assert diagnosis.diff is None
    assert any(step.now for step in diagnosis.steps)
    assert "{" not in text.render(compose(diagnosis, KNOWLEDGE.locale(tag)))


def test_checkpointing_off_leads_to_switching_it_on():
    path = next(path for path in PATHS if {"out-of-memory", "training", "is-off"} <= set(path))
    diagnosis = conclude(KNOWLEDGE, follow(KNOWLEDGE, path), "en")
    now = next(step for step in diagnosis.steps if step.now)
    assert now.lever == "gradient_checkpointing"
    assert now.snippet


def test_what_was_told_beforehand_is_kept():
    path = ENDS["train-out-of-memory"]
    diagnosis = conclude(KNOWLEDGE, follow(KNOWLEDGE, path, {"gpu.name": "RTX 3060", "gpu.vram_gib": 12.0}), "en")
    assert diagnosis.hardware["gpu"] == "RTX 3060"


def test_an_answer_that_is_none_is_refused():
    with pytest.raises(KeyError):
        follow(KNOWLEDGE, ["no-such-answer"])
