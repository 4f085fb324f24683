#!/usr/bin/env python3
"""A page of pictures that come alive when clicked: gallery.py GALLERY PAGE OUT.

GALLERY has scenes (*.json) and the picture of each (*.png); PAGE is build/web/page, which is copied beside them. The
same two lines, an image and an iframe with the scene in its address, are what a course page or a README embeds.
"""
import html
import json
import pathlib
import shutil
import sys
import urllib.parse

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; frame-src 'self'">
<title>Posiscope: gallery</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="gallery.css">
</head>
<body>
<h1>Posiscope</h1>
<p>Click a picture to drag its positions. 单击图片即可拖动其中的位置。</p>
"""

CSS = """body { max-width: 1180px; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222; background: #fff; }
.scene { margin: 2em 0; }
.scene button { display: block; width: 100%; padding: 0; border: 0; background: none; cursor: pointer; }
.scene img, .scene iframe { display: block; width: 100%; height: auto; border: 0; }
.scene iframe { aspect-ratio: 1180 / 760; }
"""

SCRIPT = """'use strict';
for (const button of document.querySelectorAll('.scene button'))
  button.addEventListener('click', function () {
    const frame = document.createElement('iframe');
    frame.src = button.dataset.page;
    frame.title = button.querySelector('img').alt;
    frame.allow = 'clipboard-write';
    button.replaceWith(frame);
  });
"""


def link(scene: dict) -> str:
    text = json.dumps({**scene, "version": scene.get("version", 1)}, separators=(",", ":"), ensure_ascii=False)
    return "#scene=" + urllib.parse.quote(text, safe="-_.~:,")


def main() -> None:
    gallery, page, out = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(page, out / "page")
    body = HEAD
    for file in sorted(gallery.glob("*.json")):
        scene = json.loads(file.read_text(encoding="utf-8"))
        shutil.copy(file.with_suffix(".png"), out)
        address = "page/?controls=position,offset" + link(scene)
        name = html.escape(file.stem)
        body += (f'<figure class="scene"><button data-page="{html.escape(address)}">'
                 f'<img src="{name}.png" alt="{name}"></button><figcaption>{name}</figcaption></figure>\n')
    (out / "index.html").write_text(body + '<script src="gallery.js"></script>\n</body>\n</html>\n', encoding="utf-8")
    (out / "gallery.css").write_text(CSS, encoding="utf-8")
    (out / "gallery.js").write_text(SCRIPT, encoding="utf-8")


main()
