"""Certain repairs of YAML and JSON that does not parse, or not to what was meant. The way in is `mend.mend`."""
