"""The error that ended a run, from its log. The way in is `read.read_crash`."""
