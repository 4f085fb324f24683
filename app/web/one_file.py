#!/usr/bin/env python3
"""The page as one file that opens from a disk: one_file.py FOLDER OUT.

A page that was not served may fetch nothing, so program and fonts travel inside, as gzip and base64; the browser
unpacks them. Such a page has no Content-Security-Policy: everything in it is its own.
"""
import base64
import gzip
import pathlib
import re
import sys


def packed(path: pathlib.Path) -> str:
    return base64.b64encode(gzip.compress(path.read_bytes(), 9, mtime=0)).decode()


def main() -> None:
    folder, out = map(pathlib.Path, sys.argv[1:])
    page = (folder / "index.html").read_text(encoding="utf-8")
    css = (folder / "page.css").read_text(encoding="utf-8")
    program = "\n".join((folder / name).read_text(encoding="utf-8") for name in ("page.js", "posiscope.js"))
    program = program.replace("</script", "<\\/script")
    late = sorted(path for kind in ("fonts", "experiments", "strings", "vector") for path in folder.glob(f"{kind}/*"))
    inside = ",\n".join(f'"{path.relative_to(folder).as_posix()}": "{packed(path)}"' for path in late)
    script = f"""<script>
async function unpacked(text) {{
  const bytes = Uint8Array.from(atob(text), function (c) {{ return c.charCodeAt(0); }});
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}}
const inside = {{
{inside}
}};
function start(Module) {{
{program}
}}
unpacked("{packed(folder / 'posiscope.wasm')}").then(function (program) {{
  start({{ wasmBinary: program, inside: function (name) {{ return unpacked(inside[name]); }} }});
}});
</script>"""
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n', "", page)
    page = page.replace('<link rel="stylesheet" href="page.css">', f"<style>\n{css}</style>")
    page = page.replace('<script src="page.js"></script>\n<script src="posiscope.js"></script>', script)
    out.write_text(page, encoding="utf-8")


main()
