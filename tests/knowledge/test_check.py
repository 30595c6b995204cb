"""Each kind of fault in knowledge/ is found, with its file, line and a remedy."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.knowledge.check import Complaint, check
from bot.knowledge.folder import data_folder
from bot.knowledge.load import Knowledge
from bot.service.checking import readers

Break = Callable[[str, str, str], list[Complaint]]


@pytest.fixture
def after_change(tmp_path: Path) -> Break:
    """What is complained of once `old` in a file of knowledge/ has become `new`."""
    folder = tmp_path / "knowledge"
    shutil.copytree(data_folder(), folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))

    def change(name: str, old: str, new: str) -> list[Complaint]:
        file = folder / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return check(Knowledge(folder), readers())

    return change


def test_what_is_shipped_is_in_order() -> None:
    assert check(Knowledge(), readers()) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (
            "rules/batch.yaml",
            "fact: batch_size, above: 1",
            "fact: batch_sise, above: 1",
            "there is no fact 'batch_sise'",
        ),
        ("rules/batch.yaml", "lever: batch_size", "lever: batch", "lever"),
        ("rules/batch.yaml", "move: lower_batch", "move: lower_bach", "move"),
        ("rules/batch.yaml", "above: 1}", "has: 1}", "has looks into a list"),
        ("rules/batch.yaml", "severity: warning", "severty: warning", "severty"),
        (
            "rules/checkpointing.yaml",
            "set: {train.gradient_checkpointing",
            "set: {train.gradient_checkpoint",
            "no key at",
        ),
        (
            "rules/checkpointing.yaml",
            "id: gradient-checkpointing-unseen",
            "id: gradient-checkpointing-off",
            "stands in",
        ),
        ("rules/gpu.yaml", "- id: restart-the-worker", "- id: [restart", "is not YAML"),
        ("tree.yaml", "otherwise: untold", "otherwise: nowhere", "nowhere, which does not exist"),
        ("tree.yaml", "otherwise: vram-phase\n", "otherwise: phase-untold\n", "nothing leads to vram-phase"),
        ("tree.yaml", "otherwise: batch\n", "otherwise: vram-phase\n", "leads back to itself"),
        ("tree.yaml", "ladder: [free-the-disk]", "ladder: [free-the-disc]", "no rule free-the-disc"),
        ("tree.yaml", "ladder: [free-the-disk]", "ladder: [windows-spill]", "has no fix to offer"),
        ("builds.yaml", "remedy: update_toolkit", "remedy: hope", "remedy"),
        ("signatures.yaml", "priority: 90", "priorety: 90", "priorety"),
        ("families.yaml", "kind: image", "kind: picture", "families.z-image.kind"),
        ("locales/en.yaml", "\n  top-bucket:\n", "\n  top-buckets:\n", "no words for rules.top-bucket"),
        ("locales/de.yaml", "\n  top-bucket:\n", "\n  top-buckets:\n", "rules.top-bucket.finding is not translated"),
        ("locales/it.yaml", "{batch_size}", "{lotto}", "{lotto}"),
        ("locales/en.yaml", "Lower the batch size to {new}", "Lower the batch size to {newer}", "nobody gives {newer}"),
        ("redactions.yaml", "pattern:", "patern:", "patern"),
        ("tree.yaml", "fact: says, has: fails}", "fact: says, has: failed}", "says is never 'failed'"),
        ("tree.yaml", "is: CUDA_ILLEGAL_ACCESS", "is: CUDA_ILLEGAL", "crash.signature is never"),
        ("rules/weights.yaml", "[wan22_14b, ", "[wan99_14b, ", "model.arch is never"),
        (
            "phrases.yaml",
            "\nphrases:\n",
            "\nphrases:\n  idle:\n    means: x\n    patterns: [x]\n",
            "nothing asks for idle",
        ),
        ("phrases.yaml", "(crash(es|ed|ing)?|dies", "(crash(es|ed|ing?|dies", "cannot be read"),
        ("signatures.yaml", "gpu_index: '", "gpu_index: '((", "gpu_index: this pattern"),
        ("redactions.yaml", "pattern: '", "pattern: '((", "cannot be read"),
        ("tools.yaml", "buckets: ['", "buckets: ['((", "cannot be read"),
        ("lines.yaml", "'Traceback \\(most", "'Traceback (most", "cannot be read"),
        ("faq/answers.yaml", "see: [what-gc-off-is-not]", "see: [what-it-is-not]", "no answer 'what-it-is-not'"),
        ("locales/it.yaml", "classes:\n", "\tclasses:\n", "is not YAML"),
    ],
)
def test_a_fault_is_named_with_its_file_and_line(after_change: Break, name: str, old: str, new: str, said: str) -> None:
    complaints = after_change(name, old, new)
    about = [complaint for complaint in complaints if said in complaint.message]
    assert about, [str(complaint) for complaint in complaints]
    assert about[0].file.endswith(Path(name).name)
    assert about[0].line >= 1
    assert about[0].remedy


def test_the_line_is_the_one_with_the_fault(after_change: Break) -> None:
    text = (data_folder() / "rules" / "batch.yaml").read_text(encoding="utf-8")
    complaints = after_change("rules/batch.yaml", "lever: preservation_loss", "lever: preservation")
    assert complaints[0].line == 1 + text[: text.index("lever: preservation_loss")].count("\n")


def test_a_rule_without_cases_is_complained_of(tmp_path: Path) -> None:
    shutil.copytree(data_folder(), tmp_path / "knowledge", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(Path(__file__).parent.parent / "rules", tmp_path / "tests" / "rules")
    cases = tmp_path / "tests" / "rules" / "batch.yaml"
    text = cases.read_text(encoding="utf-8")
    cases.write_text(text.replace("batch-size-above-floor:", "batch-size-above-the-floor:"), encoding="utf-8")
    said = [str(complaint) for complaint in check(Knowledge(tmp_path / "knowledge"), readers())]
    assert any("batch-size-above-floor: no case under `fires`" in line for line in said), said
    assert any("no rule batch-size-above-the-floor" in line for line in said), said
