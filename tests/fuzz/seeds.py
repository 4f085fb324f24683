"""Where the fuzzers begin: seeds.py FOLDER writes FOLDER/NAME/* for each of them, and FOLDER/json.dict.
Scenes and configs are those of the tests, configs also the rows of assets/models.json; the words are those of core and of
the figures."""
import io
import json
import math
import pathlib
import re
import struct
import sys
import zipfile
import zlib

root = pathlib.Path(__file__).resolve().parents[2]
out = pathlib.Path(sys.argv[1])


def write(kind, contents):
    folder = out / kind
    folder.mkdir(parents=True, exist_ok=True)
    for n, one in enumerate(sorted(set(contents))):
        (folder / f"seed-{n}").write_bytes(one)


def in_tests(path):
    found = []
    for file in sorted((root / "tests").glob(path)):
        found += re.findall(r'R"\((\{.*?\})\)"', file.read_text(encoding="utf-8"), re.S)
    return [text.encode() for text in found]


def configs():
    for row in json.loads((root / "assets/models.json").read_text(encoding="utf-8"))["models"]:
        config = dict(row["config"])
        yield json.dumps(config).encode()
        if "rope_scaling" in config:
            config["rope_parameters"] = config.pop("rope_scaling")
            yield json.dumps({"text_config": config}).encode()


def tables():
    for order in "<>":
        for letter, size in (("e", 2), ("f", 4), ("d", 8)):
            for shape in ((1, 1), (3, 4), (2, 0), (5,)):
                count = 1
                for side in shape:
                    count *= side
                for fortran, version in ((False, 1), (True, 1), (False, 2)):
                    header = repr({"descr": f"{order}f{size}", "fortran_order": fortran, "shape": shape}) + "\n"
                    length = struct.pack("<H" if version == 1 else "<I", len(header))
                    yield (b"\x93NUMPY" + bytes([version, 0]) + length + header.encode()
                           + struct.pack(f"{order}{count}{letter}", *(0.5 * n - 1 for n in range(count))))


def arrays():
    """Arrays of a .safetensors file: its header's length, the header, the numbers."""
    for dtype, size in (("F16", 2), ("BF16", 2), ("F32", 4), ("F64", 8)):
        header = json.dumps({"__metadata__": {"format": "pt"},
                             "a": {"dtype": dtype, "shape": [2, 3], "data_offsets": [0, 6 * size]}}).encode()
        yield struct.pack("<Q", len(header)) + header + bytes(range(6 * size))


def archives():
    """The array a as .npz, .pt (whole, transposed, in a dictionary) and .gguf, and as text."""
    def zipped(members):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        return file.getvalue()

    npy = next(iter(tables()))
    yield zipped({"a.npy": npy})
    yield zipped({"a.npy": npy, "b.npy": npy})
    # tensor(storage, 0, (2, 3), strides, False, OrderedDict()) as torch.save pickles it.
    for strides in (b"K\x03K\x01\x86", b"K\x01K\x02\x86"):
        storage = b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\x000X\3\0\0\0cpuK\6tQ"
        tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\0K\2K\3\x86" + strides \
            + b"\x89ccollections\nOrderedDict\n)RtR"
        for pickle in (b"\x80\2" + tensor + b".", b"\x80\2}q\0X\1\0\0\0aq\1" + tensor + b"s."):
            yield zipped({"archive/data.pkl": pickle, "archive/data/0": struct.pack("<6f", *range(6))})
    for kind, size in ((0, 4), (1, 2), (30, 2), (12, 1)):
        text = lambda word: struct.pack("<Q", len(word)) + word
        head = b"GGUF" + struct.pack("<IQQ", 3, 1, 2) + text(b"llama.rope.freq_base") + struct.pack("<If", 6, 5e5) \
            + text(b"tokens") + struct.pack("<IIQ", 9, 8, 1) + text(b"word") \
            + text(b"a") + struct.pack("<IQQIQ", 2, 3, 2, kind, 0)
        yield head + b"\0" * (-len(head) % 32) + bytes(6 * size)
    yield b"# cos\n1, 0.5403\n1 -4.16e-1\n"
    yield b"a;b\n1;2\n"


def caches():
    """Small tables that are recognised: cos, sin and both side by side, inverse frequencies, positions."""
    for frequencies in ([1.0, 0.1, 0.01, 0.001], [10000 ** (-i / 8) for i in range(8)]):
        angles = [[p * w for w in frequencies] for p in range(4)]
        cos, sin = ([[f(a) for a in row] for row in angles] for f in (math.cos, math.sin))
        both = [c + s for c, s in zip(cos, sin)]
        mixed = [[v for c, s in zip(*rows) for v in (s, c)] for rows in zip(cos, sin)]
        for rows in (cos, sin, both, mixed, [frequencies]):
            header = repr({"descr": "<f4", "fortran_order": False, "shape": (len(rows), len(rows[0]))}) + "\n"
            numbers = [value for row in rows for value in row]
            yield (b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode()
                   + struct.pack(f"<{len(numbers)}f", *numbers))


def checkpoints():
    """One byte of settings, then a checkpoint: two query heads and one key head of 4 features, with what stands beside them."""
    at = "model.layers.0.self_attn."
    shapes = {"q_proj.weight": [8, 3], "k_proj.weight": [4, 3], "q_proj.bias": [8], "q_norm.weight": [4], "k_norm.weight": [4]}
    for count in (2, 3, 5):
        for settings in (0, 1, 2, 132):
            header, end = {}, 0
            for name in list(shapes)[:count]:
                size = 2
                for number in shapes[name]:
                    size *= number
                header[at + name] = {"dtype": "F16", "shape": shapes[name], "data_offsets": [end, end + size]}
                end += size
            text = json.dumps(header).encode()
            yield bytes([settings]) + struct.pack("<Q", len(text)) + text + b"\0\x3c" * (end // 2)


def pictures():
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    pixels = chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b"")
    for kind in (2, 6):
        head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, kind, 0, 0, 0))
        yield head + pixels
        for scene in in_tests("core/scene/*.cpp"):
            yield head + chunk(b"iTXt", b"posiscope.scene\0\0\0\0\0" + scene) + pixels
            yield head + chunk(b"iTXt", b"posiscope.scene\0\1\0\0\0" + zlib.compress(scene)) + pixels
        yield head + chunk(b"tEXt", b"posiscope.scene\0{}") + chunk(b"gAMA", b"\0\0\xb1\x8f") + pixels


VIEWS = [
    {},
    {"waves": {"range": [0, 4]}, "matrix": {"rows": [0.5, 20], "columns": [3, 9]}},
    {"scores": {"range": [-1e9, 1e9]}, "sum": {"window": [1e29, 0, 65536]}, "shift": {"second": -9}},
    {"rotations": {"row": 3}, "attention": {"word": 1, "head": 2}, "check": {"first": 9}, "compare": "difference"},
    {"model": {"from": "config", "length": 64, "ignored": ["a"] * 40, "overruled": [["b", "c"]]}},
    {"ids": {"kind": "packed", "lengths": [3, 4, 2147483647], "slip": "unmasked"}},
    {"ids": {"kind": "images", "frames": 4096, "rows": 4096, "columns": 4096, "step": 10000, "slip": "patches"}},
    {"ids": {"kind": "eviction", "prompt": 1000000000, "kept": 999999999, "recent": 0, "slip": "kept_rows"}},
    {"ids": "context_shift"},
]
SCENES = [
    {},
    {"base": 1e15, "length": 2147483647, "position": 2147483000},
    {"encoding": "rope", "base": 1e18, "num_heads": 16, "d_model": 256, "layout": "half", "compare": {"base": 1.5}},
    {"encoding": {"kind": "rope", "rope_scaling": {"rope_type": "yarn", "factor": 4,
                  "original_max_position_embeddings": 64}}, "d_model": 64, "length": 256,
     "trained": {"length": 64, "scene": {"encoding": "rope"}}},
    {"encoding": {"kind": "rope", "mrope_section": [2, 3, 3], "grid": [2, 3, 4]}, "d_model": 16},
    {"content": {"kind": "tokens", "text": ["dog", "bites", "man"]}, "d_model": 32, "num_heads": 2},
    {"d_model": 2, "length": 1, "position": 0, "offset": 0, "pair": 0},
    {"encoding": {"kind": "own", "frequency": "b^(-2i/d)(1 + a cos i)", "bias": "-log(1 + |D|)", "values": {"a": 0.1}}, "d_model": 16},
    {"encoding": {"kind": "own", "frequency": "2pi/round(2pi*b^(2i/d))", "distance": "D <= w ? D : floor(q/4) - floor(k/4)",
                  "amplitude": "exp(-D/9)", "scale": "log(q + 2)/log(L)", "values": {"w": 3}, "from": "rope"}, "d_model": 16},
    {"encoding": {"kind": "own", "add": "mod(j, 2) == 0 ? sin(p*b^(-j/d)) : cos(p*b^(-j/d))"}, "d_model": 16},
    {"encoding": {"kind": "own", "bias": "sum(m, 1, 4, c[m - 1]*cos(D*m))", "values": {"c": [1, 2, 3, 4]}}, "d_model": 16},
] + [{"encoding": kind, "d_model": 32} for kind in ("alibi", "t5", "kerple", "fire", "sandwich", "shaw", "xpos", "learned",
                                                    "transformer_xl", "none")]


FIGURES = len(re.findall(r"&k\w+", (root / "app/figures/figures.cpp").read_text(encoding="utf-8")))


def viewed():
    for n, scene in enumerate(SCENES):
        for view in VIEWS:
            yield n, json.dumps({**scene, "view": view}).encode()


def drawings():
    for n, text in viewed():
        for figure in range(FIGURES):
            yield bytes([figure, n, 64 + n, 120, 100, 3, 90, (37 * figure + n) % 256]) + text


def results():
    """The shipped results, cut down to a run or two with short curves: a fuzzer wants small files."""
    for name in ("needle", "order_unmasked", "language"):
        file = json.loads((root / f"assets/experiments/{name}.json").read_text(encoding="utf-8"))
        file["settings"].update(length=4, tested=8, steps=50, layers=1, heads=1, seeds=2)
        for run in file["runs"]:
            run["loss"] = run["loss"][:5]
            for score in run["scores"]:
                for curve, positions in (("trained", 4), ("tested", 8), ("by_distance", 8)):
                    if curve in score:
                        score[curve] = {key: values[:positions] for key, values in score[curve].items()}
            size = 16 if not file["settings"]["causal"] else 10
            run["moments"] = [{"step": 25, "tested": [None, 0.5, 1], "heads": "A" * size}]
        runs = [run for run in file["runs"] if run["seed"] <= 2]
        for n in (0, 1, 4):
            yield json.dumps({**file, "runs": runs[:n]}).encode()
            yield json.dumps({**file, "runs": [{k: v for k, v in run.items() if k != "moments"} for run in runs[:n]]}).encode()


write("results", results())


def lessons():
    yield json.dumps({"lesson": 1, "title": {"en": "$M_"}, "steps": [{"text": {"en": "$$$_$ $^{$ $M_{{pair}}$ $a_{b_c} $$ _{"}}]}).encode()
    for file in sorted((root / "assets/lessons").glob("*.json")):
        lesson = json.loads(file.read_text(encoding="utf-8"))
        yield json.dumps(lesson, ensure_ascii=False).encode()
        for step in lesson["steps"]:
            yield json.dumps({**lesson, "steps": [step]}, ensure_ascii=False).encode()


PREFERENCES = [
    {"theme": "print", "presenting_theme": "dark", "language": "zh", "scale": 1.5, "speed": 2, "loop": False,
     "window": {"width": 640, "height": 400, "x": -5, "y": 7, "maximised": True}, "picture_scale": 4,
     "splits": {"overview": [0.25, 0.5]}, "recent": ["a.json", "b.npy"]},
    {"scale": 1e9, "speed": -1, "window": 3, "splits": {"overview": ["a"]}, "recent": [1, "a"] * 8},
    {"rope": {"step": 3, "done": True}, "order": {"guessed": 1}},
]
SETTINGS = ["base=500", "encoding=rope", "encoding.kind=rope\nencoding.rope_scaling={\"rope_type\":\"linear\",\"factor\":2}",
            "content.kind=tokens\ncontent.text=[\"a\",\"b\"]", "view.matrix.rows=[0,4]\nview.matrix.mode=phase",
            "compare={\"base\":2}\ncompare.base=3", "d_model=8\nnum_heads=4\nlength=2147483647\nposition=2147483646",
            "=", "a.b.c=1", "length", "\xff=\xff"]

write("lesson", lessons())
write("data", [text for _, text in viewed()])
write("setting", [text.encode("latin-1") for text in SETTINGS])
write("preferences", [json.dumps(one).encode() for one in PREFERENCES + SCENES])
write("open", [b"\1\2" + one for kind in (list(lessons())[:2], in_tests("core/scene/*.cpp"), list(configs())[::8], tables(),
                                         pictures(), results()) for one in kind]
      + [bytes([figure, n]) + text for n, text in viewed() for figure in range(n % 5, FIGURES, 5)])
write("draw", drawings())
write("formula", [bytes((37 * n + k * k * (n + 5)) % 256 for k in range(13 + 9 * n)) for n in range(24)])
write("scene", in_tests("core/**/*.cpp"))
write("config", in_tests("core/models/*.cpp") + list(configs()))
write("npy", tables())
write("tensor", list(tables()) + list(arrays()) + list(archives()))
write("recognise", list(tables()) + list(arrays()) + list(caches()))
write("checkpoint", checkpoints())
write("png", pictures())
sources = "".join(file.read_text(encoding="utf-8")
                  for part in ("core", "app/figures") for file in sorted((root / part).rglob("*.cpp")))
with open(out / "json.dict", "w", encoding="utf-8") as words:
    for word in sorted(set(re.findall(r'"([a-z][a-z0-9_]+)"', sources))):
        words.write(f'"\\"{word}\\""\n')
    for number in ("2147483648", "1e308", "-1", "null", "true"):
        words.write(f'"{number}"\n')
