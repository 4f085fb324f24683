"""The program that does the work. It is started once and answers for as long as this process runs (`posiscope serve`)."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import threading
from typing import BinaryIO, Optional, Sequence


class Error(RuntimeError):
    """The program's sentence; `code` is its exit code: 1 failed, 2 wrong usage, 3 no display or OpenGL."""

    def __init__(self, sentence: str, code: int):
        super().__init__(sentence)
        self.code = code


def program() -> str:
    """The program that is run: $POSISCOPE, else the wheel's own, else the one on PATH."""
    own = pathlib.Path(__file__).parent / "bin" / "posiscope"
    found = os.environ.get("POSISCOPE") or (str(own) if own.exists() else shutil.which("posiscope"))
    if not found:
        raise Error("The program posiscope is not installed. Install it, or name it in the variable POSISCOPE.", 1)
    return found


def _exactly(stream: BinaryIO, count: int) -> bytearray:
    said = bytearray(count)
    at = 0
    while at < count:
        read = stream.readinto(memoryview(said)[at:])  # type: ignore[attr-defined]
        if not read:
            raise EOFError
        at += read
    return said


class _Process:
    """The program at work, as this process was when it was started."""

    def __init__(self) -> None:
        self.program, self.environment, self.owner = program(), dict(os.environ), os.getpid()
        self.child = subprocess.Popen([self.program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def fits(self) -> bool:
        return (self.owner == os.getpid() and self.child.poll() is None and self.program == program()
                and self.environment == dict(os.environ))

    def end(self) -> None:
        if self.owner != os.getpid():  # a fork's copy: the process is its parent's
            return
        for stream in (self.child.stdin, self.child.stdout):
            if stream is not None:
                stream.close()
        self.child.terminate()
        self.child.wait()

    def ask(self, words: Sequence[str]) -> tuple[int, bytearray, bytearray]:
        assert self.child.stdin is not None and self.child.stdout is not None
        self.child.stdin.write(json.dumps({"words": words, "folder": os.getcwd()}).encode() + b"\n")
        self.child.stdin.flush()
        head = self.child.stdout.readline()
        if not head:
            raise EOFError
        sizes = json.loads(head)
        return (sizes["exit"], _exactly(self.child.stdout, sizes["out"]),  # type: ignore[arg-type]
                _exactly(self.child.stdout, sizes["err"]))  # type: ignore[arg-type]


def _does_not_start() -> Error:
    said = subprocess.run([program(), "--version"], capture_output=True, text=True).stderr.strip()
    return Error(f"The program cannot start: {said.split(': ', 1)[-1]}. "
                 "On Debian or Ubuntu: apt install libx11-6 libegl1 libgl1-mesa-dri.", 1)


_at_work: Optional[_Process] = None
_one_at_a_time = threading.Lock()


def _reply(words: Sequence[str]) -> tuple[int, bytearray, bytearray]:
    global _at_work
    with _one_at_a_time:
        if _at_work is None or not _at_work.fits():
            if _at_work is not None:
                _at_work.end()
            _at_work = _Process()
        try:
            return _at_work.ask(words)
        except (EOFError, OSError):
            code = _at_work.child.wait()
            _at_work = None
            if code == 127:  # from the system's loader
                raise _does_not_start() from None
            raise Error(f"The program ended without an answer (exit code {code}). The next call starts it again.", 1) from None
        except BaseException:  # Ctrl C: what it would still say is nobody's answer
            _at_work.end()
            _at_work = None
            raise


def run(words: Sequence[str], fine: Sequence[int] = (0,)) -> tuple[bytearray, bytearray]:
    """Standard output and error of the program with these words; an Error where its exit code is none of `fine`."""
    words = [*words, "--lang", "en"]
    try:
        "".join(words).encode()
    except UnicodeEncodeError:  # the name of a file that no JSON can hold
        done = subprocess.run([program(), *words], capture_output=True)
        code, out, err = done.returncode, bytearray(done.stdout), bytearray(done.stderr)
    else:
        code, out, err = _reply(words)
    if code not in fine:
        raise Error(err.decode("utf-8", "replace").strip(), code)
    return out, err
