"""frame_bench_test.py PROGRAM: one frame of every case, and whether the table is complete. Times are not judged."""
import json
import subprocess
import sys

ran = subprocess.run([sys.argv[1], "--once"], capture_output=True, text=True)
assert ran.returncode == 0, f"exit {ran.returncode}: {ran.stderr}"
lines = [json.loads(line) for line in ran.stdout.splitlines()]
timed = {(line["name"], line["size"]): line for line in lines if "median_ms" in line}
said = {line["name"]: line for line in lines if "value" in line}

wanted = {"imgui_empty", "imgui_demo", "figure/rotations", "figure/matrix", "figure/scores", "overview/unchanged"}
wanted |= {"figure/waves", "figure/spectrum", "figure/attention"}
wanted |= {"overview/drag_" + key for key in ("position", "offset", "d_model", "base")}
missing = [(name, size) for name in wanted for size in ("1280x800", "1920x1080") if (name, size) not in timed]
cells = ("128x64", "2147483647x64", "2048x512", "2147483647x8192")
missing += [name for name in cells if ("matrix/" + name, "900x500") not in timed]
missing += [name for name in (("attention/2048x2048", "1280x800"), ("gram/2048x2048", "1280x800"),
                                    ("scores/all_2048", "1280x800"), ("scores/all_2048_base", "1280x800"),
                                    ("experiment/two_train", "1280x800"),
                                    ("experiment/first_curve", "1280x800"), ("start_up/render", "1280x800")) if name not in timed]
missing += [name for name in ("memory/render_mib", "experiment/first_curve_ms", "ratio/matrix/rows", "ratio/start_up/render",
                              "allocations/unchanged/overview", "allocations/mouse_moved/overview") if name not in said]
assert not missing, f"not in the table: {missing}"
for line in timed.values():
    assert line["frames"] > 0 and 0 < line["median_ms"] <= line["p99_ms"] and line["processor_ms"] > 0, line
for line in said.values():
    assert line["value"] >= 0 and "goal" in line, line
