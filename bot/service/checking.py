"""Everything that can be wrong with a folder of knowledge, before it is put in force.

`python -m bot.service.checking FOLDER` prints the complaints as a JSON list; see `knowledge_copy.complaints`.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bot.knowledge.check import check
from bot.knowledge.folder import VARIABLE, data_folder
from bot.knowledge.load import Knowledge

Reader = Callable[[Knowledge], object]


def complaints_in(knowledge: Knowledge) -> list[str]:
    """What `oom-medic knowledge check` complains of, one sentence each."""
    return [str(complaint) for complaint in check(knowledge, readers())]


def readers() -> dict[str, Reader]:
    """The readers of those files of knowledge/ that intake, reply, the estimate and cases own."""
    from bot.cases import invented
    from bot.intake.repair.nesting import nesting
    from bot.intake.said.language import languages_of
    from bot.intake.text.kinds import load_line_kinds
    from bot.intake.text.redact import load_redactions
    from bot.reply.faq import Faq

    made: dict[str, Reader] = {
        "redactions.yaml": load_redactions, "lines.yaml": load_line_kinds, "languages.yaml": languages_of,
        "faq/answers.yaml": Faq.load, "invented.yaml": invented.load, "nesting.yaml": lambda _: nesting(),
        "toolkit_lines.yaml": lambda own: own.signatures.toolkit_lines,
    }  # fmt: skip
    parts: dict[str, Reader] = {
        "models": lambda own: own.memory.models,
        "companions": lambda own: own.memory.companions,
        "errors": lambda own: own.memory.errors,
        "starts": lambda own: [own.memory.start(arch) for arch in own.families.archs.values()],
    }
    for file in sorted((data_folder() / "memory").glob("*.yaml")):
        made[f"memory/{file.name}"] = parts.get(file.stem) or partial(_coefficients, name=file.stem)
    return made


def _coefficients(knowledge: Knowledge, name: str) -> object:
    return knowledge.memory.coefficients(name)


def faults(knowledge: Knowledge) -> list[str]:
    """All complaints; where there are none, those of diagnosing each bundled example in each language."""
    try:
        return complaints_in(knowledge) or list(_tried(knowledge))
    except Exception as error:  # noqa: BLE001 whatever a broken file sets off is a complaint about it
        return [f"the check broke off: {_line(error)}"]


def _tried(knowledge: Knowledge) -> Iterator[str]:
    from bot.engine import diagnose
    from bot.intake.read import Pasted, read
    from bot.knowledge.locale import locale_tags
    from bot.reply import compose

    tags = locale_tags(knowledge.folder)
    for file in sorted((knowledge.folder / "examples").glob("*.*")):
        try:
            evidence = read([Pasted(file.name, file.read_bytes())], knowledge)
            for tag in tags:
                compose(diagnose(evidence, knowledge, locale=tag), knowledge.locale(tag))
        except Exception as error:  # noqa: BLE001 likewise
            yield f"examples/{file.name} cannot be diagnosed: {_line(error)}"


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


def main(folder: str) -> None:
    """Print the complaints about a folder."""
    os.environ[VARIABLE] = folder
    sys.stdout.write(json.dumps(faults(Knowledge(Path(folder)))))


if __name__ == "__main__":
    main(sys.argv[1])
