"""What the stages of cleaning share."""

Row = tuple[str, int]  # a row and the number of the line it came from
# Behind a section's name its lines begin: with a blank there, a line break may be lost.
HEADS = ("train: ", "model: ", "datasets: ", "network: ", "sample: ", "config: ", "process: ")
# RE2: a section's name with one of its keys in the same row.
FOLDED = r"(?:train|model|datasets|network|sample|config|process):[ \t]+(?:-[ \t]+)?[A-Za-z_]\w+:[ \t]"
LONG = 300  # characters from which on a row may be a traceback that lost its line breaks
MONTHS = frozenset(("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"))
# RE2: whatever `keynames` undoes holds one of these.
KEYNAMES = (
    r"(?i:nameorpath|folderpath|batchsize|gradientcheckpointing|cachelatents|lowvram|sampleevery|saveevery|fa(?:1se|l5e|15e))"
    r"|faIse|\n(?:L|Line )\d{1,5}[ \t:.|]|\n[ \t-]*(?:[a-z]+(?: [a-z0-9]+)+:|[a-z]+(?:_[a-z0-9]+)+[;.][ \t]|(?:T(?:rain|RAIN)|M(?:odel|ODEL)|D(?:atasets|ATASETS)|B(?:atch|ATCH)_)[a-zA-Z_]*:)"
    r"|[ \t\[](?:[lI]|[0-9]+[OolI][0-9OolI]*|[OolI][0-9OolI]*[0-9])[ \t]*[,\]\n]"
)
SIGNED = r"\n[ \t-]*(?:[*`_|]{1,3}[a-z][a-z0-9_]*(?:[*`|]{1,3}|_)[ \t]*:|[*`_|]{1,3}[a-z][a-z0-9_]*: [^\n]*[*`_|][ \t]*\n|[a-z_]+:[ \t]+[*`_|]{1,3}(?:true|false|[0-9]))"
REMARKED = r"\n[ \t-]*[\"'][a-z_]+[\"']:[ \t]+[a-z0-9]+[ \t]+(?:\(|<-|->|[!?]|[^\x00-\x7f])"
POINTER = (
    r"\n[ \t]*(?:-{1,3}>|=+>|>{1,3}|!{1,3}|\x{2192}|\x{27a1}|\x{279c}|\x{25ba}|\x{25b6})\x{fe0f}?[ \t]*[a-z]+_[a-z_]+:"
)
# RE2: whatever `markup` undoes holds one of these.
MARKUP = (
    r"\*\*\w+(?:\*\*:|:\*\*|:[^\n*]*\*\*)|~~|;[ \t]*\n|\n[ \t]*- (?:train|model|datasets|sample|network|config):|</|<pre|<br|OrderedDict\([\[{]|'[ \t]*\n[ \t]+'|\n[ \t]*\* "
    r"|\n[ \t-]*[a-z_]+(?::[^\s\\:]|[ \t]*=[ \t]*\w|:[^\n#]*(?:,[ \t]*\n|->|=>|\x{2192}|[a-z0-9][ \t]+(?:\(|<-|//|[!?]|[^\x00-\x7f])))|"
    f"{SIGNED}|{REMARKED}|{POINTER}"
)
