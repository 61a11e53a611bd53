# SPDX-License-Identifier: GPL-3.0-or-later
# printed_type.py LEAST FILE.pdf .. : is every word of a picture at least LEAST points high, on the page, and on no other word?
# By pdftotext (poppler-utils). Prints each fault; the status is 1 where there is one. FILE.gp as the last argument: all words
# of its key are there.
import html, re, subprocess, sys

# Letters of DejaVu Sans are 1.164 times as high as their size, with what is above and below them.
LETTER = 1.164


def words_of(path):
    text = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
    page = [float(x) for x in re.search(r'<page width="([0-9.]*)" height="([0-9.]*)"', text).groups()]
    box = r'<word xMin="([-0-9.]*)" yMin="([-0-9.]*)" xMax="([-0-9.]*)" yMax="([-0-9.]*)">(.*?)</word>'
    return page, [(html.unescape(word), *(float(x) for x in sides)) for *sides, word in re.findall(box, text)]


def overlap(p, q):
    # what letters leave free above and below them may meet
    slack = [0.2 * min(r[2] - r[0], r[3] - r[1]) for r in (p, q)]
    return all(min(p[k + 2] - slack[0], q[k + 2] - slack[1]) > max(p[k] + slack[0], q[k] + slack[1]) for k in (0, 1))


def faults(path, least):
    (width, height), words = words_of(path)
    if len(words) < 6:
        yield "has %d words" % len(words)
    for i, (word, *p) in enumerate(words):
        sides = p[2] - p[0], p[3] - p[1]
        size = (min(sides) if len(word) > 2 else max(sides)) / LETTER
        if size < least - 0.05:
            yield "%s is of %.1f pt" % (word, size)
        if p[0] < -1 or p[1] < -1 or p[2] > width + 1 or p[3] > height + 1:
            yield "%s leaves the page" % word
        for other, *q in words[:i]:
            if overlap(p, q):
                yield "%s and %s overlap" % (word, other)


least, *files = sys.argv[1:]
found = ["%s: %s" % (path, fault) for path in files if path.endswith(".pdf") for fault in faults(path, float(least))]
if files[-1].endswith(".gp"):
    titles = " ".join(re.findall(r" title '([^']*)'", open(files[-1]).read())).split()
    found += ["%s of the key is not there" % word for word in sorted(set(titles) - {w for w, *_ in words_of(files[0])[1]})]
print("\n".join(found), end="\n" if found else "", file=sys.stderr)
sys.exit(bool(found))
