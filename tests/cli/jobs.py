"""A whole job as people have it, with paths of their own and checkpointing off."""

JOB = """\
job: extension
config:
  name: brass_owl
  process:
    - type: sd_trainer
      training_folder: "/home/morgan/runs"
      datasets:
        - folder_path: "/home/morgan/sets/owl"   # mine
          resolution: [512, 768]
          cache_latents_to_disk: true
      train:
        batch_size: 1
        lr: 1e-4
        dtype: bf16
        cache_text_embeddings: true
        gradient_checkpointing: false
      model:
        name_or_path: Tongyi-MAI/Z-Image-Turbo
        arch: zimage:turbo
        quantize: true
        low_vram: true
"""
