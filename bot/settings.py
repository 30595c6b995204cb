"""Settings of the whole program: environment variables `OOM_MEDIC_*`, each with its unit and default."""

from pathlib import Path

from pydantic import Field
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
