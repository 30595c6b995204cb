"""Looking after the running bot: logs, counts, health, readiness, reload. Knows nothing of Discord."""
