"""`oom-medic check`: what is wrong with token, intents, permissions, database and knowledge, each with its remedy."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import discord

from bot.cases.book import CaseBook
from bot.cases.errors import StoreError
from bot.cases.store import Store
from bot.discord_app.permissions import NEEDED, has_content, invite_url
from bot.discord_app.token import NoTokenError, read_token
from bot.knowledge.check import check as check_knowledge
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.settings import Settings

# Servers looked at; Discord gives no more at once.
GUILDS = 200


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the report."""

    ok: bool
    text: str


def local_results(settings: Settings, knowledge: Knowledge, words: Locale) -> Iterator[Result]:
    """What can be told without Discord: the case file and knowledge/."""
    path = settings.database
    try:
        _probe(path)
        yield Result(ok=True, text=words.text("discord.check.store_ok", path=str(path)))
    except StoreError as error:
        yield Result(ok=False, text=words.text(f"cases.remedy.{error.remedy}", path=str(path), detail=error.detail))
    complaints = check_knowledge(knowledge)
    if complaints:
        yield from (Result(ok=False, text=str(complaint)) for complaint in complaints[:10])
    else:
        yield Result(ok=True, text=words.text("discord.check.knowledge_ok"))


def _probe(path: Path) -> None:
    """Try whether the case file can be written; where there is none yet, with another beside it that goes again.

    Raises StoreError.
    """
    try:
        if path.exists() or not path.parent.is_dir():
            _write_to(path)
            return
        with TemporaryDirectory(prefix=".oom-medic-", dir=path.parent) as folder:
            _write_to(Path(folder) / path.name)
    except OSError as error:
        raise StoreError("cannot_open", str(path), error.strerror or str(error)) from None


def _write_to(path: Path) -> None:
    with Store(path).ready() as store:
        CaseBook(store).probe().result()


async def discord_results(settings: Settings, words: Locale) -> list[Result]:
    """What Discord says of the token, the application's switches and the servers that the bot is in."""
    try:
        token = read_token(settings)
    except NoTokenError as error:
        return [Result(ok=False, text=words.text(f"discord.token.{error.lack}", error.values))]
    client = discord.Client(intents=discord.Intents(guilds=True))
    try:
        await client.login(token)
        return await _application(client, settings, words)
    except discord.LoginFailure:
        return [Result(ok=False, text=words.text("discord.check.bad_token"))]
    except (aiohttp.ClientError, discord.HTTPException, OSError) as error:
        return [Result(ok=False, text=words.text("discord.check.unreachable", reason=type(error).__name__))]
    finally:
        await client.close()


async def _application(client: discord.Client, settings: Settings, words: Locale) -> list[Result]:
    information = await client.application_info()
    name = client.user.name if client.user else information.name
    found = [Result(ok=True, text=words.text("discord.check.token_ok", name=name))]
    granted = has_content(information.flags)
    if granted or not settings.message_content:
        found.append(Result(ok=True, text=words.text(f"discord.check.content_{'on' if granted else 'unwanted'}")))
    else:
        found.append(Result(ok=False, text=words.text("discord.check.content_off")))
    # The list of servers tells the bot's permissions in each; discord.py's own objects drop them.
    guilds = await client.http.get_guilds(GUILDS, with_counts=False)
    found += [_guild(str(guild["name"]), int(guild.get("permissions") or 0), words) for guild in guilds]
    found.append(Result(ok=True, text=f"{words.text('discord.check.invite')} {invite_url(information.id)}"))
    return found


def _guild(name: str, bits: int, words: Locale) -> Result:
    allowed = discord.Permissions(bits)
    lacking = [] if allowed.administrator else [one for one in NEEDED if not getattr(allowed, one)]
    if not lacking:
        return Result(ok=True, text=words.text("discord.check.server_ok", server=name))
    names = ", ".join(words.text(f"discord.permission.{one}") for one in lacking)
    return Result(ok=False, text=words.text("discord.check.lacking", server=name, permissions=names))
