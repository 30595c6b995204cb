"""knowledge/signatures.yaml is checked when it is loaded."""

import copy

import pytest
from pydantic import ValidationError

from bot.knowledge.load import Knowledge
from bot.knowledge.reading import read_as
from bot.knowledge.signature_file import SignatureFile

CONTENT = Knowledge().read("signatures.yaml")


def _changed(**changes):
    content = copy.deepcopy(CONTENT)
    content["signatures"][0] |= changes
    return content


def test_every_pattern_compiles():
    signatures = Knowledge().signatures
    file = signatures.file
    patterns = [text for s in file.signatures for text in (s.squeezed, s.line, s.near, s.unless) if text]
    patterns += [
        file.quantize_failed,
        file.gpu_index,
        file.exact_numbers,
        file.prompts,
        *file.buckets,
        *file.runtime_sentences,
    ]
    patterns += [file.signs.pinned_frames, file.signs.offload_frames, file.signs.to_card, file.signs.offload_on]
    patterns += [row.squeezed for row in (*file.frames, *file.builds, *file.torch_hints)] + [
        row.pattern for row in file.numbers
    ]
    assert all(signatures.pattern(written) for written in patterns)
    assert signatures.any_frame.matching(b",inload_model")
    assert signatures.any_number.matching(b"triedtoallocate1.00gib")
    assert signatures.any_build.matching(b"batchitems:")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"literals": ["With Blanks"]}, "lower case"),
        ({"line": "both"}, "one of"),
        ({"priority": 0}, "1 to 99"),
        ({"class": "oom"}, "Input should be"),
        ({"id": CONTENT["signatures"][1]["id"]}, "used twice"),
        ({"colour": "red"}, "Extra inputs"),
    ],
)
def test_mistakes_are_refused(changes, complaint):
    with pytest.raises(ValidationError, match=complaint):
        read_as(SignatureFile, _changed(**changes))


def test_unknown_marker_in_betrays_is_refused():
    content = copy.deepcopy(CONTENT)
    content["betrays"].append({"seen": ["no-such-marker"], "family": "flux-1"})
    with pytest.raises(ValidationError, match="no-such-marker"):
        read_as(SignatureFile, content)
