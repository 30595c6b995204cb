"""Which of several errors is the crash."""

import pytest

OOM = "CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 90.00 MiB is free."
BAR = "cat:  10%|#         | 100/1000 [03:00<27:00,  1.80s/it, lr: 1.0e-04 loss: 3.0e-01]"


@pytest.mark.parametrize(
    "text",
    [
        f"Loading optimizer state from /o/optimizer.pt\nFailed to load optimizer state from /o/optimizer.pt\n{OOM}\nUpdating optimizer LR from params\nGenerating baseline samples before training",
        f"Failed to compile model: {OOM}\nContinuing without compilation\nGenerating baseline samples before training",
        f"Saving at step 100\n{OOM}\nCould not save optimizer\nGenerating Samples:  0%|   | 0/2 [00:00<?, ?it/s]",
    ],
    ids=["resume", "compile", "save"],
)
def test_survived_error_is_told_but_is_no_crash(facts, text):
    found = facts(text)
    assert found["crash.fatal"] is False
    assert found["crash.class"] == "none"
    assert found["crash.phase"] == "sample"
    assert found["crash.total_gib"] == 24.0


def test_error_after_a_survived_one_counts(facts):
    found = facts(
        f"Failed to compile model: {OOM}\nContinuing without compilation\n{BAR}\nError running job: CUDA error: unknown error"
    )
    assert (found["crash.signature"], found["crash.class"], found["crash.step"]) == (
        "CUDA_LAUNCH_FAIL",
        "not_memory",
        100,
    )


def test_failed_quantization_is_the_root_cause(facts):
    found = facts(
        "Quantizing Transformer\n"
        f"Failed to quantize blocks.3.attn: {OOM}\n"
        "Generating baseline samples before training\n"
        "Error running job: CUDA error: an illegal memory access was encountered"
    )
    assert found["crash.signature"] == "CUDA_OOM_MODERN"
    assert found["crash.phase"] == "quantize"
    assert "quantize_masked" in found["crash.flags"]


def test_last_run_of_a_log_counts(facts):
    found = facts(
        f"Running 1 job\nLoading transformer\nError running job: {OOM}\nRunning 1 job\nTraceback (most recent call last):\nKeyError: 'a'"
    )
    assert found["crash.signature"] == "OTHER_EXCEPTION"


def test_preview_error_after_a_skipped_batch(facts):
    found = facts(
        f"# OOM during training step, skipping batch 1/3 #\n{BAR}\nGenerating Samples:  50%|##  | 1/2 [00:30<00:30, 15.0s/it]\n{OOM}"
    )
    assert (found["crash.signature"], found["crash.phase"], found["crash.fatal"]) == ("CUDA_OOM_MODERN", "sample", True)
    assert found["log.intermittent"] is True


def test_weak_trace_does_not_hide_the_cause(facts):
    found = facts(
        f"Error running job: {OOM}\nJob process terminated with exit code 1.\nRuntimeError: DataLoader worker (pid(s) 5) exited unexpectedly"
    )
    assert found["crash.signature"] == "CUDA_OOM_MODERN"


@pytest.mark.parametrize(
    "text",
    [
        "It may OOM at 1024 on 24 GB, so lower this if you run out of memory\nresolution: [512]",
        "Keeps parts of the model in RAM so that you do not run out of memory",
        "max_memory={0: '20GB', 'cpu': '64GB'}\ntorch.cuda.memory_allocated()",
        "I used to get CUDA out of memory but not any more",
        "I killed the job after three hours",
        '"OOMKilled": false',
        "try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
        "how do I avoid `torch.OutOfMemoryError`?",
        "at step 137 it looks good",
        "",
    ],
)
def test_words_alone_are_no_crash(reading, text):
    assert reading(text).crash is None


def test_log_pasted_as_a_comment_counts(facts):
    found = facts("train:\n  batch_size: 4\n# 3090, OOM during training step 3 times in a row, aborting training")
    assert (found["crash.signature"], found["crash.phase"], found["log.aborted"]) == ("AITK_STEP_ABORT", "train", True)


@pytest.mark.parametrize(
    ("before", "class_"),
    [
        ("", "vram_oom"),
        ("since the update my z-image job does not start any more\n", "pinned_host_memory"),
        ("Loading transformer\nQuantizing Transformer\n", "pinned_host_memory"),
        ('File "a.py", line 3, in load_model\n  transformer.to(self.device_torch, dtype=dtype)\n', "vram_oom"),
        (BAR + "\n", "vram_oom"),
        ('"layer_offloading": true,\n' + BAR + "\n", "pinned_host_memory"),
    ],
    ids=["bare", "told", "quantizing", "to-the-card", "step", "offloaded-step"],
)
def test_runtime_error_without_sizes(facts, before, class_):
    text = f"{before}RuntimeError: CUDA error: out of memory\nCompile with `TORCH_USE_CUDA_DSA` to enable device-side assertions."
    assert facts(text)["crash.class"] == class_


STARTED = "Running 1 job\nRunning  1 process\nLoading Flux model\n"
SHORT = "Error running job: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
FINISHED = "job:  50%|#####     | 10/20 [00:10<00:10,  1.0s/it, lr: 1.0e-04 loss: 2.0e-01]\n - 1 completed job\n"


def test_an_error_before_a_run_that_was_completed_is_past(reading):
    read = reading(STARTED + SHORT + STARTED + FINISHED)
    assert read.crash is None
    assert read.facts["log.survived"].value is True
    assert reading(STARTED + SHORT).crash is not None
    assert reading(STARTED + FINISHED + STARTED + SHORT).crash is not None
