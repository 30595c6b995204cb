"""`oom-medic faq`: the answers to what people ask, by a question in their own words or by its name."""

import click

from bot.cli.language import pick_language
from bot.cli.options import language_option
from bot.knowledge.load import Knowledge
from bot.knowledge.locale import Locale
from bot.reply.faq import Faq, answer_text

WIDTH = 88


@click.command()
@click.argument("question", nargs=-1, metavar="[QUESTION]")
@language_option
def faq(question: tuple[str, ...], lang: str) -> None:
    """Answer a question in your own words, or list the questions."""
    knowledge = Knowledge()
    answers = Faq.load(knowledge)
    asked = " ".join(question)
    locale = knowledge.locale(pick_language(lang, knowledge, answers.language(asked)))
    if not asked:
        _list(answers, locale)
        click.echo(f"\n{locale.text('cli.faq.pick')}")
        return
    found = [asked] if asked in answers.entries else [match.id for match in answers.match(asked)]
    if not found:
        click.echo(locale.text("errors.no_faq"))
        _list(answers, locale)
        return
    _answer(answers, locale, found)


def _list(answers: Faq, locale: Locale) -> None:
    for name in answers.entries:
        click.echo(f"  {name}: {answer_text(locale, name)[0]}")


def _answer(answers: Faq, locale: Locale, found: list[str]) -> None:
    asked, said = answer_text(locale, found[0])
    click.echo(click.style(asked, bold=True))
    click.echo()
    click.echo(click.wrap_text(said, WIDTH))
    related = dict.fromkeys([*found[1:], *answers.entries[found[0]].see])
    if related:
        names = "; ".join(f"{answer_text(locale, name)[0]} ({name})" for name in related)
        click.echo(f"\n{locale.text('cli.faq.see_also', questions=names)}")
