#!/usr/bin/env python3
"""Drops files on a window of X, as a file manager does (XDND, version 5): drop.py WINDOW FILE... Ends with 0 once they were taken."""
import ctypes
import ctypes.util
import pathlib
import sys
import time

LONG, INT, POINTER = ctypes.c_long, ctypes.c_int, ctypes.c_void_p
SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33


class Head(ctypes.Structure):
    _fields_ = [("type", INT), ("serial", LONG), ("sent", INT), ("display", POINTER), ("window", LONG)]


class Message(ctypes.Structure):
    _fields_ = [*Head._fields_, ("kind", LONG), ("format", INT), ("data", LONG * 5)]


class Request(ctypes.Structure):  # its window is the owner
    _fields_ = [*Head._fields_, ("asks", LONG), ("selection", LONG), ("target", LONG), ("property", LONG), ("time", LONG)]


class Answer(ctypes.Structure):
    _fields_ = [*Head._fields_, ("selection", LONG), ("target", LONG), ("property", LONG), ("time", LONG)]


class Event(ctypes.Union):
    _fields_ = [("message", Message), ("request", Request), ("answer", Answer), ("room", LONG * 24), ("type", INT)]


x = ctypes.CDLL(ctypes.util.find_library("X11"))
x.XOpenDisplay.restype = POINTER
for name in ("XDefaultRootWindow", "XCreateSimpleWindow", "XInternAtom"):
    getattr(x, name).restype = LONG
display = POINTER(x.XOpenDisplay(None))
target = int(sys.argv[1])
dropped = "".join(pathlib.Path(name).resolve().as_uri() + "\r\n" for name in sys.argv[2:]).encode()
own = LONG(x.XCreateSimpleWindow(display, LONG(x.XDefaultRootWindow(display)), 0, 0, 1, 1, 0, LONG(0), LONG(0)))


def atom(text):
    return x.XInternAtom(display, text.encode(), 0)


def tell(kind, *words):
    event = Event()
    event.message.type, event.message.display, event.message.window = CLIENT_MESSAGE, display.value, target
    event.message.kind, event.message.format = atom(kind), 32
    event.message.data[:] = [own.value, *words, *[0] * (4 - len(words))]
    x.XSendEvent(display, LONG(target), 0, LONG(0), ctypes.byref(event))
    x.XFlush(display)


def hand_over(asked):
    property_ = asked.property or asked.target
    x.XChangeProperty(display, LONG(asked.asks), LONG(property_), LONG(asked.target), 8, 0, dropped, len(dropped))
    event = Event()
    event.answer.type, event.answer.display, event.answer.window = SELECTION_NOTIFY, display.value, asked.asks
    event.answer.selection, event.answer.target = asked.selection, asked.target
    event.answer.property, event.answer.time = property_, asked.time
    x.XSendEvent(display, LONG(asked.asks), 0, LONG(0), ctypes.byref(event))
    x.XFlush(display)


def heard(kind, seconds=20.0):
    """The next message of this kind; whoever asks for the files meanwhile gets them."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if x.XPending(display) == 0:
            time.sleep(0.02)
            continue
        event = Event()
        x.XNextEvent(display, ctypes.byref(event))
        if event.type == SELECTION_REQUEST:
            hand_over(event.request)
        elif event.type == CLIENT_MESSAGE and event.message.kind == atom(kind):
            return event.message.data
    sys.exit(f"drop.py: the window sends no {kind}")


files = atom("text/uri-list")
x.XSetSelectionOwner(display, LONG(atom("XdndSelection")), own, LONG(0))
tell("XdndEnter", 5 << 24, files)
for place in (300, 400):
    tell("XdndPosition", 0, place << 16 | place, 0, atom("XdndActionCopy"))
    accepted = heard("XdndStatus")[1] & 1
if not accepted:
    sys.exit("drop.py: the window takes no files")
tell("XdndDrop", 0, 0)
heard("XdndFinished")
