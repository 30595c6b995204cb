"""The case history: what was asked, answered, tried and judged, in one SQLite file.

`book.CaseBook` is the one door for the faces (Discord, terminal). Nothing here knows Discord or the engine.
"""
