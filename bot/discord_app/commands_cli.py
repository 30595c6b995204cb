"""`oom-medic run` and `oom-medic check`."""

import asyncio
import re
from typing import TYPE_CHECKING

import click

from bot.cli.language import pick_language
from bot.cli.operating import config_option, settings_in_force
from bot.cli.options import language_option
from bot.knowledge.load import Knowledge

if TYPE_CHECKING:
    from bot.discord_app.running import Shards

SHARDS = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?/(\d{1,4})")


@click.command()
@config_option
@click.option("--shards", metavar="FROM-TO/COUNT", help="Serve these shards of so many, e.g. 0-3/8. Default: all.")
def run(shards: str | None) -> None:
    """Run the Discord bot until it is told to stop (SIGTERM, Ctrl-C).

    It needs nothing but a token: in OOM_MEDIC_TOKEN, in a file named by OOM_MEDIC_TOKEN_FILE, or as a systemd
    credential named `token`. `oom-medic check` tells what is missing.
    """
    import aiohttp
    import discord

    from bot.discord_app.running import BadKnowledgeError, serve
    from bot.discord_app.token import NoTokenError, read_token
    from bot.service.logs import set_up

    settings = settings_in_force()
    served = _shards(shards)
    try:
        token = read_token(settings)
        set_up(settings.log_format, settings.log_level, secret=token)
        asyncio.run(serve(settings, token, served))
    except NoTokenError as error:
        raise click.ClickException(str(error)) from None
    except BadKnowledgeError as error:
        raise click.ClickException(f"The knowledge cannot be used:\n{error}") from None
    except (discord.GatewayNotFound, discord.DiscordServerError, aiohttp.ClientError, TimeoutError) as error:
        raise click.ClickException(f"Discord cannot be reached ({type(error).__name__}); start again later.") from None
    except discord.LoginFailure:
        raise click.ClickException(
            "Discord refuses the token. Make a new one at discord.com/developers/applications (Bot, Reset Token)."
        ) from None
    except KeyboardInterrupt:
        return


def _shards(text: str | None) -> "Shards | None":
    from bot.discord_app.running import Shards

    if text is None:
        return None
    found = SHARDS.fullmatch(text)
    if found is None:
        raise click.UsageError("--shards is written FROM-TO/COUNT, for example 0-3/8.")
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    if not first <= last < count:
        raise click.UsageError(f"--shards {text}: the shards of {count} are 0 to {count - 1}.")
    return Shards(tuple(range(first, last + 1)), count)


@click.command()
@config_option
@language_option
def check(lang: str) -> None:
    """Tell what is wrong with token, intents, permissions, case file and knowledge, and how to mend it.

    Exit status 1 where something is wrong.
    """
    from bot.discord_app.check import discord_results, local_results

    knowledge = Knowledge()
    words = knowledge.locale(pick_language(lang, knowledge))
    settings = settings_in_force()
    results = [*local_results(settings, knowledge, words), *asyncio.run(discord_results(settings, words))]
    for result in results:
        click.echo(f"{click.style('ok', fg='green') if result.ok else click.style('!!', fg='red')} {result.text}")
    if not all(result.ok for result in results):
        raise click.exceptions.Exit(1)
