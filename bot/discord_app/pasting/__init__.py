"""Messages in channels: which are pastes, what belongs to them, and what follows when they change."""
