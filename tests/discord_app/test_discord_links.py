"""Links to paste sites: read as if pasted, and nothing else is ever asked for anything."""

import asyncio

import pytest
from pastes import config
from standin.acting import text_of

from bot.discord_app.pasting.detect import Detector
from bot.discord_app.pasting.links import LinkReader, file_name, is_public
from bot.knowledge.load import Knowledge
from bot.knowledge.pastes import Pastes, PasteSite

DETECTOR = Detector(Pastes.load(Knowledge()))


def test_a_link_is_read_as_if_its_text_had_been_pasted(stage):
    stage.site.texts["/raw/abCD1234"] = config("behind_a_link")
    _, channel = stage.server()
    _, reply = stage.paste(channel, text="it dies: https://pastebin.com/abCD1234")
    assert "```diff" in text_of(reply)
    assert "pastebin.com/raw/abCD1234" in stage.site.asked


def test_a_redirect_is_not_followed(stage):
    _, channel = stage.server()
    message = stage.people.say(stage.person(), channel, "https://pastebin.com/moved")
    stage.people.wait(lambda: "pastebin.com/raw/moved" in stage.site.asked, "the link to be read")
    stage.silent(message)
    assert not any(asked.startswith("elsewhere") for asked in stage.site.asked)


def test_an_endless_text_is_read_to_the_limit(own_stage):
    stage = own_stage(link_bytes=200_000)
    _, channel = stage.server()
    stage.silent(stage.people.say(stage.person(), channel, "https://pastebin.com/endless"))
    stage.people.wait(lambda: stage.site.cut_off == ["/raw/endless"], "the connection to be cut")


@pytest.mark.parametrize("link", [
    "http://pastebin.com/abc",
    "https://pastebin.com@evil.example/abc",
    "https://evil.example/https://pastebin.com/abc",
    "https://pastebin.com.evil.example/abc",
    "https://pastebin.com:8443/abc",
    "https://user:pw@pastebin.com/abc",
    "https://127.0.0.1/abc",
    "https://github.com/a/b/blob/main/../../../secret",
    "https://pastebin.com/",
])  # fmt: skip
def test_addresses_that_are_not_read(link):
    assert DETECTOR.links(f"look {link} please") == ()


@pytest.mark.parametrize(("link", "raw"), [
    ("https://pastebin.com/abCD12", "https://pastebin.com/raw/abCD12"),
    ("<https://www.pastebin.com/raw/abCD12>", "https://pastebin.com/raw/abCD12"),
    ("(https://gist.github.com/ann/0123abc),", "https://gist.githubusercontent.com/ann/0123abc/raw"),
    ("https://github.com/ann/loras/blob/main/configs/x.yaml.", "https://raw.githubusercontent.com/ann/loras/main/configs/x.yaml"),
])  # fmt: skip
def test_addresses_that_are(link, raw):
    assert DETECTOR.links(link) == (raw,)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "::1",
        "fe80::1",
        "::ffff:10.0.0.1",
        "fc00::1",
        "224.0.0.1",
        "0.0.0.0",
        "x",
    ],
)
def test_private_addresses(address):
    assert not is_public(address)


def test_a_host_that_leads_to_this_machine_is_not_connected_to(caplog):
    async def read():
        async with LinkReader(1000) as reader:
            return await reader.read(("https://localhost/x",))

    caplog.set_level("INFO")
    assert asyncio.run(read()) == ()
    assert "localhost" in caplog.text


def test_names_of_what_links_held():
    assert file_name("https://raw.example/a/config.yaml") == "config.yaml"
    assert file_name("https://pastebin.com/raw/abc") == "paste.txt"


def test_a_site_whose_raw_address_needs_more_than_its_path_names_is_refused():
    with pytest.raises(ValueError, match="does not name"):
        PasteSite(host="a.example", path="/{id}", raw="https://a.example/{other}")
    with pytest.raises(ValueError, match="written out"):
        PasteSite(host="a.example", path="/{id}", raw="https://{id}.example/")
