"""Lists the characters before Chinese that the program writes itself: shown.py OUT FILE...

FILE: its texts and its sources. A page has only these; the rest comes when somebody types it.
"""
import re
import sys
from pathlib import Path

FIRST_CHINESE = 0x2E80

characters = set()
for name in sys.argv[2:]:
    text = Path(name).read_text(encoding="utf-8")
    escaped = (chr(int(code, 16)) for code in re.findall(r"(?:\\u|0x)([0-9a-fA-F]{4})\b", text))
    characters |= {c for c in (*text, *escaped) if " " <= c < chr(FIRST_CHINESE)}

out = Path(sys.argv[1])
shown = "".join(sorted(characters))
# Untouched where nothing changed, or every change of a source would cut the fonts anew.
if not out.exists() or out.read_text(encoding="utf-8") != shown:
    out.write_text(shown, encoding="utf-8")
