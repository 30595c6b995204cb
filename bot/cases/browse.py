"""Looking through the cases in a browser: Datasette (extra `browse`) on the same file, read-only, on loopback."""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from bot.knowledge.folder import read_yaml, shipped_folder

HOST: Final = "127.0.0.1"
# The name under which deploy/datasette.yaml speaks of the case file, whatever the file is called.
_NAME_IN_METADATA: Final = "cases"


def is_available() -> bool:
    """Whether Datasette is installed here."""
    return find_spec("datasette") is not None


def metadata_file() -> Path:
    """`datasette.yaml`: shipped in the wheel, or the repository's own in deploy/."""
    shipped = shipped_folder() / "datasette.yaml"
    return shipped if shipped.is_file() else shipped_folder().parent / "deploy" / "datasette.yaml"


def metadata_for(database: Path) -> str:
    """Titles, ready-made queries and facets as JSON for Datasette, under the file's own name."""
    metadata = read_yaml(metadata_file())
    metadata["databases"] = {database.stem: metadata["databases"][_NAME_IN_METADATA]}
    return json.dumps(metadata)


def command(database: Path, metadata: Path, port: int, *, opening: bool) -> list[str]:
    """The call of Datasette. It opens files read-only; downloads of the whole file are off."""
    call = [sys.executable, "-m", "datasette", "serve", str(database), "--metadata", str(metadata)]
    call += ["--host", HOST, "--port", str(port)]
    for setting, value in (("allow_download", "off"), ("sql_time_limit_ms", "3000"), ("default_page_size", "50")):
        call += ["--setting", setting, value]
    return [*call, "--open"] if opening else call


def serve(database: Path, port: int, *, opening: bool) -> int:
    """Run Datasette until it is stopped. Returns its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        metadata = Path(folder) / "metadata.json"
        metadata.write_text(metadata_for(database), encoding="utf-8")
        try:
            return subprocess.run(  # noqa: S603 - our own interpreter and arguments
                command(database, metadata, port, opening=opening), check=False
            ).returncode
        except KeyboardInterrupt:
            return 0
