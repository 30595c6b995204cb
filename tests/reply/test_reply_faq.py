"""Questions as people type them, in three languages, and the answer each must find."""

from pathlib import Path

import pytest
import yaml

from bot.knowledge.load import Knowledge
from bot.knowledge.locale import locale_tags
from bot.reply.faq import Faq, answer_text, tokens

KNOWLEDGE = Knowledge()
FAQ = Faq.load(KNOWLEDGE)

QUESTIONS = [
    ("does gradient checkpointing hurt quality?", "does-gc-hurt-quality", "en"),
    ("schadet gradient checkpointing der Qualität?", "does-gc-hurt-quality", "de"),
    ("il gradient checkpointing peggiora la qualità?", "does-gc-hurt-quality", "it"),
    ("gc is on and it still fails, what now?", "gc-on-still-fails", "en"),
    ("GC ist an und es kracht trotzdem", "gc-on-still-fails", "de"),
    ("è già attivo ma va ancora in crash OOM", "gc-on-still-fails", "it"),
    ("should a first run start with gc off?", "first-run-gc-off", "en"),
    ("Soll ich den ersten Lauf ohne GC starten?", "first-run-gc-off", "de"),
    ("per il primo addestramento lo lascio disattivato?", "first-run-gc-off", "it"),
    ("my samples look bad, should I turn off gc", "what-gc-off-is-not", "en"),
    ("bekomme ich mehr Ähnlichkeit mit GC aus?", "what-gc-off-is-not", "de"),
    ("le anteprime sono brutte, disattivo il checkpointing?", "what-gc-off-is-not", "it"),
    ("where do I click", "where-to-click", "en"),
    ("wo schalte ich das ein?", "where-to-click", "de"),
    ("dove clicco per riattivarlo?", "where-to-click", "it"),
    ("why did it work yesterday", "worked-yesterday", "en"),
    ("wieso hat es gestern noch funktioniert", "worked-yesterday", "de"),
    ("ieri andava tutto bene, perché adesso no", "worked-yesterday", "it"),
    ("the same job died at step 120 and then ran fine", "oom-comes-and-goes", "en"),
    ("warum kommt der OOM bei step 37 und dann wieder nicht", "oom-comes-and-goes", "de"),
    ("perché l'oom va e viene", "oom-comes-and-goes", "it"),
    ("windows is slow but shows no error", "windows-slow", "en"),
    ("Windows ist total langsam, kein Fehler", "windows-slow", "de"),
    ("perché su windows è lento ma non dà errori", "windows-slow", "it"),
    ("what does system ram have to do with it", "what-ram-has-to-do", "en"),
    ("Was hat der Arbeitsspeicher damit zu tun", "what-ram-has-to-do", "de"),
    ("che c'entra la RAM", "what-ram-has-to-do", "it"),
    ("can I combine two cards", "two-gpus", "en"),
    ("Zwei GPUs zusammenschalten, geht das?", "two-gpus", "de"),
    ("posso usare due GPU insieme?", "two-gpus", "it"),
    ("when can I turn it off", "when-gc-off-is-reasonable", "en"),
    ("GC aus, wann ist das sinnvoll?", "when-gc-off-is-reasonable", "de"),
    ("quando ha senso disattivarlo?", "when-gc-off-is-reasonable", "it"),
    ("how do I train faster", "i-want-speed", "en"),
    ("wie geht das Training schneller", "i-want-speed", "de"),
    ("come velocizzo l'addestramento", "i-want-speed", "it"),
    ("how much vram for z-image", "how-much-vram", "en"),
    ("wie viel vram brauche ich für flux", "how-much-vram", "de"),
    ("quanta vram serve per flux", "how-much-vram", "it"),
    ("what does low_vram do", "what-low-vram-does", "en"),
    ("was macht layer offloading", "what-layer-offloading-does", "de"),
    ("cos'è il layer offloading", "what-layer-offloading-does", "it"),
    ("was ist ein bucket", "what-is-a-bucket", "de"),
    ("what is oom", "what-is-oom", "en"),
    ("cosa vuol dire oom", "what-is-oom", "it"),
    ("how do I lower the batch size", "where-to-click", "en"),
    ("zwei grafikkarten zusammen", "two-gpus", "de"),
    ("voglio andare più veloce", "i-want-speed", "it"),
]


# Asked in anybody's own words; where the bot does not speak the language, the answer comes in English.
_ASKED = yaml.safe_load(Path(__file__).with_name("questions.yaml").read_text(encoding="utf-8"))
# Talk in which the words of an answer may turn up.
OFF_TOPIC = [
    "who won the game last night",
    "what is love",
    "what does the fox say",
    "how do I cook pasta",
    "wie ist das wetter",
    "was ist der sinn des lebens",
    "was macht ihr heute",
    "che ore sono",
    "cosa fai stasera",
    "what is the best anime",
    "is this server dead",
    "what does lora mean for you guys",
    "where can I buy shoes",
    "wann kommt gta 6",
    "my cat is slow",
    "nice work!",
    "come stai",
    "a cosa serve la vita",
    "what time is it",
    "das ergebnis ist super",
    "thanks, this batch of cookies was better",
    "ich habe eine kleine frage",
    "ho una piccola domanda",
    "the resolution of the conflict",
    "explain the joke",
]
IN_OTHER_WORDS = [(question, answer) for answer, questions in _ASKED.items() for question in questions]


@pytest.mark.parametrize(("question", "answer"), IN_OTHER_WORDS)
def test_questions_in_many_languages_find_their_answer(question, answer):
    assert [match.id for match in FAQ.match(question)][:1] == [answer]


@pytest.mark.parametrize(("question", "answer", "language"), QUESTIONS)
def test_questions_find_their_answer(question, answer, language):
    assert [match.id for match in FAQ.match(question)][:1] == [answer]
    assert FAQ.language(question) == language


@pytest.mark.parametrize("question", ["", "hello there", "what's the weather", "?" * 10_000, "\x00\ud800", *OFF_TOPIC])
def test_what_is_no_question_finds_nothing(question):
    assert FAQ.match(question) == ()


def test_every_answer_has_phrases_and_words_in_each_language():
    for tag in locale_tags(KNOWLEDGE.folder):
        locale = KNOWLEDGE.locale(tag)
        assert set(locale.below("faq")) == set(FAQ.entries)
        for name, entry in FAQ.entries.items():
            assert all(answer_text(locale, name))
            assert entry.phrases[tag]


def test_related_answers_exist():
    assert {name for entry in FAQ.entries.values() for name in entry.see} <= FAQ.entries.keys()


def test_each_question_of_the_list_finds_itself():
    """The question printed by `oom-medic faq` can be typed back."""
    for tag in locale_tags(KNOWLEDGE.folder):
        locale = KNOWLEDGE.locale(tag)
        for name in FAQ.entries:
            asked = answer_text(locale, name)[0]
            assert name in [match.id for match in FAQ.match(asked)], asked


def test_accents_and_case_do_not_matter():
    assert tokens("Ähnlichkeit PERCHÉ l'OOM") == ("ahnlichkeit", "perche", "l", "oom")
