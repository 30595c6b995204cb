"""The commands anybody can use, in servers, in direct messages and where only the person installed the bot."""

import pytest
from pastes import LOG, config, fenced
from standin.acting import text_of

EPHEMERAL = 64


def test_diagnose_with_files_is_answered_for_the_asker_alone(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person()
    made = stage.people.slash(
        ann,
        channel,
        "diagnose",
        file=("config.yaml", config("slash").encode()),
        file_2=("log.txt", LOG.encode()),
        gpu="RTX 3060",
    )
    answer = stage.people.answer(made)
    assert answer["flags"] & EPHEMERAL
    assert "OOM crash" in text_of(answer)
    assert "3060" in text_of(answer)
    assert "Show to everyone" in stage.people.labels(answer)


def test_diagnose_with_text_that_lost_its_newlines(stage):
    _, channel = stage.server(opted_in=False)
    flat = " ".join(LOG.split())
    answer = stage.people.answer(stage.people.slash(stage.person(), channel, "diagnose", text=flat))
    assert "OOM" in text_of(answer)


def test_a_config_that_lost_its_line_breaks_is_put_together_again_or_the_form_is_named(stage):
    _, channel = stage.server(opted_in=False)
    squeezed = config("squeezed").replace("\n", " ")
    answer = stage.people.answer(stage.people.slash(stage.person(), channel, "diagnose", text=squeezed))
    assert "+        gradient_checkpointing: true" in text_of(answer)
    flat = " ".join(config("flat").split())
    assert "a form opens" in text_of(
        stage.people.answer(stage.people.slash(stage.person(), channel, "diagnose", text=flat))
    )


def test_diagnose_with_nothing_opens_a_form(stage):
    _, channel = stage.server(opted_in=False)
    made = stage.people.slash(stage.person(), channel, "diagnose", gpu="RTX 3060")
    modal = stage.people.modal(made)
    fields = [label["component"]["custom_id"] for label in modal["components"]]
    assert fields == ["text", "files", "gpu", "goal"]
    sent = stage.people.submit(
        made, text=LOG, gpu="RTX 3060", goal="fit", files=[("config.yaml", config("form").encode())]
    )
    words = text_of(stage.people.answer(sent))
    assert "OOM crash" in words
    assert "3060" in words
    assert "```diff" in words


def test_an_empty_form_is_told_what_to_send(stage):
    _, channel = stage.server(opted_in=False)
    made = stage.people.slash(stage.person(), channel, "diagnose")
    stage.people.modal(made)
    assert "/diagnose" in text_of(stage.people.answer(stage.people.submit(made)))


def test_diagnose_of_a_picture_says_where_the_text_is(stage):
    _, channel = stage.server(opted_in=False)
    made = stage.people.slash(stage.person(), channel, "diagnose", file=("error.png", b"\x89PNG"))
    assert "log.txt" in text_of(stage.people.answer(made))


def test_gpu_names_are_suggested(stage):
    _, channel = stage.server(opted_in=False)
    names = [choice["name"] for choice in stage.people.suggest(stage.person(), channel, "diagnose", "gpu", gpu="3060")]
    assert "RTX 3060" in names
    assert len(stage.people.suggest(stage.person(), channel, "diagnose", "gpu", gpu="")) == 25


@pytest.mark.parametrize(
    ("locale", "word"),
    [("en-US", "It works"), ("de", "Es läuft"), ("it", "Funziona"), ("fr", "It works"), ("pt-BR", "It works")],
)
def test_the_answer_is_in_the_interactions_language(stage, locale, word):
    _, channel = stage.server(opted_in=False)
    made = stage.people.slash(
        stage.person(locale), channel, "diagnose", file=("config.yaml", config(f"in_{locale}").encode())
    )
    assert word in stage.people.labels(stage.people.answer(made))


def test_the_language_option_beats_everything(stage):
    _, channel = stage.server(opted_in=False)
    made = stage.people.slash(
        stage.person("de"), channel, "diagnose", file=("config.yaml", config("wished").encode()), language="it"
    )
    assert "Funziona" in stage.people.labels(stage.people.answer(made))


def test_languages_of_a_paste_own_setting_then_prose_then_server(stage):
    _, channel = stage.server(preferred_locale="it")
    ann = stage.person()
    _, by_server = stage.paste(channel, ann)
    assert "Funziona" in stage.people.labels(by_server)
    german = "Hallo zusammen, mein Training stürzt immer wieder ab und ich verstehe einfach nicht, warum das so ist.\n"
    _, by_prose = stage.paste(channel, text=german + fenced(config("deutsch")))
    assert "Es läuft" in stage.people.labels(by_prose)
    made = stage.people.slash(ann, channel, "language", language="en")
    assert "English" in text_of(stage.people.answer(made))
    _, elsewhere = stage.server(preferred_locale="it")
    _, by_setting = stage.paste(elsewhere, ann)
    assert "It works" in stage.people.labels(by_setting)


def test_the_menu_reads_a_message_with_its_files_and_forwarded_ones(stage):
    _, channel = stage.server(opted_in=False)
    bob = stage.person()
    original = stage.people.say(bob, channel, fenced(config("forwarded")))
    forward = stage.people.say(bob, channel, "", snapshots=[original])
    answer = stage.people.answer(stage.people.menu(stage.person("de"), channel, "Diagnose", forward))
    assert answer["flags"] & EPHEMERAL
    assert "```diff" in text_of(answer)
    attached = stage.people.say(bob, channel, "see file", files=[("log.txt", LOG.encode())])
    assert "OOM" in text_of(stage.people.answer(stage.people.menu(stage.person(), channel, "Diagnose", attached)))


def test_the_menu_on_an_answered_paste_shows_its_case(stage):
    _, channel = stage.server()
    message, reply = stage.paste(channel)
    answer = stage.people.answer(stage.people.menu(stage.person(), channel, "Diagnose", message))
    assert answer["embeds"][0]["footer"]["text"] == reply["embeds"][0]["footer"]["text"]


def test_faq_by_choice_and_in_ones_own_words(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person("de")
    choices = stage.people.suggest(ann, channel, "faq", "question", question="qualität")
    assert "does-gc-hurt-quality" in [choice["value"] for choice in choices]
    by_choice = stage.people.answer(stage.people.slash(ann, channel, "faq", question="does-gc-hurt-quality"))
    in_words = stage.people.answer(
        stage.people.slash(ann, channel, "faq", question="schadet gradient checkpointing der qualität?", public=True)
    )
    assert by_choice["embeds"] == in_words["embeds"]
    assert by_choice["flags"] & EPHEMERAL
    assert not in_words["flags"] & EPHEMERAL


def test_plan_gives_figures_and_a_config_to_paste(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person()
    assert "Z-Image Turbo" in [
        one["name"] for one in stage.people.suggest(ann, channel, "plan", "model", model="z-image", gpu="")
    ]
    answer = stage.people.answer(stage.people.slash(ann, channel, "plan", model="Z-Image Turbo", gpu="RTX 3060 12GB"))
    assert answer["flags"] & EPHEMERAL
    said = text_of(answer)
    assert "Z-Image Turbo" in said
    assert "Training step" in said
    assert answer["attachments"][0]["filename"] == "my_lora.yaml"


def test_plan_asks_for_what_it_lacks_in_the_persons_language(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person("de")
    assert "10 GB" in text_of(
        stage.people.answer(stage.people.slash(ann, channel, "plan", model="flux", gpu="RTX 3080"))
    )
    assert "Modell" in text_of(
        stage.people.answer(stage.people.slash(ann, channel, "plan", model="nothing of the kind", gpu="4090"))
    )


def test_ask_walks_the_tree_to_its_end_and_back(stage):
    _, channel = stage.server(opted_in=False)
    ann = stage.person()
    message = stage.people.answer(stage.people.slash(ann, channel, "ask"))
    first = text_of(message)
    stage.choose(ann, message, stage.people.labels(message)[0])
    stage.choose(ann, message, "Back")
    assert text_of(message) == first
    for _ in range(12):
        labels = stage.people.labels(message)
        if labels == ["Back"]:
            break
        stage.choose(ann, message, labels[0])
    assert labels == ["Back"]
    assert len(text_of(message)) > 100


def test_the_bot_in_a_direct_message(stage):
    ann = stage.person("it")
    made = stage.people.slash(ann, stage.world.dm(ann), "diagnose", file=("config.yaml", config("direct").encode()))
    answer = stage.people.answer(made)
    stage.choose(ann, answer, "Ancora non va")
    assert "Passo 2" in text_of(answer)


def test_the_bot_in_a_server_that_never_added_it(stage):
    """Installed by the person alone: the case is theirs, and no moderator of that server can see it."""
    guild = stage.world.add_guild("Strangers")
    channel = stage.world.add_channel(guild)
    del stage.world.guilds[guild.id]
    ann = stage.person()
    made = stage.people.slash(ann, channel, "diagnose", file=("config.yaml", config("abroad").encode()))
    answer = stage.people.answer(made)
    stage.choose(ann, answer, "Still fails")
    assert "Step 2" in text_of(answer)


def test_command_names_and_texts_pass_discords_rules_in_every_language(stage):
    synced = {command["name"]: command for command in stage.world.commands}
    assert set(synced) == {
        "diagnose",
        "Diagnose",
        "faq",
        "ask",
        "plan",
        "language",
        "setup",
        "cases",
        "privacy",
        "knowledge",
    }
    assert synced["diagnose"]["name_localizations"] == {"it": "diagnosi", "de": "diagnose"}
    assert set(synced["diagnose"]["description_localizations"]) == {"de", "it"}
    assert synced["setup"]["default_member_permissions"] == str(1 << 5)
    assert synced["diagnose"]["integration_types"] == [0, 1]
    assert synced["cases"]["contexts"] == [0]


def test_a_late_acknowledgement_does_not_happen_while_the_engine_is_busy(stage):
    """Hostile pastes fill the engine's queue; a command is acknowledged at once all the same."""
    _, channel = stage.server()
    for number in range(40):
        stage.people.say(stage.person(), channel, files=[("log.txt", (LOG * 200 + str(number)).encode())])
    made = stage.people.slash(stage.person(), channel, "diagnose", file=("config.yaml", config("urgent").encode()))
    stage.people.wait(lambda: made.answered, "the acknowledgement")
    assert made.answered_at - made.created < 3
    assert "```diff" in text_of(stage.people.answer(made))
