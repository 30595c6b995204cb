"""Which lines a person wrote, and what they wrote on behind an error message."""

import pytest

from bot.intake.text.kinds import prose_of
from tests.intake.said.making import knowledge, lines

ERROR = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."


def written(text: str) -> str:
    return "\n".join(line.text for line in prose_of(lines(text), knowledge()))


@pytest.mark.parametrize(
    "message",
    [
        ERROR,
        "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total capacity; 1 GiB free)",
        "OOM during training step 3 times in a row, aborting training",
        (
            f"{ERROR} GPU 0 has a total capacity of 8.00 GiB. If reserved memory is large try setting "
            "PYTORCH_CUDA_ALLOC_CONF=a:True.  See documentation  (https://a.example/notes/cuda.html#environment-variables)"
        ),
    ],
)
def test_what_goes_on_behind_a_message_is_a_persons(message: str) -> None:
    assert written(f"{message} wan 2.2 on a 4090").strip() == "wan 2.2 on a 4090"
    assert written(message).strip() == ""


def test_an_indented_line_behind_the_end_of_a_message_is_a_persons() -> None:
    assert written(f"{ERROR}\n  z-image turbo, 3060").strip() == "z-image turbo, 3060"


def test_a_message_that_goes_on_is_printed_to_its_end() -> None:
    assert (
        written(
            "RuntimeError: CUDA out of memory. Tried to allocate\n  2.00 GiB. GPU 0 has a total\n  capacity of 8 GiB"
        )
        == ""
    )
    assert written(f"{ERROR} GPU 0 has a total capacity of 8.00 GiB of which 1 GiB is free") == ""


@pytest.mark.parametrize(
    ("line", "tail"),
    [
        ("KeyError: 'model.diffusion_model' (z-image turbo, 3090)", "z-image turbo, 3090"),
        ("RuntimeError: CUDA error: device-side assert triggered, flux dev on a 4090", "flux dev on a 4090"),
        ("RuntimeError: The size of tensor a (1024) must match the size of tensor b (4090)", ""),
        ("ValueError: operands could not be broadcast together with shapes (1,4090) (3,5090)", ""),
    ],
)
def test_a_machine_behind_another_error_in_its_line_is_a_persons(line: str, tail: str) -> None:
    assert written(line) == tail
