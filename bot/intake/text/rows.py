"""What the stages of cleaning share."""

Row = tuple[str, int]  # a row and the number of the line it came from
LONG = 300  # characters from which on a row may be a traceback that lost its line breaks
MONTHS = frozenset(("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"))
# RE2: whatever `markup` undoes holds one of these.
MARKUP = (
    r"\*\*\w+(?:\*\*:|:\*\*)|</|<pre|<br|OrderedDict\(\[|\n[ \t]*\* "
    r"|\n[ \t-]*[a-z_]+(?::[^\s\\:]|[ \t]*=[ \t]*\w|:[^\n#]*(?:,[ \t]*\n|->|=>|\x{2192}|[a-z0-9][ \t]+(?:\(|<-|//|\x{2190})))"
)
