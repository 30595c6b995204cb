"""What people paste in these tests: real-shaped, each different where it must be told apart."""

CONFIG = """---
job: extension
config:
  name: {name}
  process:
    - type: sd_trainer
      training_folder: output
      network:
        type: lora
        linear: 16
        linear_alpha: 16
      datasets:
        - folder_path: /workspace/data
          resolution: [512, 768, 1024]
          cache_latents_to_disk: true
      train:
        batch_size: 4
        steps: 2000
        gradient_checkpointing: {checkpointing}
        dtype: bf16
        optimizer: adamw8bit
      model:
        name_or_path: Tongyi-MAI/Z-Image-Turbo
        arch: zimage:turbo
        quantize: true
      sample:
        sample_every: 250
        width: 1024
        height: 1024
"""

LOG = """Running 1 job
Loading transformer
my_lora:   1%|1         | 12/2000 [00:31<1:24:11,  2.55s/it, lr: 1.0e-04 loss: 4.1e-01]
Traceback (most recent call last):
  File "/app/ai-toolkit/run.py", line 120, in <module>
    main()
  File "/app/ai-toolkit/extensions_built_in/sd_trainer/SDTrainer.py", line 1990, in train_single_accumulation
    self.accelerator.backward(loss)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 11.99 GiB of which 0 bytes is free. Of the allocated memory 18.62 GiB is allocated by PyTorch, and 371.50 MiB is reserved by PyTorch but unallocated.
"""


def config(name="my_lora", *, checkpointing="false"):
    return CONFIG.format(name=name, checkpointing=checkpointing)


def fenced(text, language="yaml"):
    return f"```{language}\n{text}```"
