"""Everything in knowledge/, read, typed and checked."""
