"""Lists the characters that the Chinese font must draw: glyphs.py OUT [TEXT...]

All of GB 2312 level 1, the 3755 commonest characters, so that what people type can be read too,
and every character past ASCII in the given texts (strings, lessons).
"""

import sys
from pathlib import Path

# Level 1 fills rows 16 to 55 of GB 2312; row 55 ends after 89 characters.
characters = {
    bytes([0xA0 + row, 0xA0 + column]).decode("gb2312")
    for row in range(16, 56)
    for column in range(1, 95 if row < 55 else 90)
}
assert len(characters) == 3755

for text in sys.argv[2:]:
    characters |= {c for c in Path(text).read_text(encoding="utf-8") if ord(c) > 0x7F}

Path(sys.argv[1]).write_text("".join(sorted(characters)), encoding="utf-8")
