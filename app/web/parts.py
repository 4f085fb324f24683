"""The parts that the build made, as the page takes them."""
import pathlib
import re


def content(path: pathlib.Path) -> bytes:
    """The bytes of a part; a script without its indents, and without the lines and blocks that are comments alone."""
    raw = path.read_bytes()
    if path.suffix != ".js":
        return raw
    text = re.sub(r"^[ \t]*(//.*)?\n|^[ \t]+", "", raw.decode("utf-8"), flags=re.M)
    return re.sub(r"^/\*.*?\*/\n", "", text, flags=re.M | re.S).encode("utf-8")
