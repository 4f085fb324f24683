#!/usr/bin/env python3
"""What a server gets: publish.py PARTS OUT [ADDRESS].

PARTS is what the build made, under plain names; beside it goes app/web/shell. Here every file but the page itself gets its content into its name, so that
a browser keeps it for good and never mixes two versions; the page, its script and its service worker learn the names.
ADDRESS, where the page will be, makes the picture that chats and search engines show an address of its own.
"""
import hashlib
import json
import pathlib
import shutil
import sys

import parts as built

LATE = ("fonts", "strings", "experiments", "vector")  # folders whose files are fetched when they are needed
PLAIN = ("posiscope.webmanifest", "preview.png", "icon.svg", "icon.png", "still.png")
SHELL = pathlib.Path(__file__).parent / "shell"


def hashed(path: pathlib.Path, content: bytes) -> str:
    return f"{path.stem}-{hashlib.sha256(content).hexdigest()[:10]}{path.suffix}"


def main() -> None:
    parts, out = map(pathlib.Path, sys.argv[1:3])
    address = sys.argv[3].rstrip("/") + "/" if len(sys.argv) > 3 else ""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    names = {}

    def put(name: str, content: bytes) -> None:
        to = out / pathlib.Path(name).parent / hashed(pathlib.Path(name), content)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(content)
        names[name] = {"address": to.relative_to(out).as_posix(), "bytes": len(content)}

    for folder in LATE:
        for file in sorted((parts / folder).glob("*")):
            put(file.relative_to(parts).as_posix(), built.content(file))
    late = set(names)
    for name in ("posiscope.wasm", "posiscope.js"):
        put(name, built.content(parts / name))
    put("page.css", (SHELL / "page.css").read_bytes())
    script = (SHELL / "page.js").read_text(encoding="utf-8")
    assert script.count("/*built*/{}/*built*/") == 1
    put("page.js", script.replace("/*built*/{}/*built*/", json.dumps(names)).encode())

    page = (SHELL / "index.html").read_text(encoding="utf-8")
    for name in set(names) - late:
        assert page.count(f'"{name}"') == 1, name
        page = page.replace(f'"{name}"', f'"{names[name]["address"]}"')
    page = page.replace('content="preview.png"', f'content="{address}preview.png"')
    (out / "index.html").write_text(page, encoding="utf-8")
    for name in PLAIN:
        shutil.copy(SHELL / name, out / name)

    first = sorted(names[name]["address"] for name in set(names) - late)
    shell = ["./", *first, "icon.svg", "icon.png", "still.png", "posiscope.webmanifest"]
    content = hashlib.sha256(b"".join((out / name).read_bytes() for name in ["index.html", *shell[1:]])).hexdigest()[:10]
    worker = (SHELL / "worker.js").read_text(encoding="utf-8")
    assert worker.count("/*built*/{}/*built*/") == 1
    worker = worker.replace("/*built*/{}/*built*/", json.dumps(
        {"version": content, "shell": shell, "late": sorted(names[name]["address"] for name in late)}))
    (out / "worker.js").write_text(worker, encoding="utf-8")


main()
