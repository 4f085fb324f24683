#!/usr/bin/python3
"""peers.py [FRAME_BENCH]: how long other programs take from a changed parameter to the new image, drawn without a window.

The picture is the table of a sinusoidal encoding, 2048 × 512, as a heatmap of 1280 × 800; matplotlib also draws a wall
of 64 clocks. Prints JSON lines as frame_bench does. With FRAME_BENCH, the path of that program, it is run in between
and the ratios of both are printed. Needs the Debian packages python3-pyqtgraph, python3-pyqt5, python3-matplotlib; what
is not installed is said and left out.
"""
import json
import os
import statistics
import subprocess
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
LENGTH, WIDTH, FRAMES = 2048, 512, 40
medians = {}


def needs(package, error):
    print(f"peers: {package} is not installed ({error}); left out", file=sys.stderr)


try:
    import numpy
except ImportError as error:
    needs("python3-numpy", error)
    sys.exit(1)


def table(base):
    """float32, as a person in a hurry computes it."""
    frequency = base ** (-numpy.arange(0, WIDTH, 2, dtype=numpy.float32) / WIDTH)
    angle = numpy.arange(LENGTH, dtype=numpy.float32)[:, None] * frequency
    values = numpy.empty((LENGTH, WIDTH), numpy.float32)
    numpy.sin(angle, out=values[:, 0::2])
    numpy.cos(angle, out=values[:, 1::2])
    return values


def measure(name, frame):
    clock, processor = [], []
    for i in range(FRAMES + 3):
        at, used = time.perf_counter(), time.process_time()
        frame(i)
        if i >= 3:
            clock.append(1e3 * (time.perf_counter() - at))
            processor.append(1e3 * (time.process_time() - used))
    medians[name] = statistics.median(clock), statistics.median(processor)
    line = {"name": name, "size": "1280x800", "frames": FRAMES, "median_ms": round(medians[name][0], 3),
            "p99_ms": round(sorted(clock)[int(0.99 * FRAMES)], 3), "processor_ms": round(medians[name][1], 3)}
    print(json.dumps(line), flush=True)


def pyqtgraph_heatmap():
    try:
        import pyqtgraph
    except ImportError as error:
        return needs("python3-pyqtgraph", error)
    pyqtgraph.setConfigOption("imageAxisOrder", "row-major")
    application = pyqtgraph.mkQApp()
    window = pyqtgraph.GraphicsLayoutWidget()
    window.resize(1280, 800)
    image = pyqtgraph.ImageItem(levels=(-1.0, 1.0))
    image.setLookupTable(pyqtgraph.colormap.get("CET-D1").getLookupTable(nPts=256))
    window.addPlot().addItem(image)
    window.show()
    tables = [table(10000.0 + i) for i in range(2)]

    def show(values):
        image.setImage(values, levels=(-1.0, 1.0))
        window.viewport().repaint()
        application.processEvents()

    measure("pyqtgraph/heatmap", lambda i: show(table(10000.0 + i)))
    measure("pyqtgraph/heatmap_without_compute", lambda i: show(tables[i % 2]))


def matplotlib_figures():
    try:
        import matplotlib
    except ImportError as error:
        return needs("python3-matplotlib", error)
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(12.8, 8.0), dpi=100)
    image = axes.imshow(table(10000.0), cmap="RdBu", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")

    def heatmap(i):
        image.set_data(table(10000.0 + i))
        figure.canvas.draw()

    measure("matplotlib/heatmap", heatmap)
    wall, clocks = pyplot.subplots(8, 8, figsize=(12.8, 8.0), dpi=100)
    hands = []
    for one in clocks.flat:
        one.add_patch(pyplot.Circle((0, 0), 1, fill=False))
        one.set_xlim(-1.1, 1.1), one.set_ylim(-1.1, 1.1), one.set_aspect("equal"), one.set_axis_off()
        hands.append(one.plot([0, 0], [0, 1])[0])

    def turn(i):
        for pair, hand in enumerate(hands):
            angle = i * 10000.0 ** (-pair / 64)
            hand.set_data([0, numpy.sin(angle)], [0, numpy.cos(angle)])
        wall.canvas.draw()

    measure("matplotlib/64_clocks", turn)


def ours(program):
    for line in subprocess.run([program, "--only", "overview/drag"], capture_output=True, text=True).stdout.splitlines():
        case = json.loads(line)
        if case.get("size") == "1280x800":
            medians[case["name"]] = case["median_ms"], case["processor_ms"]
            print(line)


def ratios():
    for name in sorted(medians):
        if name.startswith("overview/drag_") and "pyqtgraph/heatmap" in medians:
            clock, processor = (a / b for a, b in zip(medians[name], medians["pyqtgraph/heatmap"]))
            print(json.dumps({"name": f"ratio/{name}/pyqtgraph", "value": round(clock, 3),
                              "processor": round(processor, 3), "goal": 0.8}))


if len(sys.argv) > 1 and sys.argv[1] in ("-h", "--help"):
    print(__doc__.strip())
    sys.exit(0)
pyqtgraph_heatmap()
if len(sys.argv) > 1:
    ours(sys.argv[1])
matplotlib_figures()
ratios()
