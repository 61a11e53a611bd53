# SPDX-License-Identifier: GPL-3.0-or-later
"""comments.py FOLDER: names in the comments of C sources below it that nothing has: files NAME.c and NAME.h, and what begins
with ms_ or MS_. One line for each, and exit status 1. A name that goes on with *, as ms_dense_*, needs one that begins so; files
that code names in its texts are there, too, and NAME stands for any name."""
import pathlib
import re
import sys

TOKEN = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
NAME = re.compile(r"\bms_[a-z0-9_]+(?:\*|\b)|\bMS_[A-Z0-9_]+(?:\*|\b)")
FILE = re.compile(r"(?<![\w<*.{}-])[a-z][a-z0-9_]*\.[ch]\b")


def split(text):
    """The comments of a source with the lines that they begin in, and what is left."""
    comments = [(text.count("\n", 0, m.start()) + 1, m.group()) for m in TOKEN.finditer(text) if m.group()[0] == "/"]
    return comments, TOKEN.sub(lambda m: " " if m.group()[0] == "/" else m.group(), text)


def main(folder):
    root = pathlib.Path(folder)
    rooms = [root / room for room in ("models", "algorithms", "analysis", "bench", "tests")]
    sources = {path: split(path.read_text()) for room in rooms for path in sorted(room.rglob("*.[ch]"))}
    files = {path.name for path in sources} | {name for _, code in sources.values() for name in FILE.findall(code)}
    files |= {name for _, code in sources.values() for name in re.findall(r"#include <(?:.*/)?(.*)>", code)}
    names = {name for _, code in sources.values() for name in NAME.findall(code)}
    wrong = 0
    for path, (comments, _) in sources.items():
        for line, comment in comments:
            for name in sorted(set(FILE.findall(comment)) - files):
                print(f"{path.relative_to(root)}:{line}: no file {name}")
                wrong += 1
            for name in sorted(set(NAME.findall(comment)) - names):
                if not (name.endswith(("*", "_")) and any(known.startswith(name.rstrip("*")) for known in names)):
                    print(f"{path.relative_to(root)}:{line}: nothing is called {name}")
                    wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
