"""Formulas as MathML, in the notation of app/ui/formula.hpp: those by themselves, and those between two $ in a sentence."""
import html
import re

SYMBOLS = {"omega": "ω", "phi": "φ", "Delta": "Δ", "pi": "π", "lambda": "λ", "theta": "θ", "beta": "β"}
OPERATORS = {"cdot": "·", "approx": "≈", "le": "≤", "to": "→", "times": "×"}
GREEK = "αβγδΔεθλμπρσΣφωΩψχη"
FUNCTIONS = ("sin", "cos", "tan", "exp", "ln", "log", "max", "min", "det", "rank", "sign", "softmax", "logit", "floor", "clip", "Re", "Im")
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵀ*", "0123456789−+nT*"))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₋₊ᵢₖₙₚⱼₘ", "0123456789−+iknpjm"))
OPERAND = rf"[A-Za-z0-9√∑⟨{{\\{GREEK}]"  # begins with one of these
CLOSING = {"(": ")", "[": "]", "⟨": "⟩", "|": "|", "‖": "‖"}


def tag(name: str, *inside: str) -> str:
    return f"<{name}>{''.join(inside)}</{name}>"


# Behind the name of a function that has no bracket, and before one that follows a factor: MathML itself sets none.
SPACE = '<mspace width="0.17em"></mspace>'


def row(parts: list) -> str:
    return parts[0] if len(parts) == 1 else tag("mrow", *parts)


def operator(sign: str) -> str:
    return tag("mo", html.escape(sign.replace("-", "−"), quote=False))


def with_scripts(base: str, below: str, above: str) -> str:
    if below and above:
        return tag("msubsup", base, below, above)
    return tag("msub", base, below) if below else tag("msup", base, above) if above else base


class Notation:
    def __init__(self, text: str):
        self.rest = text

    def take(self, pattern: str) -> str:
        found = re.match(pattern, self.rest)
        if not found:
            return ""
        self.rest = self.rest[found.end():]
        return found.group(0)

    def row(self, close: str = "") -> str:
        """Up to the bracket that closes, or the end of a group or a cell."""
        parts, operand = [], False  # operand: the last part is one
        while True:
            self.take(" +")
            if not self.rest or self.rest[0] in "}&" or self.rest.startswith("\\\\") or close and self.rest[0] == close and not self.opens():
                return row(parts) if parts else "<mrow></mrow>"
            if not operand and (sign := self.take("[−+±-]")):
                parts.append(operator(sign).replace("<mo>", '<mo form="prefix">'))
                continue
            made, function = self.item()
            if function and operand:
                parts.append(SPACE)
            parts.append(made)
            operand = not re.fullmatch("<mo>[^)\\]⟩|‖]*</mo>", made)

    def item(self) -> tuple:
        """An atom with its scripts, and whether it is a function."""
        base, below, above = self.atom(), "", ""
        primes = self.take("′+")
        while self.rest and (sign := self.rest[0]) in ("_", "^", *RAISED, *LOWERED):
            if sign in "_^":
                self.take(".")
                digits = self.take("[0-9]+")
                script = tag("mn", digits) if digits else self.group()
            else:
                letters = RAISED if sign in RAISED else LOWERED
                script = tag("mn", "".join(letters[c] for c in self.take(f"[{''.join(letters)}]+")))
            below, above = (script, above) if sign == "_" or sign in LOWERED else (below, script)
            primes += self.take("′+")
        if primes:
            above = row([operator(primes)] + ([above] if above else []))
        function = base in FUNCTION_TAGS
        made = with_scripts(base, below, above)
        if function and re.match(f" *([|‖]|{OPERAND})", self.rest):
            made += operator("\u2061") + SPACE
        return made, function

    def opens(self) -> bool:
        """A bar that opens is before what it encloses."""
        return self.rest[0] in CLOSING and (self.rest[0] not in "|‖" or bool(re.match(f"[−(‖]|{OPERAND}", self.rest[1:])))

    def group(self) -> str:
        if not self.rest.startswith("{"):
            return self.atom()
        self.take("{")
        inside = self.row()
        self.take("}")
        return inside

    def matrix(self) -> str:
        self.take("{")
        rows, cells = [], []
        while True:
            cells.append(tag("mtd", self.row()))
            if self.take("&"):
                continue
            rows.append(tag("mtr", *cells))
            cells = []
            if not self.take(r"\\\\"):
                break
        self.take("}")
        return tag("mrow", operator("["), tag("mtable", *rows), operator("]"))

    def command(self) -> str:
        if self.take(r"\\,"):
            return SPACE
        name = self.take(r"\\[A-Za-z]+")[1:]
        if not name:
            raise ValueError(f"not a formula: {self.rest}")
        if name == "frac":
            return tag("mfrac", self.group(), self.group())
        if name == "matrix":
            return self.matrix()
        if name == "text":
            return tag("mtext", html.escape(self.take(r"\{[^}]*\}")[1:-1]))
        if name == "sqrt":
            self.take(" +")
            return tag("msqrt", self.group())
        if name == "norm":
            return operator("‖")
        if name == "sum":
            return operator("∑")
        if name in SYMBOLS:
            return tag("mi", SYMBOLS[name])
        if name in OPERATORS:
            return operator(OPERATORS[name])
        return tag("mi", name)

    def atom(self) -> str:
        self.take(" +")
        if not self.rest:
            raise ValueError("a formula breaks off")
        if self.rest.startswith("\\"):
            return self.command()
        if self.rest.startswith("{"):
            return self.group()
        if barred := self.take("[A-Za-z]\u0304"):
            return tag("mover", tag("mi", barred[0]), operator("¯"))
        if letters := self.take("[A-Za-z]+(?!\u0304)"):
            # Two that follow one another are factors, "ix".
            factors = letters if len(letters) == 2 and letters.islower() else [letters]
            return row([tag("mi", one) for one in factors])
        if chinese := self.take("[\u3000-\uffff]+"):
            return tag("mtext", chinese)
        if number := self.take(r"[0-9][0-9\u2009]*(\.[0-9]+)?"):
            return tag("mn", number)
        opens = self.opens()
        sign = self.take("(?s).")
        if opens:
            inside = self.row(CLOSING[sign])
            close = self.take(re.escape(CLOSING[sign]))
            return row([operator(sign), inside, *([operator(close)] if close else [])])
        if sign == "√":
            root = self.item()[0]
            return tag("msqrt", re.sub(r"^<mrow><mo>\(</mo>(.*)<mo>\)</mo></mrow>$", r"\1", root))
        if sign in "Σ∑":
            return operator("∑")
        return tag("mi", sign) if sign in GREEK else operator(sign)


FUNCTION_TAGS = {tag("mi", name) for name in FUNCTIONS}


def read(formula: str) -> str:
    reader = Notation(formula)
    inside = reader.row()
    if reader.rest:
        raise ValueError(f"not a formula: {formula}")
    return inside


def display(formula: str) -> str:
    """A formula of the program as a block."""
    return f'<math display="block">{read(formula)}</math>'


def pieces(text: str) -> list:
    """Words and formulas in turn; no formula is a $, and so is one without a second."""
    return re.split(r"\$([^$]*)\$", text)


def word(text: str) -> str:
    """Powers of ten have digits of one height."""
    return re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda found: tag("sup", *(RAISED[c] for c in found[0])), html.escape(text, quote=False))


def words(text: str) -> str:
    """A sentence as HTML: a formula between two $ is MathML."""
    return "".join(word(piece) if i % 2 == 0 else f"<math>{read(piece)}</math>" if piece else "$"
                   for i, piece in enumerate(pieces(text)))


def plain(text: str) -> str:
    """A sentence for names and searching, as core/mathematics.hpp has it on a terminal."""
    def script(found) -> str:
        return found[1] + (found[2] if re.fullmatch("[0-9]+|.", found[2]) else f"({found[2]})")
    return "".join(re.sub(r"([_^])\{([^{}]*)\}", script, piece or "$") if i % 2 else piece for i, piece in enumerate(pieces(text)))


UNCONVERTED = re.compile(r"\$|\\[A-Za-z]+|(?<![A-Za-z0-9_])[A-Za-zωλφ]_(?:\{|[A-Za-z0-9](?![A-Za-z0-9_]))|[^ ]\^|√|Σ|(?<![A-Za-z0-9_])[A-Za-zωλφ] ?[=≈≤≥] ?[A-Za-z0-9(ωλφ]|[a-z]·[a-z]")


def unconverted(page: str) -> list:
    """What still looks like a formula in the text of a page."""
    text = re.sub(r"(?s)<(head|math|code|pre|script|style)\b.*?</\1>", " ", page)
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    return [text[max(0, found.start() - 20):found.end() + 20] for found in UNCONVERTED.finditer(text)]
