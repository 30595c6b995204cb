import pytest

from bot.intake.text.redact import Redactor, load_redactions
from bot.knowledge.load import Knowledge
from bot.yamledit import parse

KNOWLEDGE = Knowledge()

# Made-up secrets, put together here so that no scanner takes this file for a leak.
A20, D10 = "AbCdEfGhIjKlMnOpQrSt", "0123456789"
HEX40 = (D10 + "abcdef") * 2 + D10[:8]
SECRETS = {
    "hf-token": f"hf_{A20}{D10}xyzw",
    "github-token": f"ghp_{A20}{D10}abcdef",
    "github-token ": f"github_pat_{D10}A_{A20}{D10}",
    "openai-key": f"sk-proj-{A20}{D10}{A20}",
    "anthropic-key": f"sk-ant-api03-{A20}{D10}",
    "discord-webhook": f"https://discord.com/api/webhooks/{D10}12345678/{A20}{D10}{A20}{D10}_-x",
    "discord-token": f"M{A20}{D10[:4]}.Gab1Cd.{A20}{D10}{A20[:8]}",
    "aws-key": "AKIA" + "IOSFODNN7EXAMPLE",
    "slack-token": f"xoxb-{D10}-{D10}-{A20}",
    "google-key": f"AIza{A20}{D10}abcde",
    "jwt": f"eyJ{A20}.eyJ{A20}{D10}.{A20}{D10}",
    "email": "jane.doe+sets@mail.example.co.uk",
}


def redact(text: str) -> str:
    return Redactor(KNOWLEDGE).redact(0, text)[0]


@pytest.mark.parametrize(("kind", "secret"), SECRETS.items())
def test_a_secret_is_replaced_wherever_it_stands(kind: str, secret: str) -> None:
    shown = f"<{kind.strip()}-1>"
    for around in ("{}", "key {} here", 'x: "{}"', '{{"x": "{}"}}', "  - {}\n"):
        assert redact(around.format(secret)) == around.format(shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"wandb login {HEX40}", "wandb login <wandb-key-1>"),
        (f'WANDB_API_KEY="{HEX40}"', 'WANDB_API_KEY="<wandb-key-1>"'),
        (f"aws_secret_access_key = {A20}/{D10}{A20[:9]}", "aws_secret_access_key = <secret-1>"),
        (f"Authorization: Bearer {A20}{D10}", "Authorization: Bearer <bearer-token-1>"),
        ("https://ann:pa55word@proxy.local:3128", "https://ann:<password-1>@proxy.local:3128"),
        ("password: pa55word", "password: <password-1>"),
        ('"password": "two words"', '"password": "<password-1>"'),
        (f"--hub_token {A20}{D10}", "--hub_token <token-1>"),
        (f"https://civitai.com/api/download/1?token={D10}{A20}", "https://civitai.com/api/download/1?token=<token-1>"),
        ("/home/ann/run.py", "/home/<user-1>/run.py"),
        ("/Users/ann", "/Users/<user-1>"),
        (r"C:\Users\Ann Lee\run.py", r"C:\Users\<user-1>\run.py"),
        (r'"C:\\Users\\ann\\run.py"', r'"C:\\Users\\<user-1>\\run.py"'),
        ("c:/users/ann/run.py", "c:/users/<user-1>/run.py"),
        ("/mnt/c/Users/ann/run.py", "/mnt/c/Users/<user-1>/run.py"),
        ("ann@box:~/ai-toolkit$ python run.py", "<user-1>@box:~/ai-toolkit$ python run.py"),
    ],
)
def test_what_its_surroundings_give_away(text: str, shown: str) -> None:
    assert redact(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        f"commit {HEX40}",
        f"sha256:{D10}abcdef{D10}abcdef{D10}abcdef{D10}abcdef",
        'folder_path: "/workspace/sets/home/kitchen"',
        "name: my_lora_v2_rank32",
        'trigger_word: "p3rs0n"',
        "ostris/accuracy_recovery_adapters/qwen_image_edit_2509_torchao_uint3.safetensors",
        "Token indices sequence length is longer than the specified maximum sequence length (97 > 77)",
        "max_token_length: 225",
        "/root/ai-toolkit/run.py",
        "/home/user/ai-toolkit",
        "photo@2x.png",
        "git@github.com:ostris/ai-toolkit.git",
        f"pip install git+https://github.com/a/b@{HEX40}",
        "You can set the HF_TOKEN env variable",
        "hf_repo_id: your-username/your-model-slug",
        'Job ID: "00000000-0000-4000-8000-000000000010"',
        "I forgot my password: sorry",
        "password = None",
        "api_key: ${OPENAI_API_KEY}",
        "mask-of-the-garden-at-night-0001",
        "<hf-token-1> and /home/<user-1>/x",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_the_same_secret_gets_the_same_placeholder_in_every_source() -> None:
    redactor = Redactor(KNOWLEDGE)
    first, second = SECRETS["hf-token"], SECRETS["hf-token"][:-1] + "Q"
    text, _ = redactor.redact(0, f"{first} {second} {first}")
    assert text == "<hf-token-1> <hf-token-2> <hf-token-1>"
    assert redactor.redact(1, second)[0] == "<hf-token-2>"


def test_a_placeholder_in_the_paste_is_never_given_again() -> None:
    assert redact(f"<hf-token-1> {SECRETS['hf-token']}") == "<hf-token-1> <hf-token-2>"


def test_offsets_are_those_of_the_text_as_pasted() -> None:
    text = f"für {SECRETS['hf-token']} und /home/ann/x"
    shown, redactions = Redactor(KNOWLEDGE).redact(0, text)
    assert [text[r.start : r.end] for r in redactions] == [SECRETS["hf-token"], "ann"]
    assert shown == "für <hf-token-1> und /home/<user-1>/x"


def test_a_key_of_many_lines_leaves_the_line_numbers_alone() -> None:
    key = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + f"{A20}{D10}{A20}\n" * 3 + "AAA=\n-----END OPENSSH PRIVATE KEY-----"
    shown = redact(f"before\n{key}\nafter")
    assert A20 not in shown
    assert shown.split("\n")[0] == "before"
    assert shown.split("\n").index("after") == 1 + key.count("\n") + 1
    assert A20 not in redact(key.removesuffix("\n-----END OPENSSH PRIVATE KEY-----"))


def test_configs_stay_parsable() -> None:
    config = f'hf: {SECRETS["hf-token"]}\nflow: [{SECRETS["email"]}, "{SECRETS["jwt"]}"]\npath: /home/ann/x\n'
    data = parse(redact(config)).data
    assert data == {"hf": "<hf-token-1>", "flow": ["<email-1>", "<jwt-1>"], "path": "/home/<user-1>/x"}


def test_redacting_twice_is_redacting_once() -> None:
    once = redact("\n".join((*SECRETS.values(), "/home/ann/x", "password: pa55word")))
    assert redact(once) == once


def test_the_file_is_checked() -> None:
    assert all(rule.hints for rule in load_redactions(KNOWLEDGE))
