"""The typed facts that intake states and that rules, tree and estimate read.

A fact is a named value with its origin. What is not known is absent: no condition but `known: false` and `not` holds
for it. Names here are the whole vocabulary: a rule that asks for another fails when the knowledge is loaded.

Small values are named tuples here and elsewhere: a frozen dataclass is compiled anew at every start, which takes seven
times as long, and there were a hundred of them.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, Protocol

FactValue = bool | int | float | str | tuple[str, ...] | tuple[int, ...]
FactType = Literal["bool", "int", "float", "str", "strs", "ints"]
Origin = Literal["option", "config", "default", "log", "prose", "derived"]


class Place(NamedTuple):
    """A line of what was pasted: source index, 1-based line number, and its (redacted, shortened) text."""

    source: int
    line: int
    text: str


class Key(Protocol):
    """A key of a config: its path, and its line, looked up when somebody asks; few of a hundred facts are ever cited."""

    @property
    def place(self) -> Place | None:
        """The line of the key."""

    @property
    def path(self) -> str:
        """The way to it from the document's own root."""


class Fact(NamedTuple):
    """One value, where it came from, and the line or the config key that says so."""

    value: FactValue
    origin: Origin
    seen: Place | Key | None = None

    @property
    def place(self) -> Place | None:
        """The line to cite, where there is one."""
        seen = self.seen
        return seen if seen is None or isinstance(seen, Place) else seen.place

    @property
    def path(self) -> str | None:
        """For a config key its path from the document's own root."""
        seen = self.seen
        return None if seen is None or isinstance(seen, Place) else seen.path


Facts = Mapping[str, Fact]


class FactSpec(NamedTuple):
    """Type and meaning of a fact; the meaning is what a rule author reads."""

    type: FactType
    meaning: str


def _spec(table: str) -> dict[str, FactSpec]:
    specs: dict[str, FactSpec] = {}
    for line in table.strip().splitlines():
        name, kind, meaning = line.split(None, 2)
        specs[name] = FactSpec(kind, meaning)  # type: ignore[arg-type]
    return specs


FACTS: Mapping[str, FactSpec] = _spec("""
problem.class                 str   the contract's class, set by the tree for the rules of the ladder
problem.phase                 str   the contract's phase, likewise
builds                        strs  ids of knowledge/builds.yaml that match
tool.foreign                  bool  the trainer is known and is not ai-toolkit
tool.generates                bool  the other program makes pictures or clips, and nothing shows that it trains
tool                          str   source_tool of the contract: ai-toolkit, kohya-sd-scripts, ...
goal                          str   fit or speed, from the option or from the prose
tried                         strs  ids of the rules whose steps are made already, in order
says                          strs  ids of knowledge/phrases.yaml found in the prose
estimate.over                 str   first phase of a planned run that needs more than the card has: load, cache, train or sample
estimate.activations_off_gib  float activations of a step as it is, gradient checkpointing off
estimate.activations_on_gib   float likewise, were it on
estimate.hopeless             bool  the card is too small even to load the model, whatever is set
estimate.unexplained          bool  a step ran out though by the figures it takes less than half of the card
estimate.copy_gib             float weights that a step holds a second time in bf16, gradient checkpointing off
said.step                     int   step of the run that a person names
said.batch_ran                int   batch size of before, where a person says that they raised it
said.size_ran                 int   largest resolution that a person says ran
said.step_of_previews         bool  and whether previews are made at it, by the config's own interval
config.present                bool  a config of the tool was found (whole, fragment or dump)
config.shape                  str   job (root has `job`/`config`), process (dump, root has train/model/...), fragment (one or two sections)
config.sections               strs  sections present of: train model datasets sample network save
config.training               bool  it is a training job (not extract, generate, mod, captioning)
config.job_kind               str   train, extract, generate, mod, caption, slider, other
config.cut                    bool  the config text is truncated
config.repaired               bool  the text did not parse until certain repairs were made
config.misplaced              strs  keys in the wrong place or misspelt, as written from the process root: model.batch_size
config.meant                  strs  where those keys belong, in the same order: train.batch_size
config.quoted_off             strs  switches whose value is a word that is neither true nor false, which counts as on: train.gradient_checkpointing
config.torn                   str   the switch whose value the end of the config cuts off: gradient_checkpointing
config.torn_text              str   and its line as written: gradient_checkpointing: fal
config.name                   str   config.name
model.arch                    str   architecture id with its UI tag where the paste shows one: zimage:turbo
model.family                  str   family slug: z-image
model.kind                    str   image, edit, video or audio
model.absent                  str   a model by its name that ai-toolkit has no architecture for: HunyuanVideo
model.name_or_path            str   as written
model.quantize                bool  effective
model.qtype                   str   effective qtype without the adapter part: qfloat8, uint3
model.ara                     bool  qtype names an accuracy recovery adapter (`uint3|path`)
model.quantize_te             bool  effective (follows quantize when absent)
model.qtype_te                str   effective (the qtype on architectures that ignore the key)
model.low_vram                bool  as written or default false
model.layer_offloading        bool  as written (auto_memory counts) or default false
model.offload_transformer     float share of the transformer offloaded, 0..1; 0 when layer_offloading is off
model.offload_text_encoder    float share of the text encoder offloaded, 0..1; 0 when layer_offloading is off
model.match_target_res        bool  model_kwargs.match_target_res
model.assistant_lora          bool  assistant_lora_path is set
model.compile                 bool  compile or block_compile
model.train_high_noise        bool  Wan 2.2 14B
model.train_low_noise         bool  Wan 2.2 14B
network.type                  str   lora, lokr, ...; absent for a full fine-tune
network.rank                  int   linear (rank)
train.gradient_checkpointing  bool  effective
train.checkpointing_text      str   and its line as written, where that is a word that is neither true nor false
train.batch_size              int   train.batch_size as written or default 1
train.gradient_accumulation   int   effective
train.gradient_accumulation_steps int legacy key, does not accumulate above 1
train.dtype                   str   effective: fp32 when absent
train.optimizer               str   effective, lower case
train.use_ema                 bool  ema_config.use_ema
train.train_text_encoder      bool  effective
train.unload_text_encoder     bool  effective
train.cache_text_embeddings   bool  train-level or any dataset's
train.disable_sampling        bool  effective
train.skip_first_sample       bool  effective
train.preservation            str   dop, bpp or none (diff_output_preservation, blank_prompt_preservation)
train.do_cfg                  bool  do_cfg or do_random_cfg
train.do_guidance_loss        bool  effective
train.switch_boundary_every   int   effective
train.validation              bool  validation_config is on
train.steps                   int   effective
batch_size                    int   the largest effective batch: a dataset's own batch_size overrides train's
datasets.count                int   entries
datasets.resolution           int   the largest bucket resolution over all datasets
datasets.resolutions          ints  all distinct bucket resolutions, ascending
datasets.batch_overrides      bool  some dataset sets batch_size itself
datasets.num_frames           int   largest num_frames (1 for images)
datasets.auto_frame_count     bool  any dataset
datasets.video                bool  num_frames > 1 or auto_frame_count
datasets.cache_latents        bool  every dataset caches latents (memory or disk)
datasets.cache_latents_ram    bool  some dataset caches latents in RAM (cache_latents without to_disk)
datasets.controls             int   largest number of control paths of a dataset
datasets.num_workers          int   of the first dataset, default 2
sample.width                  int   largest over block, samples and inline flags
sample.height                 int   likewise
sample.num_frames             int   likewise
sample.steps                  int   sample_steps
sample.every                  int   sample_every
sample.prompts                int   number of prompts or samples
sample.controls               int   largest number of ctrl_img of a preview sample
sample.overrides              bool  some sample or inline flag sets its own size or frames
arch.known                    bool  the architecture is one of the toolkit's
arch.low_vram                 str   read, hidden (read by the code, not offered by the UI) or ignored
arch.layer_offloading         str   honoured, hidden, ignored or fails
arch.quantize                 bool  quantize has an effect
arch.qtype_te                 bool  qtype_te is honoured
arch.low_bit                  ints  bits of the recovery adapters offered: (3,) or (4,)
arch.low_bit_qtype            str   qtype to write for the adapter of the fewest bits: uint3|path
arch.match_target_res         bool  model_kwargs.match_target_res is read
arch.controls_fixed_area      bool  control images cost the same whatever the bucket
arch.unload_text_encoder      bool  unload_text_encoder is allowed
arch.cache_latents            bool  latents can be cached without breaking the run
arch.frame_step               int   grid of frames: n*step + base
arch.frame_base               int   see frame_step
arch.preview_frames           int   frames of the UI's default preview
arch.tiled_preview            bool  low_vram tiles the VAE decode of previews
arch.stated_gib               float VRAM the toolkit's own docs and examples state for training this architecture
arch.large_text_encoder       bool  the text encoder is billions of parameters (not the CLIPs of SD 1.x, SD 2 and SDXL)
arch.batch_floor              int   smallest sensible batch
arch.risk_resolution          int   bucket from which GC off is high risk
arch.risk_batch               int   batch from which GC off is high risk
crash.present                 bool  an error text was recognised
crash.signature               str   id of knowledge/signatures.yaml
crash.class                   str   problem.class the signature and its numbers stand for
crash.phase                   str   phase from stack frames or the nearest marker
crash.backend                 str   cuda, hip, mps, xpu, directml, cpu
crash.error                   str   exception class as printed
crash.fatal                   bool  it ended the run
crash.flags                   strs  spill other_process pid_namespace fragmentation absurd tiny user_cap cuda_graphs unified_memory gap nvml_sentinel offload_frames pinned_frames quantize_masked
crash.gpu_index               int   as printed (relative to CUDA_VISIBLE_DEVICES)
crash.step                    int   training step of the failure
crash.tried_gib               float GiB = 2^30 bytes
crash.total_gib               float the card's size as the error prints it
crash.free_gib                float likewise
crash.allocated_gib           float likewise
crash.reserved_gib            float reserved but unallocated
crash.self_gib                float in use by this process
crash.others_gib              float in use by other processes (named or the unexplained gap)
log.present                   bool  lines of a log of the toolkit were found
log.markers                   strs  ids of markers seen, in order of first appearance
log.phase                     str   phase of the last marker
log.ends                      bool  the log just ends, or the shell prompt returns, with no error
log.survived                  bool  an error or warning about memory was printed that did not end the run
log.stopped                   bool  the run was stopped by hand (Stop button, Ctrl+C, SIGTERM)
log.banners                   int   `OOM during training step` banners
log.intermittent              bool  banners that reset: a step succeeded after one
log.aborted                   bool  `3 times in a row, aborting training`
log.steps_done                bool  the progress bar shows at least one finished step
log.step                      int   last step of the progress bar
log.s_per_it                  float last seconds per step
log.buckets                   strs  sizes printed: 832x1248 or 480x480x81
log.bucket_pixels             int   area of the largest printed bucket
log.bucket_frames             int   frames of the longest printed bucket
log.build_after               str   ISO date: the checkout is not older
log.build_before              str   ISO date: the checkout is older
gpu.name                      str   as catalogued: RTX 4090
gpu.vram_gib                  float size of the card in GiB (as sold, or the error's own total)
gpu.count                     int   cards mentioned as one machine
gpu.vendor                    str   nvidia, amd, apple, intel
gpu.unified                   bool  memory shared with the CPU
gpu.others_gib                float held by other processes in an nvidia-smi table
gpu.shared_gib                float shared GPU memory in use, from prose or Task Manager
gpu.target_vram_gib           float another card the person asks about
gpu.choice                    bool  asks which of two cards to take; neither of them is told by gpu.name
host.ram_gib                  float system RAM
host.platform                 str   windows, wsl, linux, macos
host.cloud                    str   runpod, runcomfy, modal, colab, kaggle, docker
torch.version                 str   2.13.0
""")
