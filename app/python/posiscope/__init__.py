"""Posiscope from Python: numbers, checks and pictures of positional encodings.

    import posiscope
    posiscope.data("frequencies", model=config)["inv_freq"]      # [pairs], radians per position
    print(posiscope.check(cos, config=config))                   # what the table is, and what is wrong with it
    posiscope.render({"encoding": "rope"}, figure="matrix")      # a picture that a notebook shows
    posiscope.plot("scores", scene={"encoding": "rope"})         # the numbers as matplotlib's Axes
    posiscope.dataframe("attention", scene={"encoding": "rope"}) # and as pandas' DataFrame, one number a line
    posiscope.show(q, k, tokens=words, config=config)            # a model's q and k, in the notebook or the window
    posiscope.capture(model.layers[5].self_attn, model, inputs)  # q and k before and after rotation

The program does all of it: it is started by the first call and answers for as long as this process runs; POSISCOPE names another
one than the wheel's. Arrays are NumPy's where NumPy is installed, else nested lists; what is given may be NumPy's, torch's,
anything with __array__ or __dlpack__, or nested lists. A `scene` is a dictionary of a Scene's keys, a path, or a link; a `model`
or `config` is a model's name (`posiscope list models`), a path to its config.json, that file's content as a dictionary, or an
object whose to_dict() gives that.
What the program refuses is an Error with its sentence.
"""
from __future__ import annotations

import atexit
import functools
import hashlib
import html
import http.server
import importlib
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
from typing import Any, Mapping, Optional, Protocol, Sequence, Union

from ._arrays import read as _read, save as _save
from ._program import Error, program, run as _run

__all__ = ["Captured", "Error", "Frame", "Picture", "Report", "capture", "check", "data", "dataframe", "plot", "program", "render",
           "show"]


class Described(Protocol):
    """A config of Hugging Face's."""

    def to_dict(self) -> Mapping[str, Any]: ...


Named = Union[str, "os.PathLike[str]", Mapping[str, Any], Described]
__version__: str


def __getattr__(name: str) -> str:
    """The version is the program's, which an import need not ask."""
    if name == "__version__":
        return bytes(_run(["--version"])[0]).decode().split()[1]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _plain(value: Any) -> Any:
    """A number or an array of NumPy's, or of anything that has its ways, as JSON has it."""
    for way in ("tolist", "item"):
        if hasattr(value, way):
            return getattr(value, way)()
    raise TypeError(f"{value!r} is no value of a scene")


class _Call:
    """One run of the program, with a folder of this person alone for what it reads, made when something is put there."""

    @functools.cached_property
    def folder(self) -> pathlib.Path:
        return pathlib.Path(tempfile.mkdtemp(prefix="posiscope-"))

    def __enter__(self) -> "_Call":
        return self

    def __exit__(self, *_: object) -> None:
        if "folder" in self.__dict__:
            shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name: str) -> pathlib.Path:
        return self.folder / re.sub(r"[^\w.-]", "_", name)  # in the folder, whatever it is called

    def file(self, content: Any, name: str) -> str:
        path = self.path(name)
        path.write_text(json.dumps(content, default=_plain), encoding="utf-8")
        return str(path)

    def named(self, option: str, value: Optional[Named], name: str) -> list[str]:
        if value is None:
            return []
        if isinstance(value, (str, os.PathLike)):
            return [option, os.fspath(value)]
        return [option, self.file(dict(value if isinstance(value, Mapping) else value.to_dict()), name)]

    def scene(self, scene: Optional[Named], model: Optional[Named], settings: Optional[Mapping[str, Any]]) -> list[str]:
        words = self.named("--model", model, "config.json") + self.named("-s", scene, "scene.json")
        for key, value in (settings or {}).items():
            words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value, default=_plain)}"]
        return words

    def run(self, words: Sequence[str], fine: Sequence[int] = (0,)) -> bytearray:
        return self.said([*words, "--quiet"], fine)[0]

    def said(self, words: Sequence[str], fine: Sequence[int]) -> tuple[bytearray, bytearray]:
        try:
            return _run(words, fine)
        except Error as error:
            if "folder" not in self.__dict__:
                raise
            raise Error(str(error).replace(f"{self.folder}{os.sep}", ""), error.code) from None  # a folder that nobody knows


def _asked(quantity: str, scene: Optional[Named], model: Optional[Named], settings: Optional[Mapping[str, Any]],
           array: Optional[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    with _Call() as call:
        words = ["data", quantity, *call.scene(scene, model, settings), "-o", "-.npz"]
        return _read(call.run(words + (["--array", array] if array else [])))


def data(quantity: str, *, scene: Optional[Named] = None, model: Optional[Named] = None,
         settings: Optional[Mapping[str, Any]] = None, array: Optional[str] = None) -> dict[str, Any]:
    """The arrays of a quantity by name; `posiscope list quantities` has all of them with their shapes, for example

    frequencies  inv_freq [pairs] in rad/position, wavelength [pairs] in positions
    cache        cos and sin [positions, pairs]
    table        table [positions, d_model]
    scores       distance [n] = query - key in positions, logit [n]
    attention    attention [heads, queries, keys], weights that sum to 1 over the keys

    array  only this one of them. A number that is not there is NaN (without NumPy None); the logit of what a query does not see
           is -inf.
    """
    return _asked(quantity, scene, model, settings, array)[0]


def _module(name: str, otherwise: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Error(f"{name.split('.')[0]} is not installed. Install it, or {otherwise}.", 1) from None


def dataframe(quantity: str, *, array: Optional[str] = None, scene: Optional[Named] = None, model: Optional[Named] = None,
              settings: Optional[Mapping[str, Any]] = None) -> Any:
    """The numbers of `data` as a pandas DataFrame with one number of each array a line, and before them where it stands: head, query
    and key of attention, position and pair of a cache. Its `attrs` have the units and the scene.

    array  this one alone; without it all arrays that are as large as the first
    """
    pandas, numpy = _module("pandas", "take the arrays of data()"), _module("numpy", "take the lists of data()")
    made, facts = _asked(quantity, scene, model, settings, array)
    first = next((name for name, values in made.items() if values.ndim > 0), None)
    if first is None:
        raise Error(f"{quantity} has no lines: {', '.join(made)} are single numbers. Take them from data().", 2)
    shape = made[first].shape
    axes = facts.get("axes", {}).get(first) or (["index"] if len(shape) == 1 else [f"index{at}" for at in range(len(shape))])
    columns = {name: place.ravel() for name, place in zip(axes, numpy.indices(shape))}
    columns.update({name: values.ravel() for name, values in made.items() if values.shape == shape})
    frame = pandas.DataFrame(columns)
    frame.attrs.update(units=facts.get("units", {}), scene=facts.get("scene", {}))
    return frame


def plot(quantity: str, *, array: Optional[str] = None, head: int = 0, ax: Any = None, scene: Optional[Named] = None,
         model: Optional[Named] = None, settings: Optional[Mapping[str, Any]] = None, **style: Any) -> Any:
    """The numbers of `data`, drawn by matplotlib; its Axes, to go on with. `style` is that of Axes.plot or Axes.imshow.

    array  which of its arrays; without it the first that is not a distance or a single number
    head   of an array [heads, queries, keys]
    ax     the Axes to draw on; without it new ones
    """
    pyplot = _module("matplotlib.pyplot", "draw with render()")
    made, facts = _asked(quantity, scene, model, settings, None)
    along = next((name for name in ("delta", "distance") if name in made), None)
    of = array or next((name for name, values in made.items() if name != along and values.ndim > 0), "")
    if of not in made or made[of].ndim == 0:
        raise Error(f"{array or quantity} cannot be drawn: {quantity} has {', '.join(made)}. Choose an array of several numbers.",
                    2)
    values, axes, units = made[of], facts.get("axes", {}).get(of, []), facts.get("units", {})

    def named(name: str) -> str:
        return f"{name} ({units[name]})" if name in units else name

    if ax is None:
        ax = pyplot.subplots()[1]
    while values.ndim > 2:
        if not 0 <= head < len(values):
            raise Error(f"There is no head {head}. Choose one from 0 to {len(values) - 1}.", 2)
        values, axes = values[head], axes[1:]
    if values.ndim == 1:
        x = made[along] if along and made[along].shape == values.shape else range(len(values))
        ax.plot(x, values, **{"label": of, **style})
        ax.set_xlabel(named(along) if along else axes[0] if axes else "index")
        ax.set_ylabel(named(of))
    else:
        image = ax.imshow(values, **{"aspect": "auto", "interpolation": "nearest", **style})
        ax.figure.colorbar(image, ax=ax, label=named(of))
        rows, columns = axes if len(axes) == 2 else ("row", "column")
        ax.set_ylabel(rows)
        ax.set_xlabel(columns)
    return ax


class Report:
    """The record of `posiscope check --json`, its members as attributes: `verdict` is "right", "noisy", "wrong" or "unknown",
    `findings` a list of dictionaries with sentence, values and whether they are wrong; `pairs`, `positions`, `noise` and
    `largest_difference` of a table are numbers. `slips` has the names of what is wrong, `nearest` the sentence of the known thing
    that comes nearest ("" where none does), `notes` sentences beside the verdict. Position ids have a record for each row, `rows`.
    Printed it is the report in sentences. True where nothing is wrong."""

    def __init__(self, facts: Union[dict[str, Any], list[dict[str, Any]]], notes: Sequence[str] = ()):
        self.facts = facts
        self.rows: list[dict[str, Any]] = facts if isinstance(facts, list) else [facts]
        verdicts = {row["verdict"] for row in self.rows}
        self.verdict: str = next((one for one in ("wrong", "unknown", "noisy", "right") if one in verdicts), "right")
        self.slips: list[str] = []
        self.notes: list[str] = list(notes)
        self.nearest = ""
        for row in self.rows:
            self.notes += [one["sentence"] for one in row.get("notes", [])]
            self.notes += [one["sentence"] for kind in row.get("kinds", []) for one in kind["findings"] if one["severity"] == "note"]
            known = [row["what"]] if row.get("what", {}).get("name", "unknown") != "unknown" else row.get("answers", [])
            self.nearest = self.nearest or next((one["sentence"] for one in known), "")
            self.slips += [one["name"] for one in row.get("findings", []) if one["wrong"]]
            self.slips += [one["name"][5:] for one in row.get("answers", []) if one["name"].startswith("slip.")]
            self.slips += [one["name"] for kind in row.get("kinds", []) for one in kind["findings"] if one["severity"] == "wrong"]

    def __getattr__(self, name: str) -> Any:
        facts = self.__dict__.get("facts")
        if isinstance(facts, dict) and name in facts:
            return facts[name]
        raise AttributeError(f"this report has no {name}")

    def __dir__(self) -> list[str]:
        return [*{*super().__dir__(), *(self.facts if isinstance(self.facts, dict) else ())}]

    def __bool__(self) -> bool:
        return self.verdict in ("right", "explained")

    def __str__(self) -> str:
        if isinstance(self.facts, dict):
            return str(self.facts.get("text", "")).strip()
        return "\n".join((f"Row {n}: " if len(self.rows) > 1 else "") +
                         (" ".join(answer["sentence"] for answer in row.get("answers", [])) or row.get("text", "").strip() or
                          "No rule explains these ids.")
                         for n, row in enumerate(self.rows))

    def __repr__(self) -> str:
        return str(self)


def check(table: Any, config: Optional[Named] = None, *, after: Any = None, ids: Any = None, mask: Any = None, axes: str = "",
          tolerance: Union[float, tuple[float, float], None] = None, kind: str = "", name: str = "table", layer: Union[int, str] = "",
          tensor: str = "") -> Report:
    """What a dump is, measured, and what is wrong with it (`posiscope check`).

    table      cos or sin [positions, pairs or head_dim], both [positions, head_dim] or [positions, pairs, 2], inverse
               frequencies [pairs], q or k before rotation, a bias [heads, n, n], position ids: an array, a torch tensor, nested
               lists, or the path of a file; the path of a config.json has its settings judged.
    after      a second array: sin beside cos, q or k after rotation, keys of a later step, the same of another program
    ids        the position of each row; a list for each axis
    mask       1 of a token and 0 of a pad, whose position is free
    axes       of the array, a letter each: b entries, h heads, n rows, d columns, 2 cosine and sine
    tolerance  the difference that counts as none: absolute, or absolute and relative
    kind       "table", "cos-sin", "rotation" or "cache": what two arrays are
    name       "cos" or "sin" says which of them the table should be.
    layer      of the config: a number, or a kind such as "sliding_attention"
    tensor     which array of a file of several.
    """
    with _Call() as call:
        def path_of(array: Any, word: str) -> str:
            path = os.fspath(array) if isinstance(array, (str, os.PathLike)) else _save(array, call.path(f"{word}.npy"))[0]
            return os.path.join(os.curdir, path) if path.startswith("-") else path  # a file's name, no option

        words = ["check", path_of(table, name)] + ([] if after is None else [path_of(after, "after")])
        words += ["--json", *call.named("--config", config, "config.json")]
        for option, given in (("--ids", ids), ("--mask", mask)):
            if given is not None:
                words += [option, path_of(given, option[2:])]
        if tolerance is not None:
            words += ["--tolerance", ",".join(map(str, tolerance)) if isinstance(tolerance, tuple) else str(tolerance)]
        for option, word in (("--axes", axes), ("--as", kind), ("--layer", layer), ("--tensor", tensor)):
            words += [] if word == "" else [option, str(word)]
        said, notes = call.said(words, (0, 1, 4, 5))
        if not said:  # the file was refused
            call.run(words)
    return Report(json.loads(said), notes.decode("utf-8", "replace").splitlines())


class Picture:
    """`data` are the bytes of a .png or .svg; a notebook shows it."""

    def __init__(self, data: bytes, kind: str):
        self.data, self.kind = data, kind

    def save(self, path: "Union[str, os.PathLike[str]]") -> None:
        pathlib.Path(path).write_bytes(self.data)

    def _repr_png_(self) -> Optional[bytes]:
        return self.data if self.kind == "png" else None

    def _repr_svg_(self) -> Optional[str]:
        if self.kind != "svg":
            return None
        # Names inside an SVG are the whole notebook's: another picture would be drawn with the letters of the first.
        mark = hashlib.sha256(self.data).hexdigest()[:12]
        svg = self.data.decode("utf-8")
        return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>p{mark}-", svg[svg.index("<svg"):])  # no declaration inside a page


def render(scene: Optional[Named] = None, *, model: Optional[Named] = None, settings: Optional[Mapping[str, Any]] = None,
           figure: str = "", bench: str = "", size: Union[tuple[int, int], str, None] = None, theme: str = "",
           plain: bool = False, bare: bool = False, font: str = "", letters: Optional[float] = None, kind: str = "svg",
           style: Optional[Named] = None, curves: Sequence[str] = ()) -> Picture:
    """A figure (`posiscope list figures`) or a bench as a picture.

    size    width and height in points of 1/96 inch, or with a unit, "3.3x2.4in"; without it the style's, or 960 x 600
    theme   "light", "dark" or "print"; without it the style's, or light
    kind    "svg", which a notebook shows, "pdf", or "png", which also stays in the pages that nbconvert makes, and needs OpenGL
    plain   leaves out title and headline
    bare    also the marks of the selected position, offset and pair
    font    "serif" or the path of a font file, for words and numbers; letters their size in points of 1/72 inch
    style   all of that at once, and colours and line weights: a dictionary, or the path of such a file (manual, Figures for a paper)
    curves  of scores or spectrum, "LABEL: KEY=VALUE …" for each
    """
    with _Call() as call:
        output = call.folder / f"picture.{kind}"
        styled = call.named("--style", style, "style.json")
        words = ["render", *call.scene(scene, model, settings), "-o", str(output), *styled]
        for curve in curves:
            words += ["--curve", curve]
        if size is None and not styled:
            size = (960, 600)
        for option, value in (("--figure", figure), ("--bench", bench), ("--font", font),
                              ("--size", size if isinstance(size, str) else f"{size[0]}x{size[1]}" if size else ""),
                              ("--theme", theme or ("" if styled else "light")),
                              ("--letters", "" if letters is None else str(letters))):
            words += [option, value] if value else []
        call.run(words + (["--bare"] if bare else ["--plain"] if plain else []))
        return Picture(output.read_bytes(), kind)


class Frame:
    """The page on a scene: a notebook shows it in a frame, and `address` opens it in a browser of this machine. It is there for as
    long as the kernel runs, and its numbers leave this machine as little as the window's."""

    def __init__(self, address: str, height: int):
        self.address, self.height = address, height

    def _repr_html_(self) -> str:
        return f'<iframe src="{html.escape(self.address)}" width="100%" height="{self.height}" style="border:0" ' \
               f'allow="clipboard-read; clipboard-write; fullscreen" title="Posiscope"></iframe>'

    def __repr__(self) -> str:
        return self.address.split("#")[0]


def _page() -> Optional[pathlib.Path]:
    """The folder of the page: $POSISCOPE_PAGE, else the wheel's own."""
    folder = pathlib.Path(os.environ.get("POSISCOPE_PAGE") or pathlib.Path(__file__).parent / "page")
    return folder if (folder / "index.html").exists() else None


class _Served(http.server.SimpleHTTPRequestHandler):
    """Gives who knows `secret` the page, and beneath given/ the arrays that it shows."""

    secret = secrets.token_urlsafe(16)
    given = pathlib.Path()
    directory: str
    extensions_map = {"": "application/octet-stream", ".html": "text/html", ".js": "text/javascript", ".css": "text/css",
                      ".svg": "image/svg+xml", ".png": "image/png", ".wasm": "application/wasm", ".json": "application/json",
                      ".webmanifest": "application/manifest+json"}

    def translate_path(self, path: str) -> str:
        parts = [urllib.parse.unquote(part) for part in path.split("?")[0].split("/")[1:]]
        if parts == [self.secret, ""]:
            parts[1] = "index.html"
        if parts[0] != self.secret or len(parts) < 2 or any(part in ("", ".", "..") or os.sep in part for part in parts):
            return os.devnull + "/none"
        return str(self.given.joinpath(*parts[2:]) if parts[1] == "given" else pathlib.Path(self.directory).joinpath(*parts[1:]))

    def list_directory(self, path: Any) -> None:
        self.send_error(404)

    def log_message(self, *_: Any) -> None:  # a notebook is no log
        pass


@functools.lru_cache(maxsize=None)
def _server(page: pathlib.Path, port: int) -> str:
    """Serves the page to this machine alone, and gives its address."""
    if _Served.given == pathlib.Path():
        _Served.given = pathlib.Path(tempfile.mkdtemp(prefix="posiscope-"))
        atexit.register(shutil.rmtree, _Served.given, ignore_errors=True)
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(_Served, directory=str(page)))
    except OSError as error:
        raise Error(f"Port {port} cannot be served on: {error.strerror}. Give another one, or 0 for any that is free.", 2)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/{_Served.secret}/"


def _in_notebook() -> bool:
    """IPython's shell of a notebook, and not that of a terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ not in ("NoneType", "TerminalInteractiveShell")


def _framed(call: _Call, words: Sequence[str], scene: dict[str, Any], figure: str, height: int, port: int,
            page: pathlib.Path) -> Frame:
    """The whole scene, with the model's numbers, as the program reads it, in the address of a page."""
    address = _server(page, port)
    whole = json.loads(call.run(["data", "frequencies", *words]))["scene"]
    names = []
    for word in ("query", "key"):
        made = pathlib.Path(scene["content"][word])
        names.append(f"{word}-{secrets.token_hex(4)}.npy")
        shutil.move(str(made), _Served.given / names[-1])
        whole["content"][word] = names[-1]
    link = "#scene=" + urllib.parse.quote(json.dumps(whole, separators=(",", ":")), safe=":,")
    if figure:
        link += "&figure=" + figure
    return Frame(f"{address}?given={','.join(names)}{link}", height)


def _shown(call: _Call, q: Any, k: Any, tokens: Optional[Sequence[str]], config: Optional[Named],
           rotated_by: Optional[Mapping[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """The scene of q and k, and the words that name it; an Error where the program cannot show it."""
    content: dict[str, Any] = {"kind": "tensors", "axes": "head_position"}
    shapes = []
    for word, array in (("query", q), ("key", k)):
        content[word], shape = _save(array, call.path(f"{word}.npy"), finite=True)
        shapes.append(shape)
        if len(shape) != 3:
            raise Error(f"{word} has {len(shape)} dimensions. Give [heads, positions, head_dim].", 2)
    if tokens is not None:
        content["text"] = list(tokens)
    if rotated_by is not None:
        content["rotated_by"] = dict(rotated_by)
    heads, positions, head_dim = shapes[0]
    scene: dict[str, Any] = {"content": content, "bench": "attention", "length": positions, "num_heads": heads,
                             "head_dim": head_dim, "d_model": heads * head_dim}
    if config is None:
        scene.update(encoding="rope", base=10000, layout="half")
    words = [*call.named("--model", config, "config.json"), "-s", call.file(scene, "scene.json")]
    call.run(["data", "attention", *words, "--head", "0", "--rows", "0:1", "-o", "-.npz"])
    return scene, words


def _window(call: _Call, words: Sequence[str]) -> "subprocess.Popen[bytes]":
    """The folder stays for as long as the window may read it; an Error where no window comes."""
    with open(call.path("said"), "wb") as said:
        window = subprocess.Popen([program(), *words, "--lang", "en"], stderr=said)
    try:
        code = window.wait(timeout=1.0)
    except subprocess.TimeoutExpired:
        return window
    if code != 0:
        raise Error(call.path("said").read_text(encoding="utf-8", errors="replace").strip(), code)
    return window


def show(q: Any, k: Any, *, tokens: Optional[Sequence[str]] = None, config: Optional[Named] = None,
         rotated_by: Optional[Mapping[str, Any]] = None, figure: str = "", size: tuple[int, int] = (960, 600), kind: str = "png",
         port: int = 0) -> Union[Frame, Picture, "subprocess.Popen[bytes]"]:
    """A model's q and k [heads, positions, head_dim]: in a notebook as the page in a frame (a release's wheel brings the page, and
    POSISCOPE_PAGE names another's folder), elsewhere in the window, and where there is no display as a picture.

    q           [heads, positions, head_dim], k [key heads, positions, head_dim]; fewer key heads are shared, as in GQA
    tokens      the words at the positions [positions]
    config      the model they are of; without it RoPE of base 10000 in halves
    rotated_by  how they were rotated already, {"encoding": "rope", "base": 10000, "layout": "half"}; it is undone
    figure      of the frame and the picture: this one alone; without it the attention bench, and attention as a picture
    size, kind  of the picture, as of render; the frame has its height
    port        of the frame's page on this machine, for a notebook over SSH: ssh -L 8765:localhost:8765 and port=8765
    """
    call = _Call()
    try:
        if figure:  # a name that is none is refused here, and not by a picture of a sentence
            call.run(["render", "--figure", figure, "-o", str(call.path("tried.svg")), "--size", "40x30"])
        scene, words = _shown(call, q, k, tokens, config, rotated_by)
        page = _page() if _in_notebook() else None
        if page is None and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            return _window(call, words)
    except BaseException:
        call.__exit__()
        raise
    with call:
        if page is not None:
            return _framed(call, words, scene, figure, size[1], port, page)
        output = call.folder / f"picture.{kind}"
        call.run(["render", *words, "--figure", figure or "attention", "-o", str(output), "--size", f"{size[0]}x{size[1]}"])
        return Picture(output.read_bytes(), kind)


class Captured:
    """q and k of one layer [heads, positions, head_dim]: `q`, `k` before rotation, `rotated_q`, `rotated_k` as attention receives
    them; None where it does not call torch's scaled_dot_product_attention."""

    def __init__(self) -> None:
        self.q: Any = None
        self.k: Any = None
        self.rotated_q: Any = None
        self.rotated_k: Any = None


def capture(layer: Any, model: Any, inputs: Any, *, head_dim: int) -> Captured:
    """Runs model(**inputs), or model(inputs), once and keeps the q and k of `layer`, a module with q_proj and k_proj; after its
    q_norm and k_norm where it has them, as they are rotated. Of a batch the first sequence."""
    torch = importlib.import_module("torch")
    made, inside = Captured(), [False]

    def heads(projected: Any) -> Any:
        one = projected.detach()[0]
        return one.reshape(one.shape[0], -1, head_dim).transpose(0, 1)

    def keep(name: str) -> Any:
        return lambda _, __, output: setattr(made, name, heads(output))

    def keep_normed(name: str) -> Any:
        def hook(_: Any, given: Any, output: Any) -> None:
            plain, before, after = getattr(made, name), given[0].detach()[0], output.detach()[0]
            if plain is None:
                return
            if before.dim() == 2:  # [positions, all heads]
                setattr(made, name, heads(output))
            elif before.shape == plain.shape and torch.equal(before, plain):
                setattr(made, name, after)
            elif torch.equal(before.transpose(0, 1), plain):  # [positions, heads, head_dim]
                setattr(made, name, after.transpose(0, 1))
            else:
                raise Error(f"The layer's {name}_norm is given something else than {name}_proj makes.", 2)
        return hook

    original = torch.nn.functional.scaled_dot_product_attention \
        if hasattr(torch.nn.functional, "scaled_dot_product_attention") else None

    def attention(query: Any, key: Any, *rest: Any, **named: Any) -> Any:
        if inside[0]:
            made.rotated_q, made.rotated_k = query.detach()[0], key.detach()[0]
        return original(query, key, *rest, **named)

    hooks = [
        layer.q_proj.register_forward_hook(keep("q")),
        layer.k_proj.register_forward_hook(keep("k")),
        layer.register_forward_pre_hook(lambda *_: inside.__setitem__(0, True)),
        layer.register_forward_hook(lambda *_: inside.__setitem__(0, False)),
    ]
    for name in ("q", "k"):
        norm = getattr(layer, f"{name}_norm", None)
        if norm is not None:
            hooks.append(norm.register_forward_hook(keep_normed(name)))
    try:
        if original is not None:
            torch.nn.functional.scaled_dot_product_attention = attention
        with torch.no_grad():
            model(**inputs) if isinstance(inputs, Mapping) else model(inputs)
    finally:
        for hook in hooks:
            hook.remove()
        if original is not None:
            torch.nn.functional.scaled_dot_product_attention = original
    if made.q is None or made.k is None:
        raise Error("The layer was not run, or its q_proj and k_proj were not. Give the attention module of a layer.", 2)
    return made
