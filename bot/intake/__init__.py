"""From whatever was pasted to typed evidence. The way through is `bot.intake.read.read`."""
