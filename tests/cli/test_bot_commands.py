"""`check` and `run` where something is missing, which is when people call them."""

import pytest

from tests.cli.running import run


@pytest.fixture
def here(tmp_path, monkeypatch):
    for name in ("OOM_MEDIC_TOKEN", "OOM_MEDIC_TOKEN_FILE", "CREDENTIALS_DIRECTORY", "OOM_MEDIC_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_check_leaves_nothing_behind(here):
    done = run("check", folder=here)
    assert done.returncode == 1
    assert b"There is no token." in done.stdout
    assert b"The case file can be written: oom-medic.db" in done.stdout
    assert list(here.iterdir()) == []


def test_check_names_a_folder_that_is_not_there(here):
    done = run("check", folder=here, OOM_MEDIC_DATABASE="no/such/cases.db")
    assert b"its folder is missing" in done.stdout
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("command", ["check", "run"])
@pytest.mark.parametrize(
    ("content", "said"), [(b"", "ist leer"), (b"\xff\xfe\x00", "etwas anderes als ein Token"), (None, "nicht lesen")]
)
def test_a_token_file_that_is_no_use_is_told_in_the_terminals_language(here, command, content, said):
    file = here / "token"
    file.mkdir() if content is None else file.write_bytes(content)
    done = run(command, folder=here, LC_ALL="de_DE.UTF-8", OOM_MEDIC_TOKEN_FILE="token")
    assert done.returncode in {1, 2}
    told = (done.stdout + done.stderr).decode()
    assert said in told
    assert "Traceback" not in told
