#!/usr/bin/env python3
"""The commands under Wine beside Linux's: commands.py WINE POSISCOPE.COM NATIVE FOLDER. Words, numbers and code are equal byte for
byte, vector files but for a number's last digits, pictures within 1 of 255."""
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

WINE, PROGRAM, NATIVE, FOLDER = sys.argv[1:5]
PROGRAM, NATIVE = str(Path(PROGRAM).resolve()), str(Path(NATIVE).resolve())
KEEP = os.environ.get("LOOK")
failures = 0


def say(well, what):
    global failures
    failures += not well
    print(("ok: " if well else "FAILED: ") + what, flush=True)


class Side:
    """One of the two programs, in a folder of its own."""

    def __init__(self, name, command):
        self.folder, self.command = Path(FOLDER) / name, command
        self.folder.mkdir()

    def run(self, *words, given=b"", **variables):
        environment = dict(os.environ, LANG="C.UTF-8", **variables)
        return subprocess.run([*self.command, *words], cwd=self.folder, input=given, capture_output=True, env=environment, timeout=300)


windows, linux = Side("windows", [WINE, PROGRAM]), Side("linux", [NATIVE])


def both(*words, given=b""):
    return windows.run(*words, given=given), linux.run(*words, given=given)


def alike(what, *words, code=0, given=b""):
    one, other = both(*words, given=given)
    same = (one.returncode, one.stdout, one.stderr) == (other.returncode, other.stdout, other.stderr)
    say(same and one.returncode == code, what)
    if not same or one.returncode != code:
        print(f"    {one.returncode} {one.stdout[-300:]} {one.stderr[-300:]}\n    {other.returncode} {other.stdout[-300:]} {other.stderr[-300:]}")


def pixels(path):
    """Rows of a PNG's samples."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        elif kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    step = {0: 1, 2: 3, 4: 2, 6: 4}[colour] * depth // 8
    raw, stride, before, rows = zlib.decompress(packed), width * step, bytearray(width * step), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind == 1:
            for i in range(step, stride):
                line[i] = line[i] + line[i - step] & 255
        elif kind == 2:
            line = bytearray(a + b & 255 for a, b in zip(line, before))
        elif kind:
            for i in range(stride):
                a, b, c = (line[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
                p = a + b - c
                near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                line[i] = line[i] + ((a + b) // 2 if kind == 3 else near) & 255
        rows.append(bytes(line))
        before = line
    return width, height, rows


def plain(data):
    """A PDF or SVG with what is deflated in it inflated, without the places and lengths that follow from that, and without the six
    letters before a cut font's name, which Cairo makes of its widths as `long`."""
    def inflated(match):
        try:
            return b"stream\n" + zlib.decompress(match.group(1)) + b"\nendstream"
        except zlib.error:
            return match.group(0)
    data = re.sub(rb"stream\r?\n(.*?)\r?\nendstream", inflated, data, flags=re.S)
    data = re.sub(rb"\n\d{10} \d{5} [nf] ?", b"", data)
    data = re.sub(rb"/[A-Z]{6}\+", b"/", data)
    data = re.sub(rb"obj\n +\d+\nendobj", b"", data)  # the length of what was deflated
    return re.sub(rb"startxref\n\d+|/Length \d+", b"", data)


NUMBER = re.compile(rb"-?\d+\.\d+|-?\d+")


def nearly(one, other):
    """The largest difference of a number where everything between the numbers is equal, else None."""
    if NUMBER.split(one) != NUMBER.split(other):
        return None
    return max((abs(float(a) - float(b)) for a, b in zip(NUMBER.findall(one), NUMBER.findall(other))), default=0.0)


def drawn(name, *words):
    one, other = both("render", "-o", name, *words)
    if one.returncode or other.returncode:
        return say(False, f"{name}: {one.returncode} {one.stderr.decode()} {other.returncode} {other.stderr.decode()}")
    a, b = windows.folder / name, linux.folder / name
    if KEEP:
        shutil.copy(a, Path(KEEP) / f"wine-{name}")
    if name.endswith(".png"):
        (width, height, rows), (also_width, also_height, others) = pixels(a), pixels(b)
        if (width, height) != (also_width, also_height):
            return say(False, f"{name}: {width} x {height} pixels, {also_width} x {also_height}")
        most, count = 0, 0
        for row, same in zip(rows, others):
            if row != same:
                differences = [abs(x - y) for x, y in zip(row, same)]
                most, count = max(most, *differences), count + sum(d > 0 for d in differences)
        return say(most <= 1, f"{name}: {width} x {height} pixels, {count} samples differ, by at most {most} of 255")
    whole, same = a.read_bytes(), b.read_bytes()
    if whole == same:
        return say(True, f"{name}: {len(whole)} bytes, equal")
    apart = nearly(plain(whole), plain(same))
    say(apart is not None and apart <= 0.01, f"{name}: {len(whole)} bytes, numbers differ by at most {apart}")


scene = '{"position": 12, "encoding": {"kind": "rope"}}'
for side in (windows, linux):
    (side.folder / "狗").mkdir()
    (side.folder / "狗" / "狗咬人 😀.json").write_text(scene)
    (side.folder / "config.json").write_text('{"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, '
                                             '"max_position_embeddings": 4096, "rope_theta": 10000.0}')
    rows = ([f(p * 10000 ** (-i / 32)) for i in range(32) for f in (math.sin, math.cos)] for p in range(64))
    (side.folder / "表.csv").write_text("".join(",".join(f"{x:.9g}" for x in row) + "\n" for row in rows))
named = "狗/狗咬人 😀.json"

alike("list encodings", "list", "encodings")
alike("list figures, in Chinese", "list", "figures", "--lang", "zh")
alike("data to standard output, bytes as they are", "data", "rotation", named)
alike("data as CSV", "data", "shift", "-o", "/dev/stdout")
alike("data from a scene on standard input", "data", "rotation", "-s", "/dev/stdin", given=scene.encode())
alike("code of a scene", "code", "numpy", "-s", named)
alike("code in C++", "code", "cpp")
alike("a setting that there is not, exit code 2", "data", "rotation", "--set", "position=-1", code=2)
alike("a sentence in Chinese, exit code 2", "data", "rotation", "--set", "words=狗 咬 人", "--lang", "zh", code=2)
alike("lessons in Chinese", "list", "lessons", "--lang", "zh")
alike("a model's config", "code", "rope_parameters", "--model", "config.json")

for name in ("数据.npy", "data.csv", "data.json"):
    one, other = both("data", "cache", named, "-o", name)
    same = one.returncode == other.returncode == 0 and (windows.folder / name).read_bytes() == (linux.folder / name).read_bytes()
    say(same, f"data -o {name}" + ("" if same else f" {one.stderr} {other.stderr}"))

alike("check of a dumped table", "check", "表.csv")

drawn("图 1.png", named, "--figure", "rotations")
drawn("matrix.png", named, "--figure", "matrix", "--size", "1200x800")
drawn("scores.png", "--figure", "scores", "--lang", "zh", "--theme", "dark")
drawn("rotations.pdf", named, "--figure", "rotations")
drawn("matrix.pdf", named, "--figure", "matrix", "--lang", "zh")
drawn("图 2.svg", named, "--figure", "scores")

# Characters that are not embedded are those of the system's fonts: Chinese from Linux's own folders, which Wine finds by their names,
# and Armenian, which Noto's file lacks, from Windows' folder of fonts, where DejaVu serves as Segoe.
for side in (windows, linux):
    (side.folder / "words.json").write_text('{"content": {"kind": "tokens", "text": "鱻 龘 한국 man"}}')
    (side.folder / "armenian.json").write_text('{"content": {"kind": "tokens", "text": "Ա Բ man"}}')
drawn("words.png", "words.json", "--figure", "attention")
drawn("words.pdf", "words.json", "--figure", "attention")
drawn("boxes.png", "armenian.json", "--figure", "attention")
fonts = Path(os.environ["WINEPREFIX"]) / "drive_c/windows/Fonts"
segoe = fonts / "segoeui.ttf"
segoe.symlink_to("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
os.environ["WINDIR"] = str(fonts.parent)  # for Linux's program, which then looks there too; Wine has its own
for name in ("letters.png", "letters.pdf"):
    drawn(name, "armenian.json", "--figure", "attention")
del os.environ["WINDIR"]
segoe.unlink()
say((windows.folder / "boxes.png").read_bytes() != (windows.folder / "letters.png").read_bytes(), "without that font there are boxes")

# Deeper than the 260 characters that programs without our manifest may name.
deep = "/".join(["深" * 20 + "n" * 20] * 8)
for side in (windows, linux):
    (side.folder / deep).mkdir(parents=True)
one, other = both("data", "cache", named, "-o", f"{deep}/cache.npy")
same = one.returncode == other.returncode == 0 and (windows.folder / deep / "cache.npy").read_bytes() == (linux.folder / deep / "cache.npy").read_bytes()
say(same, f"a path of {len(str(windows.folder / deep / 'cache.npy'))} characters" + ("" if same else f" {one.stderr} {other.stderr}"))

one, other = both("experiment", "--length", "8", "--tested", "16", "--steps", "20", "--seeds", "2", "--encodings", "rope,t5", "--jobs", "2")
compiler = re.compile(rb'"compiler":"[^"]*"')  # two compilers of one version name themselves otherwise
say(one.returncode == 0 and compiler.sub(b"", one.stdout) == compiler.sub(b"", other.stdout), "an experiment of two networks, to the last digit")

for words in (["render", "-o", "old.png"], []):
    ended = windows.run(*words, MESA_GL_VERSION_OVERRIDE="2.1")
    said = ended.stderr.decode().strip().splitlines()
    sentence = "\n".join(line for line in said if not line.startswith("Still computing"))  # which a slow machine says first
    say(ended.returncode == 3 and "needs OpenGL 3.3" in sentence and "posiscope.html" in sentence and "\n" not in sentence,
        f"without OpenGL 3.3 `posiscope {' '.join(words)}` ends with {ended.returncode}: {sentence}")

ended = windows.run("render", "-o", "nowhere/a.png")
say(ended.returncode == 1 and b"nowhere" in ended.stderr, f"a folder that is not there: {ended.stderr.decode().strip()}")
say(not list(windows.folder.glob(".posiscope-*")), "no half of a file is left")
sys.exit(failures != 0)
