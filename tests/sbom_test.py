#!/usr/bin/env python3
"""What app/package/sbom writes is valid SPDX 2.3 and lacks nothing.

sbom_test.py BUILD               writes one for the program of that build, and damages it in every way that must be found
sbom_test.py --check SBOM BUILD FILE...   checks the one of a release, which names these files
"""
import copy
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "app/package"
# Of SPDX's list of licences and exceptions (version 3.20) those that we know; a new one is looked up there first.
LICENCES = set("""Apache-2.0 BSD-2-Clause BSD-3-Clause Bitstream-Vera CC0-1.0 FTL GPL-2.0-only GPL-2.0-or-later GPL-3.0-or-later HPND
HPND-sell-variant ISC LGPL-2.1-only LGPL-2.1-or-later MIT MIT-open-group MPL-1.1 MPL-2.0 NCSA OFL-1.1 WTFPL X11 ZPL-2.1 Zlib
libpng-2.0""".split())
EXCEPTIONS = {"GCC-exception-3.1", "LLVM-exception"}
RELATIONS = {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK"}


@functools.cache
def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def sources(*packages):
    return set(output("dpkg-query", "-W", "-f", "${source:Package}\n", *sorted(packages)).split()) if packages else set()


def expression(text):
    """Whether it follows SPDX's grammar, with identifiers of its list."""
    words = re.findall(r"[()]|[^\s()]+", text)

    def one(at):
        if at < len(words) and words[at] == "(":
            at = many(at + 1)
            return at + 1 if at and at < len(words) and words[at] == ")" else 0
        if at >= len(words) or words[at] not in LICENCES:
            return 0
        if words[at + 1:at + 2] == ["WITH"]:
            return at + 3 if words[at + 2:at + 3] and words[at + 2] in EXCEPTIONS else 0
        return at + 1

    def many(at):
        at = one(at)
        while at and words[at:at + 1] and words[at] in ("AND", "OR"):
            at = one(at + 1)
        return at

    return many(0) == len(words) > 0


def problems(document, build, files):
    found = []

    def want(holds, sentence):
        if not holds:
            found.append(sentence)

    for field in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"):
        want(document.get(field), f"the document lacks {field}")
    want(document.get("spdxVersion") == "SPDX-2.3" and document.get("dataLicense") == "CC0-1.0", "not SPDX 2.3 under CC0")
    want(re.fullmatch(r"https://[^#\s]+", document.get("documentNamespace", "")), "its namespace is no address")
    made = document.get("creationInfo", {})
    want(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", made.get("created", "")), "its time is no UTC time")
    want(made.get("creators") and all(re.match(r"(Person|Organization|Tool): \S", one) for one in made["creators"]), "no creator")

    packages = {one.get("SPDXID"): one for one in document["packages"]}
    want(len(packages) == len(document["packages"]), "two packages have one identifier")
    for key, one in packages.items():
        want(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", key or ""), f"{key} is no identifier")
        for field in ("name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText"):
            want(one.get(field), f"{key} lacks {field}")
        want(one.get("filesAnalyzed") is False, f"{key} says its files were analysed, and lists none")
        for field in ("licenseConcluded", "licenseDeclared"):
            want(expression(one.get(field, "")), f"{key}: {field} is no SPDX expression: {one.get(field)}")
        for sum_ in one.get("checksums", []):
            want(sum_["algorithm"] == "SHA256" and re.fullmatch("[0-9a-f]{64}", sum_["checksumValue"]), f"{key}: no SHA-256")
    related = {}
    for one in document["relationships"]:
        a, kind, b = one["spdxElementId"], one["relationshipType"], one["relatedSpdxElement"]
        want(kind in RELATIONS and (a == "SPDXRef-DOCUMENT" or a in packages) and b in packages, f"nobody knows {a} {kind} {b}")
        related.setdefault((a, kind), set()).add(b)
    described = related.get(("SPDXRef-DOCUMENT", "DESCRIBES"), set())
    reached = set(described).union(*(related.get((key, kind), set()) for key in described for kind in RELATIONS))
    want(reached == set(packages), f"in nothing that is given away: {sorted(set(packages) - reached)}")

    names = {key: one.get("name") for key, one in packages.items()}
    rows = [re.split(r"\s{2,}", line)[0].split() for line in (PACKAGE / "licences").read_text().splitlines() if line[:1] not in ("", "#")]
    for file in files:
        key = next((one for one in described if packages[one].get("packageFileName") == file.name), None)
        if key is None:
            found.append(f"{file.name} is missing")
            continue
        sums = [one["checksumValue"] for one in packages[key].get("checksums", [])]
        want(sums == [hashlib.sha256(file.read_bytes()).hexdigest()], f"{file.name} has another sum")
        inside = {names[one] for one in related.get((key, "CONTAINS"), set()) if one in names}
        linked = inside | {names[one] for one in related.get((key, "DYNAMIC_LINK"), set()) if one in names}
        part = "platform/windows" if "-windows-" in file.name else "web" if file.suffix in (".html", ".zip") else None
        if file.suffix == ".whl" and "posiscope/page/index.html" in zipfile.ZipFile(file).namelist():
            part = "web"
        if part:  # every library that is compiled in
            listed = re.search(r"posiscope_sources\(\w+ ([^)]*)\)", (ROOT / "app" / part / "sources.cmake").read_text()).group(1)
            for library in listed.split() + (["gcc-mingw-w64", "mingw-w64"] if part != "web" else []):
                same = next((row for row in rows if library in row), [library])
                want(inside & set(same), f"{file.name} is said to be without {library}")
        if part and file.suffix != ".whl":
            continue
        for library in re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", str(build / "posiscope"))):
            owners = {line.split(":")[0] for line in output("dpkg-query", "-S", "*/" + library).splitlines()}
            want(linked & sources(*owners), f"{file.name} is said to be without {library}, which it links")
        # The installed copyright file has a text for each that is inside the program (app/package/package.cmake).
        texts = (PACKAGE / "package.cmake").read_text()
        stated = sources(*re.findall(r"=/usr/share/doc/([^/]+)/copyright", texts)) | {"imgui"}
        own = set() if ".tar" in file.suffixes or file.suffix == ".whl" else inside  # app/package/portable adds those that travel along
        want(own <= stated, f"app/package/package.cmake has no licence text of {sorted(own - stated)}")
    return found


def damages():
    """Name, and what it does to a document."""
    library = "SPDXRef-Library-"

    def drop(document, name):
        gone = {one["SPDXID"] for one in document["packages"] if one["name"] == name}
        document["packages"] = [one for one in document["packages"] if one["SPDXID"] not in gone]
        document["relationships"] = [one for one in document["relationships"] if one["relatedSpdxElement"] not in gone]

    def last(document):
        return next(one for one in reversed(document["packages"]) if one["SPDXID"].startswith(library))

    return {
        "a linked library is missing": lambda d: drop(d, "cairo"),
        "the C library is missing": lambda d: drop(d, "glibc"),
        "no version": lambda d: last(d).pop("versionInfo"),
        "an unknown licence": lambda d: last(d).update(licenseDeclared="GPL"),
        "half an expression": lambda d: last(d).update(licenseConcluded="MIT AND"),
        "a relation to nothing": lambda d: d["relationships"][-1].update(relatedSpdxElement=library + "none"),
        "a library of nothing": lambda d: d["packages"].append({**last(d), "SPDXID": library + "alone"}),
        "another sum": lambda d: [one.update(checksums=[{"algorithm": "SHA256", "checksumValue": "0" * 64}]) for one in d["packages"]],
        "no namespace": lambda d: d.pop("documentNamespace"),
        "another version of SPDX": lambda d: d.update(spdxVersion="SPDX-3.0"),
    }


def main():
    if sys.argv[1] == "--check":
        document = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
        bad = problems(document, pathlib.Path(sys.argv[3]), [pathlib.Path(one) for one in sys.argv[4:]])
        print("\n".join(bad) or f"{len(document['packages'])} packages, each with its version and licence")
        return bool(bad)
    if not shutil.which("dpkg-query"):
        print("no packages to ask here: skipped")
        return 0
    build = pathlib.Path(sys.argv[1]).resolve()
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        archive = place / "posiscope-0-linux.tar.xz"
        with tarfile.open(archive, "w:xz") as file:  # as app/package/portable: one library travels along
            file.add(os.path.realpath(__file__), "posiscope/lib/posiscope/libcairo.so.2")
        wheel = place / "posiscope-0-py3-none-linux.whl"
        with zipfile.ZipFile(wheel, "w") as file:
            file.writestr("posiscope/lib/posiscope/libcairo.so.2", "")
        files = [build / "posiscope", archive, wheel]

        def sbom(tool):
            return subprocess.run([sys.executable, str(tool), "--release", str(build), *map(str, files)],
                                  capture_output=True, text=True, check=False)

        made = sbom(PACKAGE / "sbom")
        if made.returncode:
            print(made.stderr)
            return 1
        document = json.loads(made.stdout)
        bad += problems(document, build, files)
        holds = {(one["spdxElementId"], one["relatedSpdxElement"].rsplit("-Library-")[1].split("-")[0])
                 for one in document["relationships"] if one["relationshipType"] == "CONTAINS"}
        if [("SPDXRef-File-" + file.name, "cairo") in holds for file in files] != [False, True, True]:
            bad.append("it does not tell which file brings Cairo along")
        for name, damage in damages().items():
            worse = copy.deepcopy(document)
            damage(worse)
            if not problems(worse, build, files):
                bad.append(f"not found: {name}")
        # A library whose licence nobody wrote down stops it.
        other = place / "tree/app/package"
        other.mkdir(parents=True)
        shutil.copy(PACKAGE / "sbom", other)
        text = (PACKAGE / "licences").read_text(encoding="utf-8")
        (other / "licences").write_text(re.sub(r"^pixman .*\n", "", text, flags=re.M), encoding="utf-8")
        shutil.copy(ROOT / "CMakeLists.txt", place / "tree")
        subprocess.run(["git", "init", "-q", str(place / "tree")], check=True)
        subprocess.run(["git", "-C", str(place / "tree"), "-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-q",
                        "--allow-empty", "-m", "a"], check=True)
        refused = sbom(other / "sbom")
        if refused.returncode == 0 or refused.stdout or "the licence of pixman is unknown" not in refused.stderr:
            bad.append(f"a library without a licence passes: {refused.stderr}")
    print("\n".join(bad) or "every library that the program has is named, and every damage is found")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
