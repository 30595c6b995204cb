import re

from bot.reply.blocks import Block, Reply
from bot.reply.terminal import render

ROW = "-        name_or_path: " + "a-long-name/" * 12
REPLY = Reply(
    "en",
    "Title",
    (
        Block("cause", "What happened", ("Words that go on for longer than a narrow terminal is wide.",), ("an item",)),
        Block("diff", "Your file", code=f"@@ -1 +1 @@\n{ROW}\n+x", language="diff", closing=("After it.",)),
    ),
)


def test_code_keeps_its_rows_however_narrow_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", render(REPLY)).split("\n")
    assert f"    {ROW}" in shown
    assert "    +x" in shown
    assert all(len(row) <= 40 for row in shown if row != f"    {ROW}")
    assert shown.index("  After it." + " " * 29) > shown.index("    +x")
