"""What people say, in the languages they say it in."""

import re

import pytest
import re2

from bot.knowledge.load import Knowledge
from bot.knowledge.phrases import Phrases
from bot.knowledge.spelling import plain

_PHRASES = Knowledge().phrases

SAID = {
    "fails-when-larger": [
        "512 works, 1024 ooms",
        "512 fine 1024 boom",
        "1024 crasht, 768 läuft",
        "bs 4 dies, 1 works",
        "512可以 1024就爆",
        "512 работает, 1024 падает",
    ],
    "other-fault": [
        "illegal memory access, is that memory?",
        "size mismatch for lora_A",
        "module torch has no attribute xpu",
        "the loss is nan",
    ],
    "full-while-fine": [
        "is it normal that 23 of 24 GB vram are used?",
        "vram at 98%, is that ok?",
        "ist es normal, dass 23 von 24 GB Speicher voll sind?",
        "显存占满正常吗",
    ],
    "generates": [
        "wan2gp ooms",
        "generating a clip in ComfyUI",
        "sdxl inference",
        "comfyui 出图",
    ],
    "shm-short": [
        "bus error in a worker",
        "/dev/shm is full",
        "共享内存不足",
    ],
    "oom": [
        "it OOMs",
        "no VRAM left",
        "runs out of memory",
        "Der VRAM ist voll",
        "memoria insufficiente",
        "me quedo sin memoria",
        "mémoire insuffisante",
        "estoura a memória",
        "не хватает видеопамяти",
        "爆显存了",
        "メモリ不足",
    ],
    "after-update": [
        "since the last update",
        "nach dem letzten Update",
        "dopo l'aggiornamento",
        "depuis la mise à jour",
        "после обновления",
        "更新后",
        "I pulled latest",
    ],
    "worked-before": [
        "it worked fine yesterday",
        "gestern lief alles",
        "ieri funzionava",
        "ayer funcionaba",
        "hier ça marchait",
        "ontem funcionava",
        "раньше работало",
        "昨天还可以",
    ],
    "names-good-commit": ["commit 1a2b3c4 works", "rolled back to 0badc0ffee", "git checkout 1234abc"],
    "torch-changed": [
        "torch 2.9.1: fine for months\nthen torch 2.10.0 and it dies",
        "I upgraded pytorch",
        "после этого обновил torch",
    ],
    "very-slow": [
        "now 120 s/it",
        "after that it is dramatically slow",
        "it crawls",
        "seit 3 Stunden",
        "è lentissimo",
        "muy lento",
        "extrêmement lent",
        "очень медленно",
        "特别慢",
    ],
    "shared-memory": [
        "shared GPU memory is at 12",
        "gemeinsam genutzter GPU-Speicher",
        "memoria condivisa",
        "共享显存用满",
    ],
    "no-error": [
        "no error at all",
        "kein Fehler",
        "nessun errore",
        "sin errores",
        "sans erreur",
        "sem erro",
        "ошибок нет",
        "不报错",
        "エラーは出ない",
    ],
    "hang": [
        "it hangs forever",
        "bleibt einfach hängen",
        "si blocca",
        "se queda colgado",
        "figé",
        "travado",
        "завис",
        "卡住了",
    ],
    "gpu-idle": ["GPU usage is 0%", "the gpu sits idle", "显卡占用一直是0", "GPU-Auslastung bei 0"],
    "silent-exit": ["python just closes", "the pid is gone", "exits without a word", "闪退", "вылетает без ошибки"],
    "killed": [
        "SIGKILL",
        "the oom-killer got it",
        "exit code 137",
        "Der Prozess wird einfach beendet, keine Fehlermeldung",
        "il processo viene terminato",
    ],
    "log-ends": ["the log just stops", "nothing after that line", "das Log endet da", "日志停在这里"],
    "oom-in-preview": [
        "it dies during sampling",
        "OOM bei der Vorschau",
        "crash durante l'anteprima",
        "采样时爆显存",
        "dies after exactly 250 steps when it makes the sample pictures",
        "OOM every time validation images are rendered",
    ],
    "oom-at-step": ["OOM at step 12", "knallt es bei Step 2", "OOM allo step 3", "caiu no passo 63", "第 20 步爆显存"],
    "oom-at-load": [
        "it crashes while loading the model",
        "ooms as soon as it fuses the adapter",
        "stürzt beim Laden ab",
        "加载模型时爆显存",
    ],
    "at-load": [
        "while 'loading transformer 2'",
        "beim Laden",
        "durante il caricamento",
        "al cargar",
        "モデル読み込み中",
    ],
    "at-quantize": ["during quantization", "quantizing 40 blocks", "beim Quantisieren", "量化的时候"],
    "at-a-step": [
        "in the first step",
        "after a few steps",
        "im ersten Step",
        "al primo step",
        "en el paso 1",
        "dès la première étape",
        "no passo 1",
        "на первом шаге",
        "after exactly 1 step",
        "dopo 3 step",
        "im 3. Schritt",
    ],
    "at-a-preview": [
        "the first 1024 image",
        "bei jeder Vorschau",
        "le anteprime iniziali",
        "首张图",
        "на каждом превью",
    ],
    "at-save": ["exactly when it saves", "beim Speichern", "al guardar", "保存ckpt的时候", "保存的时候"],
    "at-cache-latents": ["while caching latents", "mise en cache des latents", "Latents cachen"],
    "at-cache-text": [
        "during caching text embeddings",
        "when I precache the text encoder outputs",
        "the caching text stage dies",
        "mise en cache des embeddings",
    ],
    "fails": [
        "my run dies",
        "bricht das Training von Wan 2.2 ab",
        "und dann ist Schluss",
        "va in crash",
        "se cae",
        "ça plante",
        "падает",
    ],
    "disk-full": ["the disk is full", "Platte voll", "Spazio su disco esaurito", "disque plein", "硬盘满了"],
    "oom-happened": [
        "everything ends with CUDA out of memory",
        "it always ooms",
        "bekomme immer OOM",
        "siempre me da out of memory",
        "单卡会OOM",
    ],
    "slow-rate": [
        "190 s/it",
        "each iteration is 1000 seconds",
        "45 sec per step",
        "each step takes 2 minutes",
        "3 minuti a step",
        "每一步要两分钟",
        "2 мин на шаг",
    ],
    "page-file": [
        "the page file is full",
        "25 GB of swap is in use, swap is at 25",
        "Auslagerungsdatei",
        "файл подкачки",
    ],
    "vram-full": ["it fills all 16 GB", "VRAM voll", "vram al massimo", "显存占满"],
    "wrong-gpu": ["it still says GPU 0", "it uses the wrong card", "läuft auf der falschen Karte"],
    "embeddings-cached": ["te cached", "with cached text embeddings", "text embeddings em cache"],
    "before-first-step": [
        "before the first step",
        "vor dem ersten Step",
        "noch bevor das Training anfängt",
        "prima ancora che parta il training",
        "prima del primo step",
        "一步都跑不起来",
    ],
    "intermittent": ["sometimes step 15, sometimes 31", "dies at a random step", "mal bei Step 3, mal bei Step 90"],
    "wants-speed": [
        "it is too slow for me",
        "zu langsam",
        "come faccio ad andare più veloce",
        "太慢了",
        "I want it faster",
    ],
    "gc-off-for-speed": [
        "I turned gradient checkpointing off because it was slow",
        "gradient_checkpointing aus, sollte schneller gehen",
    ],
    "plan-question": [
        "which settings for 12 GB?",
        "will it run on a 16GB card",
        "Kann ich das auf 12 GB trainieren?",
        "Klappt das mit 16 GB?",
        "prima di partire",
        "quali impostazioni",
        "需要多少显存",
    ],
    "fine-without-previews": [
        "without samples it runs fine",
        "läuft ohne Vorschau",
        "senza anteprime va bene",
        "sans aperçus ça marche",
        "关采样就没问题",
    ],
    "slow-card-load": [
        "gpu at 100% and 90 W",
        "the power draw is very low",
        "Leistungsaufnahme niedrig",
        "consumo basso",
    ],
    "previews-off": ["sampling is off", "no previews", "Vorschau ist aus", "senza anteprime", "关闭采样"],
    "all-caches-on": ["every cache toggle on", "all caches enabled"],
    "offload-on": ["layer offloading on", "ticked Layer Offloading", "offloading an"],
    "second-gpu": ["my second gpu is idle", "两张卡", "mit zwei Karten"],
    "ram-full": [
        "my system RAM is full",
        "it ran out of RAM",
        "mir läuft der Arbeitsspeicher voll",
        "si riempie la RAM",
        "me quedo sin RAM",
        "plus assez de RAM",
        "内存满了",
        "램이 꽉 차요",
        "оперативка забита",
    ],
    "other-program": [
        "comfyui is still open",
        "ComfyUI läuft nebenbei",
        "tengo el comfyui abierto",
        "comfyui还开着",
        "forge запущен",
    ],
    "solved": [
        "that worked, thanks",
        "jetzt läuft es",
        "ora funziona",
        "ahora funciona",
        "ça marche maintenant",
        "теперь работает",
        "搞定了",
        "解決しました",
    ],
    "preview-fine": ["the first sample comes out fine", "Vorschau klappt", "le anteprime vanno bene", "采样没问题"],
    "defaults-kept": [
        "default settings, only the dataset changed",
        "alles auf Standard",
        "impostazioni predefinite",
        "valores por defecto",
        "по умолчанию",
        "默认参数",
    ],
    "ara-on": ["with the 3bit ARA", "uint4 with the recovery adapter"],
    "oom-not-so": ["would it oom with batch 2?", "no OOM so far", "nothing crashed", "会不会爆显存"],
    "batch-one-in-letters": ["batch size one", "batch auf eins", "batch uno", "батч один"],
    "changed-one-thing": ["I only changed one switch", "nur einen Schalter geändert", "ho solo cambiato solo questo"],
    "still-running": ["still running after lunch", "for a long while", "4 hours now"],
}
SILENT = [
    "a lighthouse at dusk, oil painting",
    "Rank: 32, Optimizer: AdamW8Bit",
    "the room is full of boxes",
    "torch 2.9.1 on linux",
    "commit message convention",
    "I train portraits with 40 images",
    "it used 12 GB at 1024",
    "saved to disk",
]


def said(text: str) -> set[str]:
    return {found.phrase for found in _PHRASES.search(plain(text.lower()))}


@pytest.mark.parametrize(("phrase", "text"), [(phrase, text) for phrase, texts in SAID.items() for text in texts])
def test_said(phrase, text):
    assert phrase in said(text)


@pytest.mark.parametrize("text", SILENT)
def test_nothing_said(text):
    assert said(text) == set()


def test_the_automaton_misses_nothing_that_a_pattern_finds():
    compiled = [
        (slug, re2.compile(plain(one)))
        for slug, phrase in _PHRASES.phrases.items()
        for one in (*phrase.patterns, *phrase.other_scripts)
    ]
    for text in (text for texts in SAID.values() for text in texts):
        assert said(text) >= {slug for slug, pattern in compiled if pattern.search(plain(text.lower()))}


def test_states_and_drops_must_exist():
    class Faulty(Knowledge):
        def read(self, name):
            return {"phrases": {"a": {"means": "x", "patterns": ["x"], "drops": ["b"]}}}

    with pytest.raises(ValueError, match="no phrase 'b'"):
        Phrases.load(Faulty())


def test_ids_are_kebab_case_and_patterns_stay_in_a_sentence():
    for slug, phrase in _PHRASES.phrases.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
        assert all(".*" not in pattern for pattern in phrase.patterns)
        assert all(re.search(r"[\u0370-\U0010ffff]", pattern) for pattern in phrase.other_scripts)
