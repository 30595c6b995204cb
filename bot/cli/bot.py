"""`oom-medic run` and `oom-medic check`."""

import asyncio

import click

from bot.cases.shards import Shards
from bot.cli.language import pick_language
from bot.cli.operating import config_option, failed, settings_in_force
from bot.cli.options import language_option
from bot.knowledge.load import Knowledge


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
    served = None if shards is None else _shards(shards)
    try:
        token = read_token(settings)
        set_up(settings.log_format, settings.log_level, secret=token)
        asyncio.run(serve(settings, token, served))
    except NoTokenError as error:
        raise failed(f"discord.token.{error.lack}", **error.values) from None
    except BadKnowledgeError as error:
        raise click.ClickException(f"The knowledge cannot be used:\n{error}") from None
    except (discord.GatewayNotFound, discord.DiscordServerError, aiohttp.ClientError, TimeoutError) as error:
        raise failed("discord.check.unreachable", reason=type(error).__name__) from None
    except discord.LoginFailure:
        raise failed("discord.check.bad_token") from None
    except KeyboardInterrupt:
        return


def _shards(text: str) -> Shards:
    try:
        return Shards.parse(text)
    except ValueError as error:
        raise click.UsageError(f"{error}.") from None


@click.command()
@config_option
@language_option
def check(lang: str) -> None:
    """Tell what keeps the bot from working, and how to mend it.

    Looks at token, intents, permissions, case file and knowledge.

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
