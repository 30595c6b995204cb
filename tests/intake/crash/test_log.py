"""What the log shows besides the error."""

import pytest


def bar(step: int, total: int = 2000) -> str:
    return f"cat:   2%|1         | {step}/{total} [02:11<1:56:10,  3.55s/it, lr: 1.0e-04 loss: 3.9e-01]"


def banner(k: int) -> str:
    return f"################\n# OOM during training step, skipping batch {k}/3 #\n################"


ABORT = "Error running job: OOM during training step 3 times in a row, aborting training"


@pytest.mark.parametrize(
    ("lines", "intermittent", "aborted"),
    [
        ([bar(1), banner(1), banner(2), banner(3), ABORT], False, True),
        ([bar(37), banner(1), bar(41), banner(1), banner(2), banner(3), ABORT], True, True),
        ([bar(37), banner(1), bar(52)], True, False),
        ([bar(37), banner(1), banner(2)], False, False),
        ([bar(37), banner(1), "Saving at step 40"], True, False),
    ],
    ids=["every-batch", "some-then-abort", "one-bucket", "two-so-far", "saved-later"],
)
def test_banners(facts, lines, intermittent, aborted):
    found = facts("\n".join(lines))
    assert (found["log.intermittent"], found["log.aborted"]) == (intermittent, aborted)
    assert found["log.banners"] == sum("skipping" in line for line in lines)


def test_counter_that_begins_anew_at_each_step_dates_the_build(facts):
    found = facts("\n".join(f"{bar(step)}\n{banner(1)}" for step in range(5, 10)))
    assert found["log.intermittent"] is False
    assert (found["log.build_after"], found["log.build_before"]) == ("2025-09-27", "2025-10-20")


def test_progress(facts):
    found = facts(f"{bar(0)}\n{bar(90)}Error running job: CUDA error: unknown error")
    assert (found["crash.step"], found["log.step"], found["log.s_per_it"]) == (90, 90, 3.55)
    assert found["log.steps_done"] is True


def test_other_bars_are_no_steps(facts):
    text = "Generating Samples:  50%|##  | 2/4 [00:31<00:31, 15.6s/it]\nCaching latents to disk:  10%|#  | 3/30 [00:01<00:09,  2.6it/s]\n 23%|##3  | 7/30 [00:05<00:17,  1.29it/s]"
    assert "log.step" not in facts(text)


def test_rate_in_iterations_per_second(facts):
    assert facts("cat:  10%|#  | 3/30 [00:01<00:09,  2.50it/s]")["log.s_per_it"] == pytest.approx(0.4)


def test_buckets(facts):
    found = facts("Bucket sizes for /data/a:\n448x576: 5 files\n832x1248x81f: 2 files\n2 buckets made")
    assert found["log.buckets"] == ("448x576", "832x1248x81")
    assert (found["log.bucket_pixels"], found["log.bucket_frames"]) == (832 * 1248, 81)


def test_buckets_of_another_trainer(facts):
    assert facts("INFO:bucket: (480, 832, 61), count: 3")["log.buckets"] == ("480x832x61",)


def test_markers_in_order(facts):
    found = facts(
        "Running 1 job\nLoading ZImage model\nLoading transformer\nQuantizing Transformer\nCaching latents to disk:   0%|  | 0/3 [00:00<?, ?it/s]"
    )
    assert found["log.markers"] == (
        "running-job", "loading-zimage-model", "loading-transformer", "quantizing-transformer", "caching-latents-to-disk",
    )  # fmt: skip
    assert (found["log.phase"], found["model.family"]) == ("cache_latents", "z-image")


LONG = (
    "Klein base 9B on a 16 GB card with 78 GB of system RAM, the transformer and the text encoder are both at 3 bit, "
)


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        (f"{LONG}layer offloading transformer 100 %, caching the text embeddings is ticked, and it runs out all the same", None),
        (f"{LONG}and then: Loading Flux2 model Loading transformer Keeping transformer on CPU for quantization", ("loading-flux2-model", "loading-transformer", "keeping-transformer-on-cpu")),
    ],
    ids=["prose", "line-ends-lost"],
)  # fmt: skip
def test_markers_within_a_long_line_begin_as_they_are_printed(facts, text, markers):
    assert facts(text).get("log.markers") == markers


def test_markers_of_a_log_pasted_as_comments(facts):
    assert facts("# Loading transformer\n# Quantizing Mistral")["log.phase"] == "quantize"


@pytest.mark.parametrize(
    ("log", "family", "arch"),
    [
        ("Loading Flux2 model\nLoading transformer\nLoading Mistral", "flux-2", "flux2"),
        ("Loading Flux2 model\nLoading Qwen3", "flux-2-klein", None),
        ("Loading Flux2 model\nLoading T5", "flex-2", "flex2"),
        ("Loading Flux model", None, None),
        ("Loading Wan model\nLoading transformer", None, None),
        ("Loading Wan model\nCreating DualWanTransformer3DModel", "wan-2-2", None),
        ("Loading Krea 2 model", "krea-2", None),
        ("Loading Qwen Image model", None, None),
    ],
)
def test_markers_give_the_model_away_where_certain(facts, log, family, arch):
    found = facts(log)
    assert (found.get("model.family"), found.get("model.arch")) == (family, arch)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Loading transformer\nQuantizing Transformer", True),
        ("Loading UMT5EncoderModel\nQuantizing UMT5EncoderModel\n(venv) PS D:\\aitk>", True),
        (f"{bar(5)}\nuser@box:~/ai-toolkit$", True),
        (f"{bar(5)}\n(base) C:\\aitk>", True),
        (bar(5), None),
        ("Model Loaded\nGenerating baseline samples before training", None),
        ("Quantizing Transformer\nError running job: CUDA error: unknown error", None),
        (f"{bar(5)}\nResult:\n - 1 completed job\nuser@box:~$", None),
        ("Loading transformer takes ages but works", None),
    ],
)
def test_log_that_just_ends(facts, text, ends):
    assert facts(text).get("log.ends") is ends


def test_line_numbers_of_the_toolkit_date_the_build(facts):
    trace = 'Traceback (most recent call last):\n  File "/a/jobs/process/BaseSDTrainProcess.py", line 1565, in run\n    self.sd.load_model()\nRuntimeError: CUDA driver error: out of memory'
    found = facts(trace)
    assert (found["log.build_after"], found["log.build_before"]) == ("2025-10-21", "2025-12-22")


def test_hints_that_disagree_date_nothing(facts):
    trace = 'File "/a/jobs/process/BaseSDTrainProcess.py", line 1565, in run\n    self.sd.load_model()\n_cache_one_latent\nJob process terminated with exit code 1.'
    assert "log.build_after" not in facts(trace)


def test_uncaught_step_error_is_an_old_checkout(facts):
    trace = 'Traceback (most recent call last):\n  File "SDTrainer.py", line 1612, in hook_train_loop\n    loss = self.train_single_accumulation(batch)\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 8.00 GiB'
    assert facts(trace)["log.build_before"] == "2025-09-27"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("torch 2.12.1+cu130 was ok, torch 2.13.0+cu130 is not", "2.13.0"),
        ("PyTorch version: 2.7.1", "2.7.1"),
        ("torch==2.9", "2.9"),
        ("For more detailed error information, run with CUDA_LOG_FILE=stderr", "2.13"),
        ("pip install torchao", None),
    ],
)
def test_torch_version(facts, text, version):
    assert facts(text).get("torch.version") == version


def test_card_that_torch_complains_about(facts):
    found = facts(
        "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation."
    )
    assert (found["gpu.name"], found["gpu.vendor"]) == ("RTX 5090", "nvidia")


def test_facts_cite_their_lines(reading):
    read = reading(f"hello\n{bar(7)}\n\n{banner(1)}\n{ABORT}")
    assert read.crash.place.line == 7
    assert read.facts["log.banners"].place.line == 5
    assert read.facts["log.step"].place.line == 2
