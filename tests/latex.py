"""Evaluates the formulas that `posiscope code latex` writes: a parser of the little LaTeX that they consist of."""
import math
import re

TOKEN = re.compile(r"\s*(\d+\.\d+|\d+|\\\\|\\[A-Za-z]+|[A-Za-z]+|.)")
SPACES = ("\\,", "\\!", "\\;")
SIZES = ("\\bigl", "\\bigr", "\\Bigl", "\\Bigr", "\\left", "\\right")


def equations(text):
    """The right sides by their left sides, spaces removed: {"\\omega_i": "10000^{-2i/64}"}."""
    body = text.strip().removeprefix("\\[").removesuffix("\\]").strip()
    made = {}
    for part in body.split(", \\quad "):
        left, equals, right = part.partition(" = ")
        if equals:
            made[left.replace(" ", "")] = right
    return made


def ln(x):
    return math.log(x) if x > 0 else math.nan  # in a case that is not taken


def whole(x):
    return math.floor(x) if math.isfinite(x) else x


FUNCTIONS = {"\\ln": ln, "\\sin": math.sin, "\\cos": math.cos, "\\tan": math.tan, "\\tanh": math.tanh,
             "\\min": min, "\\max": max, "sgn": lambda x: (x > 0) - (x < 0), "round": round,
             "clamp": lambda x, least, most: min(max(x, least), most)}
COMPARISONS = {"<": lambda a, b: a < b, ">": lambda a, b: a > b, "\\le": lambda a, b: a <= b,
               "\\ge": lambda a, b: a >= b, "=": lambda a, b: a == b, "\\ne": lambda a, b: a != b}


class Formula:
    """One right side; names are looked up in the equations and in the values given."""

    def __init__(self, text, known):
        text = text.replace("\\left|", "\\lvert ").replace("\\right|", "\\rvert ")
        for space in SPACES + SIZES:
            text = text.replace(space, " ")
        self.tokens, self.at, self.known = TOKEN.findall(text.rstrip()), 0, known
        self.in_bars = False

    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.next()
        if wanted is not None and token != wanted:
            raise ValueError(f"{wanted} wanted at {''.join(self.tokens[self.at:])}")
        self.at += 1
        return token

    def group(self):
        self.take("{")
        value = self.sum()
        self.take("}")
        return value

    def sum(self):
        value = self.product()
        while self.next() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self):
        if self.next() == "-":
            self.take()
            return -self.product()
        value = self.power()
        while True:
            if self.next() in ("\\cdot", "/", "\\bmod"):
                sign = self.take()
                other = self.power()
                value = value * other if sign == "\\cdot" else value / other if sign == "/" else value % other
            elif self.next() and (self.next()[0].isalnum() or self.next() in (
                    "(", "[", "\\frac", "\\tfrac", "\\omega", "\\pi", "\\Delta", "\\sqrt", "\\lvert", "\\lfloor", "\\lceil",
                    "\\operatorname", "\\log", *FUNCTIONS)) or (self.next() == "\\text" and not self.word()) or (
                        self.next() == "|" and not self.in_bars):
                value = value * self.power()  # side by side
            else:
                return value

    def power(self):
        value = self.atom()
        if self.next() != "^":
            return value
        self.take()
        return value ** self.group()

    def word(self):
        """The word of a \\text that joins conditions."""
        word = "".join(self.tokens[self.at + 2:self.at + 3])
        return word if self.next() == "\\text" and word in ("and", "or", "not", "otherwise", "else") else ""

    def skip(self):
        self.at += 4  # \\text { word }

    def condition(self):
        value = self.both()
        while self.word() == "or":
            self.skip()
            value = self.both() or value
        return value

    def both(self):
        value = self.comparison()
        while self.word() == "and":
            self.skip()
            value = self.comparison() and value
        return value

    def comparison(self):
        if self.word() == "not":
            self.skip()
            return not self.comparison()
        before = self.at
        try:
            left = self.sum()
            if self.next() in COMPARISONS:
                return COMPARISONS[self.take()](left, self.sum())
        except (ValueError, KeyError):
            pass
        self.at = before
        self.take("(")
        value = self.condition()
        self.take(")")
        return value

    def summed(self):
        self.take("_"), self.take("{")
        name = self.take()
        self.take("=")
        first = self.sum()
        self.take("}"), self.take("^")
        last, start, known, total = self.group(), self.at, self.known, 0.0
        for value in range(int(first), int(last) + 1):
            self.at, self.known = start, {**known, name: float(value)}
            total += self.product()
        self.known = known
        return total

    def arguments(self):
        self.take("(")
        values = [self.sum()]
        while self.next() == ",":
            self.take()
            values.append(self.sum())
        self.take(")")
        return values

    def cases(self):
        self.take("{"), self.take("cases"), self.take("}")
        made = None
        while True:
            value = self.sum()
            self.take("&")
            if self.word() in ("else", "otherwise"):
                self.skip()
                true = True
            else:
                true = self.condition()
            if made is None and true:
                made = value
            if self.take() == "\\end":
                self.take("{"), self.take("cases"), self.take("}")
                return made

    def atom(self):
        token = self.take()
        if token[0].isdigit():
            return float(token)
        if token == "(":
            value = self.sum()
            self.take(")")
            return value
        if token == "[":
            before = self.at
            try:
                value = self.sum()
                self.take("]")
            except (ValueError, KeyError):  # Iverson's: 1 where it holds
                self.at = before
                value = float(self.condition())
                self.take("]")
            return value
        if token == "\\lvert":
            value = abs(self.sum())
            self.take("\\rvert")
            return value
        if token == "\\sqrt":
            return math.sqrt(self.group())
        if token == "\\sum":
            return self.summed()
        if token == "\\log":
            self.take("_"), self.take("2")
            return math.log2(*(self.arguments() if self.next() == "(" else [self.atom()]))
        if token == "|":
            self.in_bars = True
            value = abs(self.sum())
            self.take("|")
            self.in_bars = False
            return value
        if token in ("\\frac", "\\tfrac"):
            above, below = self.group(), self.group()
            return above / below
        if token == "\\lfloor":
            value = whole(self.sum())
            self.take("\\rfloor")
            return value
        if token == "\\lceil":
            value = math.ceil(self.sum())
            self.take("\\rceil")
            return value
        if token == "\\operatorname":
            self.take("{")
            token = self.take()
            self.take("}")
        if token in FUNCTIONS:
            return FUNCTIONS[token](*(self.arguments() if self.next() == "(" else [self.atom()]))
        if token == "\\text":
            self.take("{")
            parts = ""
            while self.next() != "}":
                parts += self.take()
            self.take("}")
            return value_of("\\text{" + parts + "}", self.known)
        if token == "\\pi":
            return math.pi
        if token == "\\begin":
            return self.cases()
        return self.name(token)

    def name(self, name):
        if self.next() == "'":
            name += self.take()
        if self.next() == "_":
            self.take()
            if self.next() == "{":  # an index that is computed, or one of a name's letters
                listed = self.known.get(name)
                if isinstance(listed, str) and listed.startswith("("):
                    listed = [Formula(entry, self.known).sum() for entry in listed.strip("()").split(",")]
                if isinstance(listed, list):
                    return listed[int(self.group())]
                name += "_"
                while not name.endswith("}"):
                    name += self.take()
            else:
                name += "_" + self.take()
        return value_of(name, self.known)


def value_of(name, known):
    """The value of a name: given, or by its equation; "e_i" is also entry i of "e = (…)"."""
    if not isinstance(known.get(name, ""), str):
        return known[name]
    if name not in known and name.endswith("_i") and name[:-2] in known:
        entries = known[name[:-2]].strip("()").split(",")
        return Formula(entries[int(known["i"])], known).sum()
    formula = Formula(known[name], known)
    value = formula.sum()
    if formula.next():
        raise ValueError(f"{name}: {''.join(formula.tokens[formula.at:])} is left")
    return value
