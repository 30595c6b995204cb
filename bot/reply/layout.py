"""Layouts: the Jinja2 templates of knowledge/templates. Values are passed in, never compiled."""

from collections.abc import Callable, Mapping
from typing import Any

from bot.knowledge.folder import data_folder


def fill(name: str, filters: Mapping[str, Callable[..., str]], **values: Any) -> str:
    """The filled layout `knowledge/templates/<name>.j2`, with the face's own filters."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    # Terminal and chat text is no HTML: escaping is each face's own, by its filters.
    environment = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(data_folder() / "templates"),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(filters)
    return environment.get_template(f"{name}.j2").render(**values)
