"""What the run was doing, from the frames of its last trace or from the log above the error."""

import pytest

OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 0 bytes is free."
RUN = 'File "/t/jobs/process/BaseSDTrainProcess.py", line 9, in run'


def trace(*frames: tuple[str, str, str]) -> str:
    rows = [f'  File "/t/{path}", line 12, in {name}\n    {code}' for path, name, code in frames]
    return "\n".join(["Traceback (most recent call last):", *rows, OOM])


@pytest.mark.parametrize(
    ("frames", "phase"),
    [
        ([("flux2.py", "load_model", "transformer.to(self.device_torch)")], "load"),
        (
            [("mgds/pipelineModules/EncodeQwenText.py", "get_item", "self.text_encoder(tokens)")],
            "cache_text_embeddings",
        ),
        ([("mgds/pipelineModules/EncodeVAE.py", "get_item", "self.vae.encode(image)")], "cache_latents"),
        (
            [("src/musubi_tuner/x_cache_text_encoder_outputs.py", "main", "value.to(device=device)")],
            "cache_text_embeddings",
        ),
        (
            [("flux2.py", "load_model", "self.load_te()"), ("flux2.py", "load_te", "text_encoder.to(device)")],
            "text_encoder",
        ),
        (
            [
                ("wan21.py", "load_model", "quantize_model(self, transformer)"),
                ("toolkit/util/quantize.py", "quantize_model", "block.to(device)"),
            ],
            "quantize",
        ),
        (
            [("toolkit/dataloader_mixins.py", "cache_latents_all_latents", "latent = self.sd.encode_images(imgs)")],
            "cache_latents",
        ),
        (
            [("toolkit/dataloader_mixins.py", "cache_text_embeddings", "self.sd.encode_prompt(caption)")],
            "cache_text_embeddings",
        ),
        ([("SDTrainer.py", "hook_train_loop", "self.train_single_accumulation(batch)")], "train"),
        ([("SDTrainer.py", "train_single_accumulation", "self.accelerator.backward(loss)")], "train"),
        ([("SDTrainer.py", "hook_train_loop", "self.optimizer.step()")], "train"),
        (
            [
                ("jobs/process/BaseSDTrainProcess.py", "run", "self.sample(self.step_num)"),
                ("pipeline.py", "__call__", "image = self.vae.decode(latents)"),
            ],
            "sample",
        ),
        ([("toolkit/models/base_model.py", "generate_images", "img = self.generate_single_image(")], "sample"),
        ([("jobs/process/BaseSDTrainProcess.py", "save", "self.network.save_weights(")], "save"),
        (
            [
                ("jobs/process/BaseSDTrainProcess.py", "run", "self.hook_before_train_loop()"),
                ("SDTrainer.py", "hook_before_train_loop", "self.cache_sample_prompts()"),
            ],
            "cache_text_embeddings",
        ),
    ],
)
def test_phase_from_frames(facts, frames, phase):
    assert facts(trace(*frames))["crash.phase"] == phase


@pytest.mark.parametrize(
    ("log", "phase"),
    [
        ("Loading transformer", "load"),
        ("Loading Mistral", "text_encoder"),
        ("Quantizing Mistral", "quantize"),
        ("Caching latents for /data", "cache_latents"),
        ("Caching text_embeddings for /data", "cache_text_embeddings"),
        ("Generating baseline samples before training", "sample"),
        ("Saving at step 250", "save"),
        ("cat:  1%|  | 5/900 [00:10<1:00,  2.0s/it, lr: 1.0e-04 loss: 1.0e-01]", "train"),
    ],
)
def test_phase_from_the_log(facts, log, phase):
    assert facts(f"Running 1 job\n{log}\nError running job: {OOM[24:]}")["crash.phase"] == phase


def test_trace_without_its_last_line_follows_the_error(facts):
    text = f"Error running job: {OOM[24:]}\nTraceback (most recent call last):\n  {RUN}\n    self.sd.load_model()"
    assert facts(text)["crash.phase"] == "load"


def test_last_trace_of_a_chain_decides(facts):
    first = trace(("SDTrainer.py", "hook_train_loop", "self.train_single_accumulation(batch)"))
    second = trace(("toolkit/models/base_model.py", "generate_images", "img = self.generate_single_image("))
    text = f"{first}\n\nDuring handling of the above exception, another exception occurred:\n\n{second}"
    assert facts(text)["crash.phase"] == "sample"


def test_no_hint_no_phase(facts):
    assert "crash.phase" not in facts(OOM)
