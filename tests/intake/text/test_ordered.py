"""Ordered dicts of a notebook, read as the YAML that says the same."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.engine import diagnose
from bot.intake.read import Pasted, read
from bot.intake.text.ordered import without_pairs
from bot.knowledge.load import Knowledge

NOTEBOOK = """\
from toolkit.job import run_job
job_to_run = OrderedDict([
    ('job', 'extension'),
    ('config', OrderedDict([
        # the folder's name
        ('name', 'corner_shop'),
        ('process', [
            OrderedDict([
                ('type', 'sd_trainer'),
                ('training_folder', '/content/output'),
                ('save', OrderedDict([
                    ('save_every', 250), # save every this many steps
                    ('max_step_saves_to_keep', args.keep)
                ])),
                ('datasets', [
                    OrderedDict([
                        ('folder_path', '/content/shop'),
                        ('cache_latents_to_disk', True),
                        ('resolution', [512, 768, 1024]) # several
                    ])
                ]),
                ('train', OrderedDict([
                    ('batch_size', 1),
                    ('gradient_checkpointing', False),  # as a test
                    ('dtype', 'bf16')
                ])),
                ('model', OrderedDict([
                    ('name_or_path', 'black-forest-labs/FLUX.1-dev'),
                    ('is_flux', True),
                    ('quantize', True),
                ])),
                ('sample', OrderedDict([
                    ('width', 768),
                    ('prompts', [
                        'a corner shop (at dawn)',
                        "a corner shop at night",
                    ]),
                ]))
            ])
        ])
    ])),
])
run_job(job_to_run)
"""


def test_every_pair_is_a_key():
    made = without_pairs([(row, number) for number, row in enumerate(NOTEBOOK.split("\n"), 1)])
    assert [number for _, number in made] == list(range(1, NOTEBOOK.count("\n") + 2))
    assert (made[0][0], made[-2][0]) == ("from toolkit.job import run_job", "run_job(job_to_run)")
    process = yaml.safe_load("\n".join(row for row, _ in made[1:-2]))["config"]["process"][0]
    assert process["train"] == {"batch_size": 1, "gradient_checkpointing": False, "dtype": "bf16"}
    assert process["datasets"] == [
        {"folder_path": "/content/shop", "cache_latents_to_disk": True, "resolution": [512, 768, 1024]}
    ]
    assert process["save"] == {"save_every": 250, "max_step_saves_to_keep": "args.keep"}
    assert process["sample"] == {"width": 768, "prompts": ["a corner shop (at dawn)", "a corner shop at night"]}


def test_a_notebook_is_diagnosed_like_a_file():
    knowledge = Knowledge()
    made = diagnose(
        read([Pasted("a.py", NOTEBOOK + "\nOOM during training step 3 times in a row on a 3090\n")], knowledge),
        knowledge,
    )
    assert (made.problem["class"], made.model["arch"], made.steps[0].lever) == (
        "vram_oom",
        "flux",
        "gradient_checkpointing",
    )
    assert "top_bucket" in {step.lever for step in made.steps}


@given(st.text(alphabet="OrderedDict([])'\"#, \nab1=", max_size=200))
def test_rows_keep_their_number_and_their_count(text):
    rows = [(row, number) for number, row in enumerate(text.split("\n"), 1)]
    assert [number for _, number in without_pairs(rows)] == [number for _, number in rows]
