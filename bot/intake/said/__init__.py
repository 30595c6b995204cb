"""What people say around a paste, and what only the surroundings tell: language, hardware, which trainer."""
