"""Formulas as MathML: those in the notation of app/ui/formula.hpp, and those that stand in a sentence as plain text."""
import html
import re

SYMBOLS = {"omega": "ω", "phi": "φ", "Delta": "Δ", "pi": "π", "lambda": "λ", "theta": "θ", "beta": "β"}
OPERATORS = {"cdot": "·", "approx": "≈", "le": "≤", "to": "→", "times": "×"}
GREEK = "αβγδΔεθλμπρσΣφωΩψχη"
FUNCTIONS = ("sin", "cos", "tan", "exp", "ln", "log", "max", "min", "det", "rank", "sign", "softmax", "logit", "floor", "clip", "Re", "Im")
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ", "0123456789−+n"))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₋₊ᵢₖₙₚⱼₘ", "0123456789−+iknpjm"))


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


def whole(inside: str, block: bool = False) -> str:
    return f'<math display="block">{inside}</math>' if block else f"<math>{inside}</math>"


# --- The notation of app/ui/formula.hpp --------------------------------------------------------------------


class Notation:
    def __init__(self, text: str):
        self.rest = text

    def take(self, pattern: str) -> str:
        found = re.match(pattern, self.rest)
        if not found:
            return ""
        self.rest = self.rest[found.end():]
        return found.group(0)

    def row(self) -> str:
        parts = []
        while True:
            self.take(" +")
            if not self.rest or self.rest[0] in "}&" or self.rest.startswith("\\\\"):
                return row(parts) if parts else "<mrow></mrow>"
            base, below, above = self.atom(), "", ""
            while self.rest[:1] in ("_", "^") and self.rest:
                sign = self.take(".")
                digits = self.take("[0-9]+")
                script = tag("mn", digits) if digits else self.group()
                below, above = (script, above) if sign == "_" else (below, script)
            parts.append(with_scripts(base, below, above))

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
        bracket = self.rest.startswith("(")
        self.take(" +")
        return tag("mi", name) + ("" if bracket else operator("\u2061") + SPACE)

    def atom(self) -> str:
        self.take(" +")
        if self.rest.startswith("\\"):
            return self.command()
        if self.rest.startswith("{"):
            return self.group()
        if letters := self.take("[A-Za-z]+"):
            return tag("mi", letters)
        if number := self.take(r"[0-9][0-9\u2009]*(\.[0-9]+)?"):
            return tag("mn", number)
        sign = self.take("(?s).")
        if sign in GREEK:
            return tag("mi", sign)
        return operator(sign)


def display(formula: str) -> str:
    """A formula of the program as a block."""
    reader = Notation(formula)
    inside = reader.row()
    if reader.rest:
        raise ValueError(f"not a formula: {formula}")
    return whole(inside, block=True)


# --- Formulas in a sentence --------------------------------------------------------------------------------


class NoFormula(Exception):
    pass


LETTER = "[A-Za-z]"
NUMBER = re.compile(r"\d[\d\u2009]*(?:\.\d+)?")
WORD = re.compile(r"[A-Za-z]+")
NAMES = "pkindbhtqmxjrsvyzλnMWHLTDKQVRNE"
SIGNS = "=≈≤≥<>+−·×/→≠∥∝∈≡"
CLOSING = {"(": ")", "[": "]", "|": "|", "‖": "‖", "⌊": "⌋"}


def without_brackets(formula: str) -> str:
    found = re.fullmatch(r"<mrow><mo>\(</mo>(.*)<mo>\)</mo></mrow>", formula)
    return found.group(1) if found else formula


class Sentence:
    """Reads one expression from a place of a text. `weight` grows with what only formulas have."""

    def __init__(self, text: str, at: int):
        self.text, self.at, self.weight = text, at, 0

    def peek(self, count: int = 1) -> str:
        return self.text[self.at:self.at + count]

    def spaces(self) -> int:
        start = self.at
        while self.peek() and self.peek() in " \u00a0\u2009":
            self.at += 1
        return self.at - start

    def expression(self, depth: int = 0) -> str:
        parts = [self.term(depth)]
        while True:
            before = self.at
            spaced = self.spaces()
            sign = self.peek()
            if sign == "," and depth:
                self.at += 1
                self.spaces()
                parts.append(operator(","))
                parts.append(self.term(depth))
                continue
            if not sign or sign not in SIGNS or (sign == "/" and spaced and not depth):
                self.at = before
                break
            self.at += 1
            self.spaces()
            try:
                weight = self.weight
                after = self.term(depth)
            except NoFormula:
                self.at = before
                break
            self.weight = max(self.weight, weight) + 1
            parts += [operator(sign), after]
        return row(parts)

    def term(self, depth: int) -> str:
        parts = []
        if self.peek() in "−+±" and self.peek():
            parts.append(operator(self.peek()))
            self.at += 1
        parts.append(self.factor(depth, first=True))
        while True:
            before, weight = self.at, self.weight
            spaced = self.spaces()
            following = self.peek()
            known = following and (following in GREEK or following in "√Σ∑(|‖" and not spaced or following in "√Σ∑"
                                   or self.subscripted() or self.function())
            if not spaced and following and re.match(LETTER, following) and parts[-1].endswith("</mi>"):
                known = True
            if depth and following and re.match("[A-Za-z0-9]", following):
                known = True
            if not known:
                self.at, self.weight = before, weight
                return row(parts)
            lead = [SPACE] if self.function() else []
            try:
                parts += [*lead, self.factor(depth, first=False)]
            except NoFormula:
                self.at, self.weight = before, weight
                return row(parts)

    def subscripted(self) -> bool:
        return re.match(r"[A-Za-z](?:_|[′'] ?[_(]|\()", self.text[self.at:]) is not None or \
            self.text.startswith("PE(", self.at) or self.text.startswith("PE_", self.at)

    def function(self) -> bool:
        word = WORD.match(self.text, self.at)
        return bool(word) and word.group(0) in FUNCTIONS

    def script(self) -> str:
        if self.peek() in "{(" and self.peek():
            close = "}" if self.peek() == "{" else ")"
            self.at += 1
            inside = self.expression(1)
            if self.peek() != close:
                raise NoFormula
            self.at += 1
            return inside
        if number := NUMBER.match(self.text, self.at):
            self.at = number.end()
            return tag("mn", number.group(0))
        if self.peek() == "−":
            self.at += 1
            return tag("mrow", operator("−"), self.script())
        word = WORD.match(self.text, self.at)
        if word:
            self.at = word.end()
            return tag("mi", word.group(0)) if len(word.group(0)) < 3 else tag("mtext", word.group(0))
        if self.peek() and self.peek() in GREEK:
            self.at += 1
            return tag("mi", self.text[self.at - 1])
        raise NoFormula

    def base(self, depth: int, first: bool) -> str:
        sign = self.peek()
        if not sign:
            raise NoFormula
        if sign in CLOSING:
            self.at += 1
            self.spaces()
            inside = self.expression(depth + 1)
            self.spaces()
            if self.peek() != CLOSING[sign]:
                raise NoFormula
            self.at += 1
            if sign in "|‖⌊":
                self.weight += 1
            return tag("mrow", operator(sign), inside, operator(CLOSING[sign]))
        if sign == "√":
            self.at += 1
            self.weight += 1
            return tag("msqrt", without_brackets(self.factor(depth, first=True)))
        if sign in "Σ∑":
            self.at += 1
            self.weight += 1
            return operator("∑")
        if sign in "∞⊤":
            self.at += 1
            return operator(sign)
        if sign in GREEK:
            self.at += 1
            self.weight += 1
            return tag("mi", sign)
        if number := NUMBER.match(self.text, self.at):
            self.at = number.end()
            return tag("mn", number.group(0).rstrip("\u2009"))
        if name := re.compile(r"(base|底数)(?=\^)").match(self.text, self.at):
            self.at = name.end()
            return tag("mtext", name.group(0))
        word = WORD.match(self.text, self.at)
        if not word:
            raise NoFormula
        letters = word.group(0)
        if letters in FUNCTIONS:
            self.at = word.end()
            made = tag("mi", letters)
            before, weight = self.at, self.weight
            if self.peek() == " ":
                self.at += 1
                try:
                    argument = self.factor(1, first=True)
                    self.weight += 1
                    return tag("mrow", made, operator("\u2061"), SPACE, argument)
                except NoFormula:
                    self.at, self.weight = before, weight
            return made
        if letters == "PE" and self.text[word.end():word.end() + 1] in ("(", "_", "′"):
            self.at = word.end()
            self.weight += 1
            return tag("mi", "PE")
        # Letters that follow one another without a space are factors, "kω": only where each is a variable.
        if len(letters) == 2 and depth and letters.islower():
            self.at = word.end()
            return tag("mrow", *(tag("mi", letter) for letter in letters))
        if len(letters) > 1:
            raise NoFormula
        if len(letters) == 1 and not depth and letters not in NAMES and letters not in "abcefglouwPSA":
            raise NoFormula
        if not depth and self.text[word.end():word.end() + 1].isdigit():
            raise NoFormula  # a name, such as B16
        self.at = word.end()
        if letters in "AaIS" and first and not depth:
            self.weight -= 0.5  # an article, unless an operator follows
        return tag("mi", letters)

    def factor(self, depth: int, first: bool) -> str:
        made = self.base(depth, first)
        below = above = primes = ""
        while True:
            sign = self.peek()
            if sign and sign in "_^":
                self.at += 1
                self.weight += 1
                script = self.script()
                below, above = (script, above) if sign == "_" else (below, script)
            elif sign and sign in "′'" and not made.startswith("<mn") and sign == "′":
                self.at += 1
                self.weight += 1
                primes += "′"
            elif sign and sign in RAISED:
                start = self.at
                while self.peek() and self.peek() in RAISED:
                    self.at += 1
                above += tag("mn", "".join(RAISED[c] for c in self.text[start:self.at]))
                self.weight += 1
            elif sign and sign in "ᵀ":
                self.at += 1
                self.weight += 1
                above += tag("mi", "T")
            elif sign and sign in LOWERED:
                start = self.at
                while self.peek() and self.peek() in LOWERED:
                    self.at += 1
                below += tag("mn", "".join(LOWERED[c] for c in self.text[start:self.at]))
                self.weight += 1
            else:
                break
        if primes:
            above = row([operator(primes)] + ([above] if above else []))
        made = with_scripts(made, below, above)
        # PE(p), f(x): its argument stands close.
        if self.peek() == "(" and not made.startswith("<mn"):
            before, weight = self.at, self.weight
            try:
                made = tag("mrow", made, self.base(depth, True))
                self.weight += 1
            except NoFormula:
                self.at, self.weight = before, weight
        return made


IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9]+)*_[A-Za-z0-9_.]*[A-Za-z0-9]")
CODE = re.compile(r"[a-z_]+ = [0-9a-z.]+ \*\* \([^()]*(?:\([^()]*\)[^()]*)*\)")
SCRIPTS = re.compile(r"[A-Za-z]_(?:[A-Za-z0-9]{1,2}|model|head|max|min)(?![A-Za-z0-9_])")
JOINED = re.compile(r"[A-Za-z0-9_]")


def words(text: str) -> str:
    """A sentence as HTML: its formulas are MathML, names of settings are code, `code` of Markdown is the caller's."""
    made, plain, at = [], [], 0

    def flush():
        if plain:
            made.append(html.escape("".join(plain), quote=False))
            plain.clear()

    while at < len(text):
        starts = at == 0 or not (JOINED.match(text[at - 1]) and JOINED.match(text[at]))
        if starts and (name := CODE.match(text, at)):
            flush()
            made.append(tag("code", html.escape(name.group(0), quote=False)))
            at = name.end()
            continue
        if starts and (name := IDENTIFIER.match(text, at)) and not SCRIPTS.match(text, at) and \
                not re.match(r"[A-Za-z]_[{(]", text[at:]):
            flush()
            made.append(tag("code", html.escape(name.group(0), quote=False)))
            at = name.end()
            continue
        if starts and not text[at].isspace():
            reader = Sentence(text, at)
            try:
                formula = reader.expression()
                end = reader.at
                ends = end == len(text) or not (JOINED.match(text[end - 1]) and JOINED.match(text[end]))
                hyphen = text[end:end + 2] == "-" or re.match(r"-[A-Za-z]", text[end:])
                if reader.weight > 0 and ends and not hyphen or ends and not hyphen and variable(text, at, end):
                    flush()
                    made.append(whole(formula))
                    at = end
                    continue
            except NoFormula:
                pass
        plain.append(text[at])
        at += 1
    flush()
    return "".join(made)


def variable(text: str, at: int, end: int) -> bool:
    """A single letter that names something: "p is a position"."""
    return end - at == 1 and text[at] in "pkindbhtqmxjMsW" and not re.match("['’]", text[end:]) and text[at - 1:at] not in ("'", "’")


UNCONVERTED = re.compile(r"\\[A-Za-z]+|[A-Za-zωλφ]_[A-Za-z0-9{]|\^|√|Σ|[A-Za-z0-9)ωλφ] ?[=≈≤≥] ?[A-Za-z0-9(ωλφ]|[a-z]·[a-z]")


def unconverted(page: str) -> list:
    """What still looks like a formula in the text of a page."""
    text = re.sub(r"(?s)<(head|math|code|pre|script|style)\b.*?</\1>", " ", page)
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    return [text[max(0, found.start() - 20):found.end() + 20] for found in UNCONVERTED.finditer(text)]
