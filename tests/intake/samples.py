"""Texts as people paste them, made up, and what chat does to them."""

JOB = """\
---
job: "extension"
config:
  name: "garden_walk"
  process:
    - type: "diffusion_trainer"
      training_folder: "output"
      device: "cuda"
      network:
        type: "lora"
        linear: 16
        linear_alpha: 16
      save:
        dtype: "bf16"
        save_every: 200
      datasets:
        - folder_path: "/workspace/sets/garden"
          caption_ext: "txt"
          cache_latents_to_disk: true
          resolution:
            - 512
            - 896
      train:
        batch_size: 3
        steps: 1800
        gradient_checkpointing: false
        optimizer: "adamw8bit"
        lr: 0.0001
        dtype: "bf16"
      model:
        name_or_path: "Tongyi-MAI/Z-Image"
        arch: "zimage"
        quantize: true
        qtype: "qfloat8"
      sample:
        sampler: "flowmatch"
        sample_every: 200
        width: 896
        height: 896
        sample_steps: 24
        samples:
          - prompt: "a bench under a pear tree"
meta:
  name: "[name]"
  version: "1.0"
"""

DUMP = """\
{
    "type": "diffusion_trainer",
    "training_folder": "output",
    "device": "cuda",
    "network": {
        "type": "lora",
        "linear": 16,
        "linear_alpha": 16
    },
    "datasets": [
        {
            "folder_path": "/workspace/sets/garden",
            "cache_latents_to_disk": true,
            "resolution": [
                512,
                896
            ]
        }
    ],
    "train": {
        "batch_size": 3,
        "steps": 1800,
        "gradient_checkpointing": false,
        "optimizer": "adamw8bit",
        "dtype": "bf16"
    },
    "model": {
        "name_or_path": "Tongyi-MAI/Z-Image",
        "arch": "zimage",
        "quantize": true
    },
    "sample": {
        "width": 896,
        "height": 896,
        "samples": [
            {
                "prompt": "a {pear|plum} tree, \\"soft\\" light"
            }
        ]
    }
}"""

OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 15.99 GiB of "
    "which 812.00 MiB is free. Of the allocated memory 13.10 GiB is allocated by PyTorch, and 300.50 MiB is reserved by "
    "PyTorch but unallocated."
)

LOG = f"""\
Running 1 job
{DUMP}
Running  1 process
Loading ZImage model
garden_walk:   0%|          | 2/1800 [00:08<1:52:11,  3.74s/it, lr: 1.0e-04 loss: 3.9e-01]
Error running job: {OOM.partition(": ")[2]}
Traceback (most recent call last):
  File "/workspace/ai-toolkit/run.py", line 120, in <module>
    main()
  File "/workspace/ai-toolkit/jobs/process/BaseSDTrainProcess.py", line 2411, in run
    loss_dict = self.hook_train_loop(batch_list)
{OOM}
"""
