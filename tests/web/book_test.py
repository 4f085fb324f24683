#!/usr/bin/env python3
"""Builds the book and reads every page of it: book_test.py PROGRAM.

Links, sizes, formulas, form controls and both languages; the pictures of one lesson.
"""
import html
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree

program = os.path.abspath(sys.argv[1])
root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(root / "app" / "web"))
sys.dont_write_bytecode = True
import mathml  # noqa: E402

MOST_BYTES = 60_000  # of a page with its style and script
EMPTY = ("meta", "link", "img", "input", "br")
problems = []


def bad(where, what):
    problems.append(f"{where}: {what}")


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.links, self.ids, self.inputs, self.labels = path, [], [], [], {}, set()
        self.rights, self.pictures, self.forms, self.empty_names = 0, [], 0, []
        self.text = path.read_text(encoding="utf-8")
        self.feed(self.text)
        if self.open:
            bad(path, f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in EMPTY:
            self.open.append(tag)
        if "id" in given:
            self.ids.append(given["id"])
        for key in ("href", "src"):
            if given.get(key):
                self.links.append(given[key])
        if tag == "input":
            self.inputs[given["id"]] = given
            self.rights += given.get("class") == "right"
        if tag == "select":
            self.inputs[given["id"]] = given
            if not given.get("aria-label"):
                bad(self.path, f"{given['id']} has no name")
            self.labels.add(given["id"])
        if tag == "label":
            self.labels.add(given["for"])
        if tag == "form":
            self.forms += 1
        if tag == "img":
            self.pictures.append(given["src"])
            if not given.get("alt"):
                bad(self.path, f"{given['src']} says nothing to who cannot see it")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            bad(self.path, f"</{tag}> where another is open")


def build(folder, page, **environment):
    subprocess.run([sys.executable, root / "app" / "web" / "book.py", program, folder, page], check=True,
                   env={**os.environ, **environment})


def judged_guess(form):
    """What is near enough is taken, and nothing else."""
    given = dict(re.findall('([a-z-]+)="([^"]*)"', re.search("<input class=.said.[^>]*>", form)[0]))
    answer, near = float(given["data-answer"]), float(given["data-near"])
    pattern = html.unescape(given["pattern"])
    step = max(1, round(near / 7))
    for said in range(0, round(answer + 3 * near) + 20, step):
        for text in (str(said), f" {said}.0"):
            if (re.fullmatch(pattern, text) is not None) != (abs(said - answer) <= near):
                yield f"{text} is judged wrongly: {answer} within {near}"
    if "min=" in form or "max=" in form:
        yield "a bound of the field would tell the number"


def judged_cards(form):
    lists = re.findall("(?s)<select.*?</select>", form)
    rights = [re.findall("<option class=right>([0-9]+)</option>", one) for one in lists]
    if sorted(rights) != [[str(i + 1)] for i in range(len(lists))]:
        yield f"the places of the cards: {rights}"
    if [right[0] for right in rights] == [str(i + 1) for i in range(len(lists))]:
        yield "the cards lie in the right order"


def judged_curve(form):
    sliders, rows = re.findall('<input type="range"[^>]*>', form), form.count('class="yours"')
    if len(sliders) != 5 or rows != 5:
        yield f"{len(sliders)} places, {rows} rows"
    for slider in sliders:
        given = dict(re.findall('([a-z-]+)="([^"]*)"', slider))
        if not 0 <= float(given["data-true"]) <= float(given["max"]) or given["value"] != "0":
            yield f"a place that cannot be set right: {given}"


is_judged = {"guess": judged_guess, "cards": judged_cards, "curve": judged_curve}
kinds = {}


def check_page(page, others, language):
    path = page.path
    for link in page.links:
        if link.startswith("data:") or link.startswith("../pictures/") and "-" + language + ".png" in link:
            continue  # pictures are drawn in the second book
        address = urllib.parse.urlsplit(link)
        target = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
        if address.scheme or not target.exists():
            bad(path, f"a link to {link}, which is not there")
        elif address.fragment and target in others and address.fragment not in others[target].ids:
            bad(path, f"{link}: no such place")
    if len(set(page.ids)) != len(page.ids):
        bad(path, "an id twice")
    for name in page.inputs:
        if name not in page.labels:
            bad(path, f"{name} has no label")
    sections = re.findall(r"(?s)<form.*?</form>", page.text)
    for form in sections:
        kind = re.search('class="ask ([a-z]+)"', form)
        if kind is None:
            continue
        kinds[kind[1]] = kinds.get(kind[1], 0) + 1
        if kind[1] != "choices":
            for problem in is_judged[kind[1]](form):
                bad(path, problem)
            continue
        if form.count('class="right"') != 1:
            bad(path, "a question without one right choice")
        if len(re.findall('class="choice', form)) < 3:
            bad(path, "a question with one choice")
        if form.count('class="says"') != form.count('type="radio"') - 2 or '<p class="says"></p>' in form:
            bad(path, "a wrong choice without a reason")
    for formula in re.findall(r"(?s)<math.*?</math>", page.text):
        xml.etree.ElementTree.fromstring(formula)
    if "manual" not in path.name:
        for rest in mathml.unconverted(page.text):
            if path.name != "lesson-own.html" or "b^" not in rest:  # as one types it
                bad(path, f"no formula of “{rest}”")
        words = re.sub(r"(?s)<(script|pre|code)\b.*?</\1>|<[^>]+>", " ", page.text)
        for place in re.findall(r"\{[^}]*\}|\{\{|\}\}", words):
            bad(path, f"a place without its number: {place}")
    style = sum((path.parent.parent / name).stat().st_size for name in ("book.css", "book.js"))
    size = len(page.text.encode()) + style
    if size > MOST_BYTES:
        bad(path, f"{size} bytes")
    if language == "zh" and "claim" not in path.name and len(re.findall("[\u4e00-\u9fff]", page.text)) < 30:
        bad(path, "hardly a word of Chinese")


def main():
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        (work / "page").mkdir()
        (work / "page" / "index.html").write_text("<!DOCTYPE html><title>Posiscope</title>", encoding="utf-8")
        book = work / "book"
        build(book, work / "page", BOOK_PICTURES="no")
        pages = {language: {path.name: Page(path) for path in sorted((book / language).glob("*.html"))} for language in ("en", "zh")}
        all_pages = {page.path.resolve(): page for of in pages.values() for page in of.values()}
        for language, of in pages.items():
            for page in of.values():
                check_page(page, all_pages, language)
            if not (book / f"search-{language}.js").read_text(encoding="utf-8").count("lesson-clocks.html"):
                bad(language, "a lesson that is not searched")
        if set(pages["en"]) != set(pages["zh"]):
            bad("pages", set(pages["en"]) ^ set(pages["zh"]))
        for name in set(pages["en"]) & set(pages["zh"]):
            both = [pages[language][name] for language in ("en", "zh")]
            if [(p.forms, len(p.inputs), p.rights, len(p.pictures)) for p in both[:1]] != [(p.forms, len(p.inputs), p.rights, len(p.pictures)) for p in both[1:]]:
                bad(name, "other controls or pictures in Chinese")
        count = len(pages["en"])
        if count < 90 or sum(page.rights for page in pages["en"].values()) < 35:
            bad("the book", f"{count} pages: something was not written")
        for kind in is_judged:
            if kinds.get(kind, 0) < 2:
                bad("the book", f"no question of the kind {kind} in both languages")
        largest = max((len(page.text.encode()), name) for of in pages.values() for name, page in of.items())

        one = work / "one"
        build(one, work / "page", BOOK_ONLY="lesson-entry")
        for language in ("en", "zh"):
            page = Page(one / language / "lesson-entry.html")
            for picture in page.pictures:
                path = page.path.parent / picture
                if not path.exists() or path.read_bytes()[:4] != b"\x89PNG" or path.stat().st_size < 5000:
                    bad(page.path, f"{picture} is no picture")
        for problem in problems[:40]:
            print(problem)
        if problems:
            sys.exit(f"{len(problems)} problems in the book")
        print(f"{count} pages in each language; the largest, {largest[1]}, has {largest[0]} bytes")


main()
