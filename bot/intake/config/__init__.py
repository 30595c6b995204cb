"""A config's facts, as ai-toolkit itself would read them. The way in is `read.config_facts`."""
