"""The engine in processes of its own, so that a hostile paste cannot hold up the bot."""
