"""The program's arrays: what `posiscope data -o -.npz` writes, and .npy files for it to read."""
from __future__ import annotations

import array as plain
import ast
import importlib
import json
import math
import pathlib
import struct
from typing import Any, Sequence

from ._program import Error


def numpy() -> Any:
    try:
        return importlib.import_module("numpy")
    except ImportError:
        return None


def _nested(values: Sequence[float], shape: Sequence[int]) -> Any:
    """NaN as None: nothing is there."""
    if not shape:
        return None if math.isnan(values[0]) else values[0]
    step = len(values) // shape[0] if shape[0] else 0
    return [_nested(values[at * step:(at + 1) * step], shape[1:]) for at in range(shape[0])]


def _read(npy: memoryview) -> Any:
    """One array of float64. NumPy's is where it lies, without a copy."""
    wide = npy[6] > 1
    first = 12 if wide else 10
    length = struct.unpack_from("<I" if wide else "<H", npy, 8)[0]
    shape = ast.literal_eval(bytes(npy[first:first + length]).decode("latin-1").strip())["shape"]
    values = npy[first + length:]
    library = numpy()
    if library is not None:
        return library.frombuffer(values, "<f8").reshape(shape)
    numbers = plain.array("d")
    numbers.frombytes(values)
    return _nested(numbers, shape)


def read(archive: bytearray) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arrays of an archive by name, and its facts: {"units": …, "axes": …, "scene": …}."""
    made, at, whole = {}, 0, memoryview(archive)
    while archive[at:at + 4] == b"PK\x03\x04":
        name, extra = struct.unpack_from("<HH", archive, at + 26)
        size = struct.unpack_from("<Q", archive, at + 30 + name + 4)[0]
        first = at + 30 + name + extra
        made[archive[at + 30:at + 30 + name].decode()[:-4]] = _read(whole[first:first + size])
        at = first + size
    comment = archive[archive.rindex(b"PK\x05\x06") + 22:]
    return made, json.loads(comment) if comment else {}


def save(array: Any, path: pathlib.Path, finite: bool = False) -> tuple[str, tuple[int, ...]]:
    """An array, a torch tensor or nested lists as .npy; its path and shape. bfloat16 becomes float32, which holds it exactly. With
    `finite` an Error where a number is NaN or infinite."""
    if hasattr(array, "detach"):
        array = array.detach().cpu()
        array = (array.float() if str(array.dtype) == "torch.bfloat16" else array).numpy()
    library = numpy()
    if library is not None:
        foreign = hasattr(array, "__dlpack__") and not hasattr(array, "__array__")
        try:
            made = library.from_dlpack(array) if foreign else library.asarray(array)
        except ValueError:
            raise Error("The lists of an array have different lengths. Give every row as many numbers.", 2) from None
        if str(made.dtype) == "bfloat16":  # of ml_dtypes, as JAX has it
            made = made.astype("f4")
        if made.dtype.kind not in "biufc":
            raise Error(f"{path.stem} has elements of the type {made.dtype}. Give numbers.", 2)
        if finite and made.dtype.kind == "f" and not library.isfinite(made).all():
            raise Error(f"{path.stem} has numbers that are not finite. Give it without NaN and infinity.", 1)
        library.save(path, made)
        return str(path), made.shape
    shape: list[int] = []
    flat = array
    while isinstance(flat, (list, tuple)):
        shape.append(len(flat))
        flat = flat[0] if flat else None
    values: list[float] = []

    def walk(part: Any, level: int) -> None:
        if level == len(shape):
            values.append(float(part))
            return
        if not isinstance(part, (list, tuple)) or len(part) != shape[level]:
            raise Error("The lists of an array have different lengths. Give every row as many numbers.", 2)
        for one in part:
            walk(one, level + 1)

    walk(array, 0)
    text = repr({"descr": "<f8", "fortran_order": False, "shape": tuple(shape)})
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() +
                     struct.pack(f"<{len(values)}d", *values))
    return str(path), tuple(shape)
