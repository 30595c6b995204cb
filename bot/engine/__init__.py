"""Evidence and knowledge in, diagnosis out: pure and synchronous."""

from bot.engine.diagnose import diagnose

__all__ = ["diagnose"]
