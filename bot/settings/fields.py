"""Settings of the whole program: environment variables `OOM_MEDIC_*`, or keys of a TOML file, each with unit and default.

The environment wins over the file. Commands read them through `sources.load`, which refuses what is unknown.
"""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bot.settings.file import PREFIX, TomlFile


def _setting(default: Any, description: str, unit: str = "", **bounds: Any) -> Any:
    """A field. `unit` is of the value as it is written; empty for switches, words and paths.

    `oom-medic settings` says both in the person's language: `service.settings.about` and `.units` of the locale files.
    """
    return Field(default=default, description=description, json_schema_extra={"unit": unit}, **bounds)


class Settings(BaseSettings):
    """What an operator may set. Read once at start; every part is handed the values it needs."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 the signature is pydantic-settings' own
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 likewise
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the file."""
        return init_settings, env_settings, TomlFile(settings_cls)

    # --- who the bot is, and where its things are

    token: SecretStr | None = _setting(
        None, "The bot's token. Better: `token_file`, or a systemd credential named `token`. Not in the TOML file."
    )
    token_file: Path | None = _setting(None, "File that holds the bot's token and nothing else.")
    database: Path = _setting(Path("oom-medic.db"), "File of the case history (SQLite). Its folder must be writable.")
    knowledge: Path | None = _setting(
        None, "Folder with the rules and words, to change them without a new version. Unset: those that are shipped."
    )

    # --- how long things are kept

    retention_days: int = _setting(
        30, "When a case is deleted, where a server sets no retention of its own.", "days", ge=1, le=3650
    )
    grace_days: int = _setting(
        7, "How long a server's data is kept after the bot was removed from it.", "days", ge=0, le=365
    )
    no_answer_days: int = _setting(
        3, "After this a step that nobody answered counts as 'no answer'.", "days", ge=1, le=365
    )

    # --- what it asks of Discord, and how much it takes on

    message_content: bool = _setting(
        True, "Ask Discord for the message-content intent. Without it pastes in channels are not seen."
    )
    engine_processes: int = _setting(
        1, "Processes that diagnose. One serves about two hundred pastes of 5 kB a second.", "processes", ge=1, le=64
    )
    queue_limit: int = _setting(
        2000, "Pastes that may wait to be diagnosed; one more is refused.", "pastes", ge=1, le=100_000
    )
    queue_patience_s: float = _setting(60.0, "How long a paste waits for its turn at most.", "seconds", gt=0, le=600)
    engine_deadline_s: float = _setting(
        10.0, "What one diagnosis may take before its process is ended and started anew.", "seconds", gt=0, le=300
    )
    attachment_bytes: int = _setting(
        8 * 2**20,
        "Read of one attachment; of a longer one its head and its tail.",
        "bytes",
        ge=256 * 2**10,
        le=25 * 2**20,
    )
    link_bytes: int = _setting(2 * 2**20, "Read of what a paste-site link leads to.", "bytes", ge=2**10, le=25 * 2**20)
    user_pastes_a_minute: int = _setting(
        6, "Answers that one person gets within a minute.", "answers_a_minute", ge=1, le=100_000
    )
    channel_pastes_a_minute: int = _setting(
        60, "Answers within a minute in one channel.", "answers_a_minute", ge=1, le=100_000
    )

    # --- how it is looked after

    health_host: str = _setting(
        "127.0.0.1",
        "Address on which /healthz, /readyz and /metrics are served. Any but loopback shows them to whoever reaches it.",
    )
    health_port: int = _setting(
        8790,
        "Port of /healthz, /readyz and /metrics; 0: none. A process of --shards adds its first shard's number.",
        ge=0,
        le=65_000,
    )
    drain_s: float = _setting(
        7.0, "On SIGTERM, time to finish what is in hand. Closing takes up to 3 more.", "seconds", ge=0, le=300
    )
    log_format: Literal["json", "console"] = _setting("json", "Shape of the log lines.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = _setting(
        "INFO", "The least serious lines that are logged."
    )
