"""The part of Markdown that the manual uses, as HTML: headings, paragraphs, lists, tables, code, formulas, links and pictures."""
import html
import re

import mathml


def spans(text: str) -> str:
    """The inside of a paragraph."""
    codes = []

    def keep(found) -> str:
        codes.append(f"<code>{html.escape(found.group(1), quote=False)}</code>")
        return f"\0{len(codes) - 1}\0"

    def keep_formula(found) -> str:
        codes.append(mathml.words(found.group(0)))
        return f"\0{len(codes) - 1}\0"

    text = re.sub(r"`([^`]+)`", keep, text)
    text = re.sub(r"\$[^$]+\$", keep_formula, text)
    text = html.escape(text, quote=False)
    text = re.sub(r"!\[([^\]]*)\]\(([^)]+)\)", r'<img src="\2" alt="\1" loading="lazy">', text)
    text = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)
    return re.sub("\0([0-9]+)\0", lambda found: codes[int(found.group(1))], text)


def row(line: str, cell: str) -> str:
    cells = [(one.strip(), cell if one.strip() else "td") for one in line.strip().strip("|").split("|")]
    return "<tr>" + "".join(f"<{kind}>{spans(text)}</{kind}>" for text, kind in cells) + "</tr>"


def table(lines: list) -> str:
    head = row(lines[0], "th") if lines[0].strip("| ") else ""
    return "<table>" + (f"<thead>{head}</thead>" if head else "") + \
        "<tbody>" + "".join(row(line, "td") for line in lines[2:]) + "</tbody></table>"


def page(text: str) -> str:
    made = []
    for block in blocks(text):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith("```"):
            made.append('<pre tabindex="0"><code>' + html.escape("\n".join(lines[1:-1]), quote=False) + "</code></pre>")
        elif heading := re.match(r"(#+) (.*)", lines[0]):
            level = len(heading.group(1))
            made.append(f"<h{level}>{spans(heading.group(2))}</h{level}>")
        elif lines[0].startswith("|"):
            made.append(table(lines))
        elif lines[0].startswith("- "):
            items = re.split(r"\n- ", "\n" + "\n".join(lines))[1:]
            made.append("<ul>" + "".join(f"<li>{spans(joined(item.split(chr(10))))}</li>" for item in items) + "</ul>")
        else:
            made.append(f"<p>{spans(joined(lines))}</p>")
    return "\n".join(made)


def joined(lines: list) -> str:
    """Lines of a paragraph; between Chinese characters a line's end is no space."""
    text = " ".join(line.strip() for line in lines)
    return re.sub("(?<=[\u3000-\uffff]) (?=[\u3000-\uffff])", "", text)


def blocks(text: str) -> list:
    """Split at empty lines and around code, which may have empty lines."""
    found = []
    for i, part in enumerate(re.split(r"(?ms)^(```.*?^```)$", text)):
        found += [part] if i % 2 else [one for one in re.split(r"\n{2,}", part) if one.strip()]
    return [one for block in found for one in ([block] if block.startswith("```") else pieces(block))]


def pieces(block: str) -> list:
    """A block whose lines change their kind, in pieces of one kind each."""
    made, kind = [], None
    for line in block.strip("\n").split("\n"):
        now = "table" if line.startswith("|") else "list" if line.startswith("- ") or kind == "list" and line.startswith("  ") \
            else "heading" if line.startswith("#") else "text"
        if now == kind and now != "heading":
            made[-1] += "\n" + line
        else:
            made.append(line)
        kind = now
    return made
