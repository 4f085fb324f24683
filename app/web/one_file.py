#!/usr/bin/env python3
"""The page as one file that opens from a disk: one_file.py PARTS OUT.

A page that was not served may fetch nothing, so program and fonts travel inside, as gzip in text; the browser unpacks
them. Two characters of 91 hold 13 bits, where base64 has 12. Such a page has no Content-Security-Policy: everything in it
is its own.
"""
import base64
import gzip
import pathlib
import re
import sys

import parts


# All that is printed in ASCII but for what ends a string or a script.
LETTERS = "".join(letter for letter in map(chr, range(0x21, 0x7F)) if letter not in '"\\<')
PAIRS = [LETTERS[number % 91] + LETTERS[number // 91] for number in range(8192)]


def packed(path: pathlib.Path) -> str:
    """The arguments of unpacked(): the number of bytes, and their text."""
    raw = gzip.compress(parts.content(path), 9, mtime=0)
    text = []
    for at in range(0, len(raw), 13):  # 13 bytes are 8 pairs
        bits = int.from_bytes(raw[at:at + 13], "little")
        text.extend(PAIRS[bits >> shift & 8191] for shift in range(0, 104, 13))
    return f'{len(raw)}, "{"".join(text)}"'


def main() -> None:
    folder, out = map(pathlib.Path, sys.argv[1:])
    shell = pathlib.Path(__file__).parent / "shell"
    page = (shell / "index.html").read_text(encoding="utf-8")
    css = (shell / "page.css").read_text(encoding="utf-8")
    script = (shell / "page.js").read_text(encoding="utf-8")
    assert script.endswith("// The program follows.\n")
    script = script.replace("</script", "<\\/script")
    late = sorted(path for kind in ("fonts", "experiments", "strings", "vector") for path in folder.glob(f"{kind}/*"))
    late += [folder / "posiscope.wasm", folder / "posiscope.js"]
    inside = ",\n".join(f'"{path.relative_to(folder).as_posix()}": [{packed(path)}]' for path in late)
    script = f"""<script>
async function unpacked(size, text) {{
  const bytes = new Uint8Array(size), number = new Uint8Array(128);
  {LETTERS!r}.split('').forEach(function (letter, i) {{ number[letter.charCodeAt(0)] = i; }});
  for (let from = 0, to = 0, bits = 0, held = 0; to < size; bits >>>= 8, held -= 8) {{
    if (held < 8) {{
      bits |= number[text.charCodeAt(from)] + 91 * number[text.charCodeAt(from + 1)] << held;
      from += 2;
      held += 13;
    }}
    bytes[to++] = bits;
  }}
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}}
const inside = {{
{inside}
}};
(async function (Module) {{
{script}
try {{
  const program = new TextDecoder().decode(await Module.inside('posiscope.js'));
  new Function('Module', program)(Module);
}} catch (error) {{
  Module.page.fail(String(error));
}}
}})({{ inside: function (name) {{ return unpacked(...inside[name]); }} }});
</script>"""
    page = re.sub(r'<(meta http-equiv="Content-Security-Policy"|link rel="(preload|manifest|apple-touch-icon)"'
                  r'|meta (property="og:image"|name="twitter:card"))[^>]*>\n', "", page)
    for name, kind in (("still.png", "image/png"), ("icon.svg", "image/svg+xml")):
        page = page.replace(f'"{name}"', f'"data:{kind};base64,{base64.b64encode((shell / name).read_bytes()).decode()}"')
    page = page.replace('<link rel="stylesheet" href="page.css">', f"<style>\n{css}</style>")
    page = page.replace('<script src="page.js"></script>\n<script src="posiscope.js"></script>', script)
    out.write_text(page, encoding="utf-8")


main()
