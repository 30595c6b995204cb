"""Printing a diagnosis in the format asked for."""

import json
import math
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bot.diagnosis import Diagnosis
    from bot.knowledge.load import Knowledge


def show(diagnosis: "Diagnosis", knowledge: "Knowledge", form: str, *, all_steps: bool = False) -> None:
    """Text, markdown or JSON, on standard output."""
    if form == "json":
        click.echo(as_json(diagnosis.as_dict()))
        return
    from bot.reply import compose

    reply = compose(diagnosis, knowledge.locale(diagnosis.locale), all_steps=all_steps)
    if form == "markdown":
        from bot.reply.markdown import render
    elif sys.stdout.isatty():
        from bot.reply.terminal import render
    else:
        from bot.reply.text import render
    click.echo(render(reply), nl=False)


def as_json(value: Any) -> str:
    """Strict JSON: what a config may hold and JSON may not (infinity, dates, endless integers) is written as text."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    except (ValueError, TypeError):
        return json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(below) for key, below in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int):
        return value if value.bit_length() <= 64 else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return str(value)
