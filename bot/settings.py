"""Settings of the whole program: environment variables `OOM_MEDIC_*`, each with its unit and default."""

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """What an operator may set. Read once at start; every part is handed the values it needs."""

    model_config = SettingsConfigDict(env_prefix="OOM_MEDIC_", extra="ignore", frozen=True)

    database: Path = Field(
        default=Path("oom-medic.db"),
        description="File of the case history (SQLite). Its folder must be writable.",
    )
    retention_days: int = Field(
        default=30,
        ge=1,
        le=3650,
        description="Days after which a case is deleted, where a server sets no retention of its own.",
    )
    grace_days: int = Field(
        default=7,
        ge=0,
        le=365,
        description="Days a server's data is kept after the bot was removed from it.",
    )
    no_answer_days: int = Field(
        default=3,
        ge=1,
        le=365,
        description="Days after which a step that nobody answered counts as 'no answer'.",
    )

    token: SecretStr | None = Field(
        default=None,
        description="The bot's token. Better: `token_file`, or a systemd credential named `token`.",
    )
    token_file: Path | None = Field(
        default=None,
        description="File that holds the bot's token and nothing else.",
    )
    message_content: bool = Field(
        default=True,
        description="Ask Discord for the message-content intent. Without it pastes in channels are not seen.",
    )
    engine_processes: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Processes that diagnose. One serves about a hundred pastes of 5 kB a second.",
    )
    queue_limit: int = Field(
        default=2000,
        ge=1,
        le=100_000,
        description="Pastes that may wait to be diagnosed; one more is refused.",
    )
    queue_patience_s: float = Field(
        default=60.0,
        gt=0,
        le=600,
        description="Seconds that a paste waits for its turn at most.",
    )
    engine_deadline_s: float = Field(
        default=10.0,
        gt=0,
        le=300,
        description="Seconds that one diagnosis may take before its process is ended and started anew.",
    )
    attachment_bytes: int = Field(
        default=8 * 2**20,
        ge=256 * 2**10,
        le=25 * 2**20,
        description="Bytes read of one attachment; of a longer one its head and its tail.",
    )
    link_bytes: int = Field(
        default=2 * 2**20,
        ge=2**10,
        le=25 * 2**20,
        description="Bytes read of what a paste-site link leads to.",
    )
    user_pastes_a_minute: int = Field(
        default=6,
        ge=1,
        le=100_000,
        description="Answers that one person gets within a minute.",
    )
    channel_pastes_a_minute: int = Field(
        default=60,
        ge=1,
        le=100_000,
        description="Answers within a minute in one channel.",
    )
    log_format: Literal["json", "console"] = Field(
        default="json",
        description="Shape of the log lines.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO",
        description="The least serious lines that are logged.",
    )
