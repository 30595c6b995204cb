"""What the stages of cleaning share."""

Row = tuple[str, int]  # a row and the number of the line it came from
LONG = 300  # characters from which on a row may be a traceback that lost its line breaks
MONTHS = frozenset(("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"))
