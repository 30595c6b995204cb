"""`oom-medic ask`: the FAQ tree by questions, for people who have nothing to paste."""

import click

from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.cli.show import show
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.reply.asking import Question, conclude, follow, question

STOP = {"q", "quit", "exit"}


@click.command()
@language_option
def ask(lang: str) -> None:
    """Find the cause by answering questions, with nothing to paste."""
    knowledge = Knowledge()
    locale = knowledge.locale(pick_language(lang, knowledge))
    answers: list[str] = []
    while True:
        walked = follow(knowledge, answers)
        asked = question(knowledge, locale, walked)
        if asked is None:
            break
        choice = _choose(asked, locale, may_go_back=bool(answers))
        if choice is None:
            answers.pop()
        else:
            answers.append(choice)
    click.echo()
    show(conclude(knowledge, walked, locale.tag), knowledge, "text")


def _choose(asked: Question, locale: Locale, *, may_go_back: bool) -> str | None:
    """The id of the answer picked by number; None to go back. Ends the command on `q` or at the end of input."""
    click.echo(f"\n{asked.text}")
    for number, (_, words) in enumerate(asked.answers, 1):
        click.echo(f"  {number}. {words}")
    if may_go_back:
        click.echo(f"  0. {locale.text('cli.ask.back')}")
    while True:
        typed = click.prompt(locale.text("cli.ask.pick"), prompt_suffix=": ").strip().lower()
        if typed in STOP:
            raise click.exceptions.Exit(0)
        if typed.isdecimal() and len(typed) < 4:
            if may_go_back and int(typed) == 0:
                return None
            if 0 < int(typed) <= len(asked.answers):
                return asked.answers[int(typed) - 1][0]
        click.echo(locale.text("cli.ask.again"))
