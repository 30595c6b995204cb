"""Sizes, and what they decide alone."""

import pytest

from bot.intake.crash.numbers import parse_size

GIB = 2**30
MODERN = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {tried}. GPU 0 has a total capacity of {total} of "
    "which {free} is free. {who}Of the allocated memory {allocated} is allocated by PyTorch, and {reserved} is reserved "
    "by PyTorch but unallocated."
)
SELF = "Including non-PyTorch memory, this process has {} memory in use. "
OTHER = "Process {} has {} memory in use. "


def error(tried: str, total: str, free: str, allocated: str, reserved: str = "100.00 MiB", who: str = "") -> str:
    return MODERN.format(tried=tried, total=total, free=free, who=who, allocated=allocated, reserved=reserved)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1.50gib", 3 * GIB // 2),
        ("298.gib", 298 * GIB),
        ("23,64gib", int(23.64 * GIB)),
        ("1024.00mib", GIB),
        ("0bytes", 0),
        ("1,048,576bytes", 2**20),
        ("2.00gb", 2 * GIB),
        ("7.28tib", int(7.28 * 2**40)),
        ("512kb", 2**19),
        ("77", 77),
        ("1.2.3gib", None),
        ("9" * 40, None),
        ("5parsecs", None),
    ],
)
def test_parse_size(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize(
    ("text", "class_", "flags"),
    [
        (error("300.00 MiB", "24.00 GiB", "90.00 MiB", "22.80 GiB", who=SELF.format("23.40 GiB")), "vram_oom", ()),
        (
            error(
                "300.00 MiB",
                "24.00 GiB",
                "90.00 MiB",
                "8.00 GiB",
                who=OTHER.format(4, "14.00 GiB") + SELF.format("9.00 GiB"),
            ),
            "gpu_shared",
            ("other_process",),
        ),
        (
            error(
                "300.00 MiB",
                "24.00 GiB",
                "90.00 MiB",
                "22.00 GiB",
                who=OTHER.format(4, "600.00 MiB") + SELF.format("23.00 GiB"),
            ),
            "vram_oom",
            (),
        ),
        (
            error("300.00 MiB", "24.00 GiB", "90.00 MiB", "22.40 GiB", who=OTHER.format(88, "23.10 GiB")),
            "vram_oom",
            ("pid_namespace",),
        ),
        (error("300.00 MiB", "24.00 GiB", "90.00 MiB", "8.00 GiB"), "gpu_shared", ("gap",)),
        (error("300.00 MiB", "16.00 GiB", "0 bytes", "31.00 GiB"), "vram_oom", ("spill",)),
        (error("2.00 GiB", "24.00 GiB", "1.00 GiB", "15.00 GiB", "7.00 GiB"), "vram_oom", ("fragmentation",)),
        (error("200.00 GiB", "24.00 GiB", "9.00 GiB", "14.00 GiB"), "vram_oom", ("absurd",)),
        (error("20.00 MiB", "12.00 GiB", "9.00 MiB", "11.40 GiB"), "vram_oom", ("tiny",)),
        (
            error("300.00 MiB", "24.00 GiB", "0 bytes", "8.00 GiB", who=SELF.format("17179869184.00 GiB")),
            "vram_oom",
            ("nvml_sentinel",),
        ),
    ],
)
def test_numbers_decide(facts, text, class_, flags):
    found = facts(text)
    assert found["crash.class"] == class_
    assert found.get("crash.flags", ()) == flags


def test_own_process_under_another_pid_is_not_an_other(reading):
    text = error("300.00 MiB", "24.00 GiB", "90.00 MiB", "22.40 GiB", who=OTHER.format(88, "23.10 GiB"))
    read = reading(text)
    assert read.crash.numbers["self_in_use"] == pytest.approx(23.10 * GIB)
    assert "crash.others_gib" not in read.facts


@pytest.mark.parametrize(
    ("held", "class_", "own"),
    [
        ("23.90 GiB", "vram_oom", pytest.approx(23.90)),  # no room for the context of a second process
        ("20.00 GiB", "gpu_shared", None),
    ],
)
def test_a_cut_text_names_one_process(facts, held, class_, own):
    text = "CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 24.00 GiB of which 100.00 MiB is free."
    found = facts(f"torch.OutOfMemoryError: {text} {OTHER.format(1, held)}")
    assert found["crash.class"] == class_
    assert found.get("crash.self_gib") == own


def test_others_are_summed(facts):
    who = OTHER.format(4, "5.00 GiB") + OTHER.format(5, "6.00 GiB") + SELF.format("12.00 GiB")
    assert facts(error("1.00 GiB", "24.00 GiB", "1.00 GiB", "11.00 GiB", who=who))["crash.others_gib"] == 11.0


def test_private_pools_mean_cuda_graphs(facts):
    text = error(
        "1.00 GiB", "24.00 GiB", "100.00 MiB", "22.00 GiB, with 5.00 GiB allocated in private pools (e.g., CUDA Graphs)"
    )
    text = text.replace(") is allocated by PyTorch", ")").replace("22.00 GiB,", "22.00 GiB is allocated by PyTorch,")
    assert "cuda_graphs" in facts(text)["crash.flags"]


def test_exact_bytes_of_the_warning_replace_the_rounded_ones(reading):
    warning = "Warning: memory allocation failed with OOM on device 0 while trying to allocate 314572800 bytes (free: 94371840, total: 25769803777).\n"
    crash = reading(warning + error("300.00 MiB", "24.00 GiB", "90.00 MiB", "23.00 GiB")).crash
    assert (crash.numbers["tried"], crash.numbers["total"]) == (314572800, 25769803777)


def test_numbers_lost_to_a_cut_come_from_the_first_printing(reading):
    whole = error("300.00 MiB", "24.00 GiB", "90.00 MiB", "23.00 GiB")
    crash = reading(f"Error running job: {whole[24:]}\nTraceback (most recent call last):\n{whole[:110]}").crash
    assert crash.numbers["allocated"] == 23 * GIB


def test_the_last_error_has_its_own_numbers(reading):
    first, last = (
        error("1.00 GiB", "24.00 GiB", "90.00 MiB", "23.00 GiB"),
        error("3.00 GiB", "24.00 GiB", "2.00 GiB", "21.00 GiB"),
    )
    assert reading(f"{first}\n{last}").crash.numbers["tried"] == 3 * GIB


def test_unified_memory_words(facts):
    text = error("1.00 GiB", "96.00 GiB", "1.00 GiB", "40.00 GiB").replace("CUDA", "HIP")
    assert facts(f"strix halo mini pc\n{text}")["crash.flags"] == ("gap", "unified_memory")
