#!/usr/bin/env python3
"""The book: lessons, claims, definitions and the manual as pages that need no script: book.py PROGRAM OUT [PAGE].

PROGRAM is posiscope: it prints all texts with their numbers and draws the pictures. PAGE is build/web/page, which is
copied beside them; without it no figure is living and no link leads into the program. BOOK_ONLY=NAME, the beginning of
pages' names, and BOOK_PICTURES=no make a part of it, for tests.
"""
import hashlib
import html
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

import markdown
import mathml

LANGUAGES = {"en": "English", "zh": "中文"}
SIZE = (640, 400)
SHELL = pathlib.Path(__file__).parent / "book"
ASSETS = pathlib.Path(__file__).parent.parent.parent / "assets"
MANUAL = ASSETS / "manual"
NAMED = {"view.shift.second": "second_shift"}  # settings whose name has another key
WORDS = {
    "en": {"colon": ": ", "comma": ", ", "book": "Posiscope, the book", "skip": "Skip to the text", "contents": "Contents", "claims": "Claims",
           "encodings": "Encodings", "manual": "Manual", "pages": "Pages of the book", "search": "Search the book",
           "found": "{count} pages found", "live": "Make it move here", "open": "Open in Posiscope",
           "open_answer": "Open the answer in Posiscope", "disk": "What moves needs this book on a server, such as python3 -m http.server.", "done": "{done} of {all} done", "previous": "Previous", "next": "Next",
           "lesson": "Lesson {number}", "minutes": "{minutes} minutes", "show": "Show the answer", "number": "Your number, from {from} to {to}:", "say": "That is my number",
           "no": "No. Try again, or let the answer be shown.", "low": "It is more.", "high": "It is less.", "near": "Near enough.",
           "place": "Place of “{card}”", "no_order": "Not in this order.",
           "curve": "Set the score that you expect at each distance.", "at": "At distance {at}", "yours": "Yours", "true": "True", "distance": "Distance", "right": "Right.",
           "task": "Your turn", "controls": "Change: {controls}.", "hint": "Hint", "solution": "Solution",
           "slips": "If it went wrong", "did": "I have done it", "answers": "Answers and reasons",
           "related": "Claims that this lesson decides:", "measured": "Measured", "value": "Number",
           "what": "What is right", "decided": "Decided by",
           "claim": "Claim", "verdict": "Verdict", "lessons": "Lessons",
           "intro": "How a Transformer knows the order of its words: eighteen short lessons, all but the first with questions, "
                    "the claims that lecture notes make, each judged, and every encoding by its formula. "
                    "Everything can be read without a script; with one, pictures can be dragged and answers are kept.",
           "claims_intro": "Sentences about positional encodings as lecture notes have them, each judged, most of them with the number that decides it.",
           "encodings_intro": "Every encoding that Posiscope has, by its definition: $p$ is the position, $k$ the offset to another one, "
                              "$i$ the pair, $d$ the width, $b$ the base, $h$ the head, counted from 0."},
    "zh": {"colon": "：", "comma": "、", "book": "Posiscope 读本", "skip": "跳到正文", "contents": "目录", "claims": "论断", "encodings": "编码", "manual": "手册",
           "pages": "本书各部分", "search": "搜索全书", "found": "找到 {count} 页", "live": "在此处操作", "open": "在 Posiscope 中打开",
           "open_answer": "在 Posiscope 中打开答案", "disk": "可操作的图需要把本书放在网页服务器上，例如 python3 -m http.server。", "done": "已完成 {done}/{all}", "previous": "上一页", "next": "下一页",
           "lesson": "第 {number} 课", "minutes": "{minutes} 分钟", "show": "查看答案", "number": "你的数（{from} 到 {to}）：", "say": "就是这个数", "no": "不对。再试一次，或查看答案。", "low": "实际更大。", "high": "实际更小。",
           "near": "很接近。", "place": "“{card}”的位次", "no_order": "次序不对。", "curve": "设定你预想的各个距离的分数。",
           "at": "距离 {at}", "yours": "你的", "true": "真实", "distance": "距离", "right": "正确。", "task": "动手",
           "controls": "可以改变：{controls}。", "hint": "提示", "solution": "解法", "slips": "如果不对", "did": "我做完了",
           "answers": "答案与理由", "related": "本课判定的论断：", "measured": "测量的量", "value": "数值",
           "what": "正确的说法", "decided": "判定依据", "claim": "论断", "verdict": "结论", "lessons": "课程",
           "intro": "Transformer 怎样知道词的顺序：十七节短课，除第一节外都有提问；讲义中的论断，逐条判断；每种编码的公式。"
                    "全书不用脚本也能读；有脚本时，图可以拖动，答案会保存。",
           "claims_intro": "讲义中关于位置编码的说法，逐条判断，多数附有起决定作用的数。",
           "encodings_intro": "Posiscope 中的每种编码及其定义：$p$ 是位置，$k$ 是到另一位置的偏移，$i$ 是维度对，$d$ 是宽度，$b$ 是底数，$h$ 是头，从 0 数起。"},
}


def between(low: str, high: str) -> str:
    """A pattern of the whole numbers from low to high, as many digits each, for a field that must not tell its bounds."""
    if len(low) == 1:
        return f"[{low}-{high}]"
    if low[0] == high[0]:
        return f"{low[0]}(?:{between(low[1:], high[1:])})"
    nines, zeros = "9" * (len(low) - 1), "0" * (len(low) - 1)
    parts = [f"{low[0]}(?:{between(low[1:], nines)})", f"{high[0]}(?:{between(zeros, high[1:])})"]
    if int(low[0]) + 1 < int(high[0]):
        parts.append(f"[{int(low[0]) + 1}-{int(high[0]) - 1}]" + "[0-9]" * len(nines))
    return "|".join(parts)


def accepted(guess: dict) -> str:
    """A pattern of what is near enough, with any decimals."""
    least, most = math.ceil(max(0, guess["answer"] - guess["near"])), math.floor(guess["answer"] + guess["near"])
    of_length = []
    for digits in range(len(str(least)), len(str(most)) + 1):
        low, high = max(least, 10 ** (digits - 1) if digits > 1 else 0), min(most, 10 ** digits - 1)
        of_length.append(between(str(low), str(high)))
    return f'\\s*(?:{"|".join(of_length)})(?:[.][0-9]*)?\\s*'


def number(value: float) -> str:
    return f"{value:.6g}" if value != round(value) else str(round(value))


def escaped(text: str) -> str:
    return html.escape(text, quote=True)


class Book:
    def __init__(self, program: pathlib.Path, out: pathlib.Path, page):
        self.program, self.out, self.page = program, out, page
        self.texts = json.loads(subprocess.run([program, "manual", "texts"], check=True, capture_output=True).stdout)
        self.pictures = {}  # name: (figure, scene)
        self.words = {}  # of the lesson that is written
        self.searchable = {}
        self.strings = {language: json.loads((ASSETS / "strings" / f"{language}.json").read_text(encoding="utf-8")) for language in LANGUAGES}

    def setting(self, key: str, language: str) -> str:
        """Its name, or where it has none, as a typed formula's letters, the letter."""
        return self.strings[language].get(f"parameter.{NAMED.get(key, key)}.name", key.split(".")[-1])

    # --- Pictures and links ---------------------------------------------------------------------------------

    def address(self, scene: dict, figure: str = "", controls: list = (), language: str = "en") -> str:
        text = json.dumps({**scene, "version": scene.get("version", 1)}, separators=(",", ":"), ensure_ascii=False)
        query = {"lang": language, **({"figure": figure, "controls": ",".join(controls), "theme": "auto"} if figure else {})}
        return "../page/?" + urllib.parse.urlencode(query, safe=",") + "#scene=" + urllib.parse.quote(text, safe="-_.~:,")

    def spoken(self, scene: dict, language: str) -> dict:
        """A lesson's scene with its words in that language; scenes are written with the English ones."""
        content = scene.get("content", {})
        if not self.words.get("en") or content.get("text") != self.words["en"].split():
            return scene
        return {**scene, "content": {**content, "text": self.words[language].split()}}

    def picture(self, scene: dict, figure, controls: list, language: str, about: str, first: bool, key: str = "open", step: str = "") -> str:
        words = WORDS[language]
        scene = self.spoken(scene, language)
        name = hashlib.sha256(json.dumps([scene, figure], sort_keys=True).encode()).hexdigest()[:12]
        self.pictures[name] = (figure["id"] if figure else "", scene)
        alt = f'{figure["name"][language] if figure else "Posiscope"}: {mathml.plain(about)}'
        live, caption = "", ""
        if self.page:
            chosen = [one for one in controls if "." not in one] or ["position", "offset"]
            small = self.address(scene, figure["id"] if figure else "", chosen, language)
            live = f' data-live="{escaped(small)}"' + (" data-first" if first else "")
            whole = f"../page/?lang={language}#lesson={step}" if step else self.address(scene, language=language)
            caption = f'<a href="{escaped(whole)}">{words[key]}</a>'
        loading = "" if first else ' loading="lazy"'
        return (f'<figure{live}><img src="../pictures/{name}-{language}.png" width="{SIZE[0]}" height="{SIZE[1]}"{loading} '
                f'alt="{escaped(alt)}"><figcaption>{caption}</figcaption></figure>')

    def draw(self) -> None:
        folder = self.out / "pictures"
        folder.mkdir()
        groups = {}
        for name, (figure, scene) in self.pictures.items():
            groups.setdefault(figure, []).append((name, scene))
        with tempfile.TemporaryDirectory() as work:
            for figure, members in groups.items():
                for language in LANGUAGES:
                    files = []
                    for name, scene in members:
                        files.append(pathlib.Path(work) / f"{name}-{language}.json")
                        files[-1].write_text(json.dumps(scene), encoding="utf-8")
                    # One scene is no batch: its picture is not named after it.
                    out = folder / ("%s.png" if len(files) > 1 else f"{files[0].stem}.png")
                    subprocess.run([self.program, "render", "-o", out, "--size", f"{SIZE[0]}x{SIZE[1]}",
                                    "--scale", "1.5", "--theme", "light", "--lang", language, "--allow-files",
                                    *(["--figure", figure, "--plain"] if figure else []), *files], check=True, stdout=subprocess.DEVNULL)

    # --- Pages ----------------------------------------------------------------------------------------------

    def put(self, language: str, name: str, title: str, body: str, part: str, before=None, after=None, found: str = "") -> None:
        words, title = WORDS[language], mathml.plain(title)
        places = [("index", words["contents"]), ("claims", words["claims"]), ("encodings", words["encodings"])]
        if (MANUAL / language).exists():
            places.append(("manual", words["manual"]))
        links = "".join(f'<a href="{place}.html"{" aria-current=" + chr(34) + "page" + chr(34) if place == part else ""}>{said}</a> '
                        for place, said in places)
        others = "".join(f'<a href="../{other}/{name}.html" lang="{other}" hreflang="{other}">{said}</a> '
                         for other, said in LANGUAGES.items() if other != language)
        turn = ""
        if before or after:
            sides = [f'<span>{words[key]}<br><a rel="{rel}" href="{one[0]}.html">{mathml.words(one[1])}</a></span>' if one else "<span></span>"
                     for key, rel, one in (("previous", "prev", before), ("next", "next", after))]
            turn = f'<nav class="turn" aria-label="{words["previous"]}, {words["next"]}">{"".join(sides)}</nav>'
        said = json.dumps({key: words[key] for key in ("live", "disk", "done", "search", "found", "no", "low", "high", "near", "right")}, ensure_ascii=False)
        text = f"""<!DOCTYPE html>
<html lang="{"zh-CN" if language == "zh" else "en"}" data-root="../">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; frame-src 'self'">
<title>{escaped(title)} · {words["book"]}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../book.css">
</head>
<body>
<a class="skip" href="#main">{words["skip"]}</a>
<header><span class="name">Posiscope</span> <nav aria-label="{words["pages"]}">{links}{others}</nav></header>
<main id="main">
{body}
{turn}
</main>
<script type="application/json" id="words">{said}</script>
<script src="../book.js"></script>
</body>
</html>
"""
        (self.out / language / f"{name}.html").write_text(text, encoding="utf-8")
        # What answers a question is not found by searching.
        asked = re.sub(r'(?s)<div class="paper".*?</div>|<div role="status">.*?</div>|<div class="then".*?</fieldset>|<details>.*?</details>', " ", body)
        plain = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", re.sub(r"</(p|h[1-6]|li|td|label)>", " ", asked))))
        self.searchable.setdefault(language, []).append([f"{name}.html", found or title, plain.strip()])

    def question(self, ask: dict, lesson: dict, step: dict, language: str) -> str:
        words = WORDS[language]
        name = f'{lesson["id"]}-{step["id"]}'
        said = lambda text: mathml.words(text[language])
        choices = ""
        for i, choice in enumerate(ask["choices"]):
            right = choice["right"]
            kind = ' class="right"' if right else ""
            reason = f'<p class="says good">{words["right"]}</p>' if right else f'<p class="says">{said(choice["says"])}</p>'
            choices += (f'<div class="choice"><input type="radio" id="{name}-{i}" name="{name}" value="{i}"{kind}>'
                        f'<label for="{name}-{i}">{said(choice["text"])}</label></div><div role="status">{reason}</div>')
        choices += (f'<div class="choice showing"><input type="radio" id="{name}-show" name="{name}" value="" class="show">'
                    f'<label for="{name}-show">{words["show"]}</label></div>')
        answer = f'<p>{said(ask["then"])}</p>' if ask["then"][language] else ""
        if ask["scene"] != step["scene"]:
            answer += self.picture(ask["scene"], step["figure"], step["controls"], language, ask["then"][language] or step["title"][language], False,
                                   "open_answer")
        kind = "guess" if ask.get("guess") else "cards" if ask["cards"] else "curve" if ask.get("places") else "choices"
        controls, told = getattr(self, "asked_" + kind)(ask, name, language) if kind != "choices" else ("", "")
        return (f'<form method="dialog" novalidate data-lesson="{lesson["id"]}" data-step="{step["id"]}">'
                f'<fieldset class="ask {kind}"><legend>{said(ask["text"])}</legend>'
                f'{controls}{choices}<div class="then" role="status">{told}{answer}</div></fieldset></form>')

    # A number, cards or a curve, as controls that need neither mouse nor script: they are judged by what the browser knows of
    # a field (:user-valid) or of a list (:checked). Each returns the controls, and what is told with the answer.

    def asked_guess(self, ask: dict, name: str, language: str) -> tuple:
        words, guess = WORDS[language], ask["guess"]
        facts = "".join(f' data-{key}="{number(guess[key])}"' for key in ("answer", "near"))
        label = words["number"].format(**{key: number(guess[key]) for key in ("from", "to")})
        return (f'<p class="choice"><label for="{name}-said">{label}</label> <input class="said" type="text" inputmode="decimal" autocomplete="off" required '
                f'id="{name}-said" pattern="{escaped(accepted(guess))}"{facts}> <button>{words["say"]}</button></p>'
                f'<div role="status"><p class="says bad">{words["no"]}</p><p class="says good">{words["right"]}</p></div>'), ""

    def asked_cards(self, ask: dict, name: str, language: str) -> tuple:
        words, cards = WORDS[language], [card[language] for card in ask["cards"]]
        order = [re.sub(r"^[0-9]+\. ", "", card[language]) for card in ask["order"]]
        lists = ""
        for i, card in enumerate(cards):
            right = order.index(card) + 1
            options = "".join(f'<option{" class=right" if place == right else ""}>{place}</option>' for place in range(1, len(cards) + 1))
            lists += (f'<p class="choice"><select id="{name}-{i}" aria-label="{escaped(words["place"].format(card=mathml.plain(card)))}">'
                      f'<option class="none" value="">–</option>{options}</select> <span>{mathml.words(card)}</span></p>')
        told = "<ol>" + "".join(f"<li>{mathml.words(card)}</li>" for card in order) + "</ol>"
        return (f'{lists}<div role="status"><p class="says bad">{words["no_order"]} {mathml.words(ask["says"][language])}</p>'
                f'<p class="says good">{words["right"]}</p></div>'), told

    def asked_curve(self, ask: dict, name: str, language: str) -> tuple:
        words, places = WORDS[language], ask["places"]
        largest = max(value for _, value in places)
        unit = 10 ** math.floor(math.log10(largest)) / 2
        most = math.ceil(1.2 * largest / unit) * unit
        sliders = rows = ""
        for i, (at, value) in enumerate(places):
            label = words["at"].format(at=at)
            sliders += (f'<p class="choice"><label for="{name}-{i}">{label}</label> <input type="range" id="{name}-{i}" min="0" max="{number(most)}" '
                        f'step="any" value="0" data-at="{at}" data-true="{number(value)}"> <output for="{name}-{i}"></output></p>')
            rows += f'<tr><th scope="row">{at}</th><td class="yours">–</td><td>{value:.1f}</td></tr>'
        table = (f'<table><thead><tr><th scope="col">{words["distance"]}</th><th scope="col">{words["yours"]}</th><th scope="col">{words["true"]}</th></tr></thead>'
                 f"<tbody>{rows}</tbody></table>")
        return f'<p class="soft">{words["curve"]}</p>{sliders}', table

    def task(self, task: dict, lesson: dict, step: dict, language: str) -> str:
        words = WORDS[language]
        said = lambda text: mathml.words(text[language])
        name = f'{lesson["id"]}-{step["id"]}'
        controls = f'<p class="soft">{words["controls"].format(controls=words["comma"].join(mathml.words(self.setting(one, language)) for one in step["controls"]))}</p>' \
            if step["controls"] else ""
        more = ""
        if task["hint"][language]:
            more += f'<details><summary>{words["hint"]}</summary><p>{said(task["hint"])}</p></details>'
        if task["slips"]:
            more += f'<details><summary>{words["slips"]}</summary><ul>{"".join(f"<li>{said(one)}</li>" for one in task["slips"])}</ul></details>'
        more += (f'<details><summary>{words["solution"]}</summary><p>{said(task["well"])}</p>'
                 f'{self.picture(task["scene"], step["figure"], step["controls"], language, task["well"][language], False, "open_answer")}</details>')
        return (f'<div class="task"><p class="goal">{words["task"]}{words["colon"]}{said(task["goal"])}</p>{controls}{more}'
                f'<form data-lesson="{lesson["id"]}" data-step="{step["id"]}"><div class="choice"><input type="checkbox" id="{name}-did">'
                f'<label for="{name}-did">{words["did"]}</label></div></form></div>')

    def answers(self, lesson: dict, language: str) -> str:
        """For paper: what the form controls show on a screen."""
        words = WORDS[language]
        said = lambda text: mathml.words(text[language])
        items = ""
        for step in lesson["steps"]:
            if ask := step.get("ask"):
                reasons = "".join(f'<li>{"✓ " if one["right"] else "✗ "}{said(one["text"])}'
                                  f'{words["colon"] + said(one["says"]) if one["says"][language] else ""}</li>' for one in ask["choices"])
                reasons += "".join(f"<li>{said(card)}</li>" for card in ask["order"])
                items += f'<li>{said(ask["text"])}<ul>{reasons}</ul>{said(ask["then"])}</li>'
            elif task := step.get("task"):
                items += f'<li>{said(task["goal"])}<br>{said(task["well"])}</li>'
        return f'<div class="paper"><h2>{words["answers"]}</h2><ol>{items}</ol></div>' if items else ""

    def lesson(self, lesson: dict, language: str, before, after) -> None:
        words = WORDS[language]
        self.words = lesson["words"]
        title = lesson["title"][language]
        body = (f'<p class="soft">{words["lesson"].format(number=lesson["number"])} · {words["minutes"].format(minutes=lesson["minutes"])}</p>'
                f"<h1>{mathml.words(title)}</h1>")
        living = next((step["id"] for step in lesson["steps"] if step.get("task")), lesson["steps"][0]["id"])
        for index, step in enumerate(lesson["steps"]):
            if step["results"]:  # which the program counts
                continue
            body += f'\n<section id="{step["id"]}"><h2>{mathml.words(step["title"][language])}</h2>'
            if step["text"][language] != step["title"][language]:
                body += f'<p>{mathml.words(step["text"][language])}</p>'
            if step["formula"]:
                body += mathml.display(step["formula"])
            if not step.get("ask", {}).get("hides"):
                body += self.picture(step["scene"], step["figure"], step["controls"], language, step["title"][language], step["id"] == living,
                                     step=f'{lesson["id"]}/{index + 1}')
            if "ask" in step:
                body += self.question(step["ask"], lesson, step, language)
            if "task" in step:
                body += self.task(step["task"], lesson, step, language)
            body += "</section>"
        if lesson["claims"]:
            links = ", ".join(f'<a href="claim-{one.lower()}.html">{one}</a>' for one in lesson["claims"])
            body += f'<p>{words["related"]} {links}</p>'
        self.put(language, f'lesson-{lesson["id"]}', title, body + self.answers(lesson, language), "index", before, after)

    def claim(self, claim: dict, language: str, before, after) -> None:
        words = WORDS[language]
        said = lambda key: mathml.words(claim[key][language])
        verdict = self.texts["verdicts"][claim["verdict"]][language]
        rows = [("measured", said("measured")), ("value", said("value")), ("what", said("mend")), ("decided", said("decided"))]
        if claim["value"][language]:
            rows[1] = ("value", f'{said("value")}<br><span class="soft">{said("needed")}</span>')
        facts = "".join(f'<tr><th scope="row">{words[word]}</th><td>{text}</td></tr>' for word, text in rows if text)
        body = (f'<p class="soft">{claim["id"]} · {escaped(claim["where"][language])}</p><h1>{words["claim"]} {claim["id"]}</h1>'
                f'<blockquote>{said("claim")}</blockquote><p><span class="verdict {claim["verdict"]}">{verdict}</span></p>'
                f'<table>{facts}</table><p>{said("breaks")}</p>')
        body += self.picture(claim["scene"], claim["figure"], claim["controls"], language, claim["claim"][language], True)
        self.put(language, f'claim-{claim["id"].lower()}', f'{words["claim"]} {claim["id"]}', body, "claims", before, after,
                 f'{claim["id"]} {mathml.plain(claim["claim"][language])}')

    def lists(self, language: str, manual: list) -> None:
        words = WORDS[language]
        items = ""
        for lesson in self.texts["lessons"]:
            parts = sum(1 for step in lesson["steps"] if "ask" in step or "task" in step)
            items += (f'<li value="{lesson["number"]}"><a href="lesson-{lesson["id"]}.html">{mathml.words(lesson["title"][language])}</a> '
                      f'<span class="soft">{words["minutes"].format(minutes=lesson["minutes"])}</span> '
                      f'<span class="done" data-parts="{lesson["id"]}" data-all="{parts}"></span></li>')
        body = f'<h1>{words["book"]}</h1><p>{words["intro"]}</p><h2>{words["lessons"]}</h2><ol class="lessons" start="0">{items}</ol>'
        if manual:
            body += f'<h2>{words["manual"]}</h2><ul>' + "".join(f'<li><a href="{name}.html">{escaped(title)}</a></li>' for name, title in manual) + "</ul>"
        self.put(language, "index", words["contents"], body, "index")
        rows = "".join(f'<tr><td><a href="claim-{one["id"].lower()}.html">{one["id"]}</a></td><td>{mathml.words(one["claim"][language])}</td>'
                       f'<td>{self.texts["verdicts"][one["verdict"]][language]}</td></tr>' for one in self.texts["claims"])
        self.put(language, "claims", words["claims"], f'<h1>{words["claims"]}</h1><p>{words["claims_intro"]}</p><table class="claims"><thead><tr><th scope="col">'
                 f'{words["claim"]}</th><td></td><th scope="col">{words["verdict"]}</th></tr></thead><tbody>{rows}</tbody></table>', "claims")
        body = f'<h1>{words["encodings"]}</h1><p>{mathml.words(words["encodings_intro"])}</p>'
        for one in self.texts["encodings"]:
            formulas = "".join(mathml.display(formula) for formula in one["formulas"])
            body += f'<section id="{one["kind"]}"><h2>{escaped(one["name"][language])}</h2><p>{mathml.words(one["help"][language])}</p>{formulas}</section>'
        self.put(language, "encodings", words["encodings"], body, "encodings")

    def manual(self, language: str) -> list:
        """The pages of the manual, and a first one that leads to them; pictures come along."""
        files = sorted((MANUAL / language).glob("*.md")) if (MANUAL / language).exists() else []
        pages = []
        for file in files:
            text = file.read_text(encoding="utf-8")
            pages.append((f"manual-{file.stem[3:]}", re.match(r"# (.*)", text).group(1), text))
        for i, (name, title, text) in enumerate(pages):
            body = markdown.page(text)
            body = re.sub(r'href="[0-9]{2}-([a-z-]+)\.md', r'href="manual-\1.html', body)
            for source in re.findall(r'<img src="([^"]+)"', body):
                picture = (MANUAL / language / source).resolve()
                shutil.copy(picture, self.out / "pictures")
                body = body.replace(f'"{source}"', f'"../pictures/{picture.name}"')
            self.put(language, name, title, body, "manual", pages[i - 1][:2] if i else None, pages[i + 1][:2] if i + 1 < len(pages) else None)
        if pages:
            words = WORDS[language]
            items = "".join(f'<li><a href="{name}.html">{escaped(title)}</a></li>' for name, title, _ in pages)
            self.put(language, "manual", words["manual"], f'<h1>{words["manual"]}</h1><ul>{items}</ul>', "manual")
        return [page[:2] for page in pages]

    def make(self) -> None:
        if self.out.exists() and not (self.out / "book.css").exists() and any(self.out.iterdir()):
            sys.exit(f"book.py: {self.out} holds something that is no book. Name an empty folder, or a new one.")
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        for file in SHELL.iterdir():
            shutil.copy(file, self.out)
        if self.page:
            shutil.copytree(self.page, self.out / "page")
            index = self.out / "page" / "index.html"
            text = index.read_text(encoding="utf-8")
            assert text.count("<title>") == 1
            index.write_text(text.replace("<title>", '<meta name="book" content="../">\n<title>'), encoding="utf-8")
        only = os.environ.get("BOOK_ONLY", "")
        if os.environ.get("BOOK_PICTURES", "yes") == "no":
            (self.out / "pictures").mkdir()
        for language in LANGUAGES:
            (self.out / language).mkdir()
            for kind, members, name, title in (
                    ("lesson", self.texts["lessons"], lambda one: f'lesson-{one["id"]}', lambda one: one["title"][language]),
                    ("claim", self.texts["claims"], lambda one: f'claim-{one["id"].lower()}', lambda one: one["claim"][language])):
                for i, one in enumerate(members):
                    before = (name(members[i - 1]), title(members[i - 1])) if i else None
                    after = (name(members[i + 1]), title(members[i + 1])) if i + 1 < len(members) else None
                    if name(one).startswith(only):
                        getattr(self, kind)(one, language, before, after)
        if os.environ.get("BOOK_PICTURES", "yes") != "no":
            self.draw()
        for language in LANGUAGES:
            self.lists(language, self.manual(language))
            (self.out / f"search-{language}.js").write_text(
                "window.searchable = " + json.dumps(self.searchable[language], ensure_ascii=False, separators=(",", ":")) + ";\n", encoding="utf-8")
        links = "".join(f'<p><a href="{language}/index.html" lang="{language}">{WORDS[language]["book"]}</a></p>' for language in LANGUAGES)
        (self.out / "index.html").write_text(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            '<title>Posiscope</title><link rel="icon" href="data:,"><link rel="stylesheet" href="book.css"></head>'
            f"<body><main><h1>Posiscope</h1>{links}</main></body></html>\n", encoding="utf-8")


def main() -> None:
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: book.py PROGRAM OUT [PAGE]")
    Book(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]) if len(sys.argv) == 4 else None).make()


if __name__ == "__main__":
    main()
