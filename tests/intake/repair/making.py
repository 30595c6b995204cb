"""A job as people write it and as ai-toolkit prints it, for taking damage."""

JOB = """\
---
job: extension
config:
  # the folder will be named so
  name: "harbour_v2"
  process:
    - type: 'diffusion_trainer'
      training_folder: "output"
      device: cuda:0
      network:
        type: "lora"
        linear: 16
        network_kwargs:
          only_if_contains:
            - "blocks"
      save:
        dtype: float16 # precision
        save_every: 250
      datasets:
        # captions beside the pictures
        - folder_path: "/data/boats"
          caption_ext: "txt"
          resolution: [ 512, 768 ]  # buckets
        - folder_path: "/data/gulls"
          resolution:
            - 512
            - 1024
      train:
        batch_size: 4
        gradient_checkpointing: false  # it was slow
        optimizer: "adamw8bit"
        lr: 1e-4

        ema_config:
          use_ema: true
          ema_decay: 0.99
        dtype: bf16
      model:
        name_or_path: "some/model"
        arch: "flux"
        quantize: true
      sample:
        sampler: "flowmatch"
        width: 1024
        height: 1024
        samples:
          - prompt: "a boat"
            width: 768
          - prompt: "a gull, flying"
        neg: ""
        seed: 42
meta:
  name: "[name]"
  version: '1.0'
"""

DUMP = """\
{
    "type": "diffusion_trainer",
    "training_folder": "output",
    "network": {
        "type": "lora",
        "linear": 16
    },
    "datasets": [
        {
            "folder_path": "/data/boats",
            "resolution": [
                512,
                1024
            ],
            "num_frames": 1
        }
    ],
    "train": {
        "batch_size": 4,
        "gradient_checkpointing": false,
        "optimizer": "adamw8bit",
        "dtype": "bf16"
    },
    "model": {
        "name_or_path": "some/model",
        "arch": "flux",
        "model_kwargs": {}
    },
    "sample": {
        "width": 1024,
        "samples": [
            {
                "prompt": "a boat"
            }
        ],
        "seed": 42
    }
}
"""


def line_of(text: str, part: str) -> int:
    """1-based number of the first line that holds a part."""
    return next(at for at, line in enumerate(text.split("\n"), 1) if part in line)
