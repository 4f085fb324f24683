"""Writes an .ico of the sizes that Windows shows, halved from a square PNG of 512 pixels: icon.py FROM.png TO.ico"""
import struct
import sys
import zlib


def read(path):
    data = open(path, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += size + 12
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert (width, depth, colour, interlaced) == (height, 8, 6, 0), "a square of RGBA, not interlaced"
        elif kind == b"IDAT":
            packed += body
    raw, row, rows = zlib.decompress(packed), bytearray(4 * width), []
    for y in range(height):
        kind, line = raw[y * (4 * width + 1)], bytearray(raw[y * (4 * width + 1) + 1:(y + 1) * (4 * width + 1)])
        for i in range(len(line)):
            a, b, c = (line[i - 4] if i > 3 else 0), row[i], (row[i - 4] if i > 3 else 0)
            p = a + b - c
            near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = (line[i] + (0, a, b, (a + b) // 2, near)[kind]) & 255
        rows.append(line)
        row = line
    return rows


def halved(rows):
    side = len(rows) // 2
    result = []
    for y in range(side):
        line = bytearray(4 * side)
        for x in range(side):
            four = [rows[2 * y + dy][8 * x + 4 * dx:8 * x + 4 * dx + 4] for dy in (0, 1) for dx in (0, 1)]
            alpha = sum(one[3] for one in four)
            for i in range(3):
                line[4 * x + i] = round(sum(one[i] * one[3] for one in four) / alpha) if alpha else 0
            line[4 * x + 3] = round(alpha / 4)
        result.append(line)
    return result


def png(rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    side = len(rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)) + chunk(b"IEND", b""))


rows, pictures = read(sys.argv[1]), []
while len(rows) > 16:
    rows = halved(rows)
    pictures.append((len(rows), png(rows)))
with open(sys.argv[2], "wb") as out:
    out.write(struct.pack("<HHH", 0, 1, len(pictures)))
    at = 6 + 16 * len(pictures)
    for side, picture in pictures:
        out.write(struct.pack("<BBBBHHII", side & 255, side & 255, 0, 0, 1, 32, len(picture), at))
        at += len(picture)
    for _, picture in pictures:
        out.write(picture)
