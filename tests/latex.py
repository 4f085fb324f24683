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


class Formula:
    """One right side; names are looked up in the equations and in the values given."""

    def __init__(self, text, known):
        for space in SPACES + SIZES:
            text = text.replace(space, " ")
        self.tokens, self.at, self.known = TOKEN.findall(text), 0, known
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
                    "(", "[", "\\frac", "\\tfrac", "\\omega", "\\pi", "\\ln", "\\min", "\\max")) or (
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
            if self.next() == "\\text":
                self.take(), self.take("{"), self.take("else"), self.take("}")
                true = True
            else:
                left, sign, right = self.sum(), self.take(), self.sum()
                true = {"<": left < right, ">": left > right, "\\le": left <= right, "\\ge": left >= right,
                        "=": left == right}[sign]
            if made is None and true:
                made = value
            if self.take() == "\\end":
                self.take("{"), self.take("cases"), self.take("}")
                return made

    def atom(self):
        token = self.take()
        if token[0].isdigit():
            return float(token)
        if token in ("(", "["):
            value = self.sum()
            self.take(")" if token == "(" else "]")
            return value
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
            value = math.floor(self.sum())
            self.take("\\rfloor")
            return value
        if token in ("\\min", "\\max"):
            return (min if token == "\\min" else max)(self.arguments())
        if token in ("\\ln", "\\sin", "\\cos"):
            return {"\\ln": math.log, "\\sin": math.sin, "\\cos": math.cos}[token](*self.arguments())
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
