# SPDX-License-Identifier: GPL-3.0-or-later
"""run.py FOLDER [FOLDER] - the pages of `macrostep report` in a headless Chromium, at 1400 px and in a frame of 390 px.

The first folder holds what is tried, among it an answer that a stranger has made (see hostile below). Of it, and of the
second folder where that has a report, size, load time (the median of five) and printed pages are printed; nothing hangs on
them. Prints TAP.
"""
import base64
import json
import os
import pathlib
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import axe  # noqa: E402
import explorer  # noqa: E402
from chromium import Chromium  # noqa: E402

EVIL = "\"'></td></section><script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 1\">"
WIDE, NARROW, HEIGHT = 1400, 390, 844
count = failed = 0


def result(holds, what, why=""):
    global count, failed
    count += 1
    failed += not holds
    print("%sok %d - %s" % ("" if holds else "not ", count, what))
    if not holds:
        print("# %s" % why)


def same(got, wanted, what):
    result(got == wanted, what, "%r, not %r" % (got, wanted))


# What the report is made of ------------------------------------------------------------------------------

def hostile(folder):
    """An answer whose every text would do harm, and a picture with a script."""
    name = "moshagen2021-fig12"
    answer = {"id": "moshagen2021:fig12", "title": EVIL, "source": EVIL, "status": EVIL, "checks_held": [0, 1],
              "checks": [{"what": EVIL, "published": EVIL, "measured": {EVIL: EVIL}, "tolerance": [EVIL],
                          "verdict": EVIL, "note": EVIL}],
              "tables": {EVIL: [{EVIL: EVIL}]}, "remarks": [EVIL], "commands": [EVIL],
              "files": ["%s.svg" % name, "javascript:window.hacked=1", "%s\" onclick=\"x.csv" % name]}
    figures = pathlib.Path(folder, "figures")
    (figures / (name + ".json")).write_text(json.dumps(answer))
    (figures / (name + ".gp")).write_text("set xlabel '%s'\nset ylabel '%s'\nplot x\n" % (EVIL, EVIL))
    (figures / (name + ".svg")).write_text(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><script>parent.hacked = 1</script></svg>")


def address(folder, page):
    return pathlib.Path(folder, page).resolve().as_uri()


# At any width --------------------------------------------------------------------------------------------

ROWS = "[...document.querySelectorAll('table.index tbody tr')]"
SHOWN = ROWS + ".filter(r => r.offsetParent !== null)"


def settle(page):
    page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")


def choose(page, name, value):
    page.value("(() => { const f = document.querySelector('form.filters'); f.elements[%s].value = %s;"
               "f.dispatchEvent(new Event('input', {bubbles: true})); })()" % (json.dumps(name), json.dumps(value)))


def reset(page):
    page.value("document.querySelector('form.filters button[type=reset]').click()")
    settle(page)


def check_filters(page, where):
    n = page.value(ROWS + ".length")
    same(page.value(SHOWN + ".length"), n, where + ": all rows are shown at first")
    for name, text in (("paper", "Andersson 2016"), ("verdict", "reproduced"), ("models", "linear-pair"),
                       ("schemes", "balance")):
        options = page.value("[...document.querySelector('form.filters').elements.%s.options].map(o => o.value)" % name)
        result(text in options, "%s: filter %s offers %s" % (where, name, text), options)
        choose(page, name, text)
        fit = page.value(ROWS + ".filter(r => r.dataset.%s.split(%s).includes(%s)).length"
                         % (name, "/$^/" if name in ("paper", "verdict") else "' '", json.dumps(text)))
        result(0 < fit < n, "%s: some of %s fit, not all" % (where, name), fit)
        same(page.value(SHOWN + ".length"), fit, "%s: filter %s shows the rows that fit" % (where, name))
        same(page.value("[...document.querySelectorAll('section.figure')].filter(s => !s.hidden).length"), fit,
             "%s: ... and their sections" % where)
        result(("%d of %d" % (fit, n)) in page.value("document.querySelector('form output').value"),
               "%s: ... and says how many" % where)
        reset(page)
    choose(page, "paper", "Andersson 2016")
    choose(page, "models", "spring-mass")
    same(page.value(SHOWN + ".length"), 0, where + ": two filters have to fit both")
    reset(page)
    same(page.value(SHOWN + ".length"), n, where + ": all again")


def check_search(page, where):
    choose(page, "search", "LINEAR pair constant")
    found = page.value(SHOWN + ".map(r => r.dataset.id)")
    result("andersson2016-fig6.1" in found, where + ": search finds words in any case", found)
    choose(page, "search", "singular algebraic perturbed starts")
    found = page.value(SHOWN + ".map(r => r.dataset.id)")
    result(len(found) <= 5, where + ": search looks for all words", found)
    choose(page, "search", "leaves the drawn range")
    result("andersson2016-fig6.1" in page.value(SHOWN + ".map(r => r.dataset.id)"), where + ": search reads checks")
    choose(page, "search", "no such word")
    same(page.value(SHOWN + ".length"), 0, where + ": what is nowhere is not found")
    page.value("location.hash = ''")
    page.value("location.hash = 'andersson2016-fig6.1'")
    settle(page)
    same(page.value("document.getElementById('andersson2016-fig6.1').hidden"), False,
         where + ": a link to a hidden figure shows it")
    reset(page)


def check_sorting(page, where):
    ranks = page.value(ROWS + ".map(r => Number(r.dataset.rank))")
    same(ranks, sorted(ranks), where + ": deviations stand first")
    button = "document.querySelector('table.index th[data-key=%s] button').click()"
    page.value(button % "missed")
    page.value(button % "missed")
    missed = page.value(ROWS + ".map(r => Number(r.dataset.missed))")
    same(missed, sorted(missed, reverse=True), where + ": sorted by checks missed, most first")
    same(page.value("[...document.querySelectorAll('th[aria-sort]')].map(t => t.dataset.key + t.ariaSort)"),
         ["misseddescending"], where + ": the column says how it is sorted")
    page.value(button % "title")
    titles = page.value(ROWS + ".map(r => r.dataset.title)")
    result(titles == page.value("%s.sort((a, b) => a.localeCompare(b))" % json.dumps(titles)),
           where + ": sorted by title")
    page.value(button % "rank")


def check_links(page, folder, where):
    broken = page.value("[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href').slice(1))"
                        ".filter(id => id && !document.getElementById(id))")
    same(broken, [], where + ": each place in the page is there")
    links = page.value("[...document.querySelectorAll('a[href]:not([href^=\"#\"]), img')]"
                       ".map(e => e.getAttribute('href') || e.getAttribute('src'))")
    papers = [link for link in links if re.fullmatch(r"https://(doi\.org|arxiv\.org/abs)/[\w./-]+", link)]
    result(len(papers) <= 4, where + ": other sites are those of the papers alone", papers)
    links = [link for link in links if link not in papers]
    result(links and all(re.fullmatch(r"[\w./#-]+", link) for link in links), where + ": links go to files beside it",
           [link for link in links if not re.fullmatch(r"[\w./#-]+", link)])
    absent = [link for link in links if not pathlib.Path(folder, link.split("#")[0]).exists()]
    same(absent, [], where + ": each file is there")


def check_names(page, where):
    same(page.value("[...document.images].filter(i => !i.alt.endsWith('.') || i.alt.length < 20).map(i => i.src)"), [],
         where + ": each picture has a sentence")
    same(page.value("[...document.querySelectorAll('th')].filter(t => !t.scope).length"), 0,
         where + ": each head of a table says what it is the head of")
    same(page.value("document.querySelectorAll('h1').length"), 1, where + ": one heading of the page")
    ids = page.value("[...document.querySelectorAll('[id]')].map(e => e.id)")
    same(len(ids), len(set(ids)), where + ": no id stands twice")


def check_width(page, where):
    """The page itself does not scroll sideways; a wide table or picture does, in its own frame."""
    page.value("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    page.value("document.querySelectorAll('section').forEach(s => { s.style.contentVisibility = 'visible'; })")
    settle(page)
    wide, have = page.value("[document.documentElement.scrollWidth, innerWidth]")
    result(wide <= have, where + ": no horizontal scrolling", "%d of %d px" % (wide, have))
    same(page.value("[...document.querySelectorAll('.wide')].filter(e => e.tabIndex < 0).length"), 0,
         where + ": tables that scroll are reached by keys")
    page.value("document.querySelectorAll('section').forEach(s => { s.style.contentVisibility = ''; })")


def check_quiet(page, where):
    same(page.complaints(), [], where + ": no errors in the console")
    same([r for r in page.requests() if not r.startswith(("file:", "data:"))], [], where + ": nothing is fetched")
    same(page.value("typeof window.hacked"), "undefined", where + ": what a stranger wrote does nothing")


def check_pictures(page, where):
    """Pictures are loaded when they come into view."""
    picture = "document.querySelector('#andersson2016-fig6\\\\.1 img')"
    result(page.value("![...document.images].slice(-1)[0].complete"), where + ": the last picture has to wait")
    page.value(picture + ".scrollIntoView()")
    page.value("new Promise(done => { const i = %s; i.complete ? done() : i.onload = i.onerror = done; })" % picture)
    result(page.value(picture + ".naturalWidth > 0"), where + ": a picture that comes into view is loaded")


def check_dark(page, where):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.value(colour)
    page.dark(True)
    settle(page)
    result(page.value(colour) != light, where + ": dark mode has a page of its own")
    result("invert" in page.value("getComputedStyle(document.images[0]).filter"), where + ": pictures follow it")
    page.dark(False)


def check_print(page, where):
    """Of a reader in dark mode: on white, with the colours of the light page, and without the index."""
    badge = "getComputedStyle(document.querySelector('.badge.reproduced')).color"
    light = page.value(badge)
    page.dark(True, "print")
    settle(page)
    same(page.value("getComputedStyle(document.querySelector('table.index')).display"), "none", where + ", printed: no index")
    same(page.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)", where + ", printed: on white")
    same(page.value(badge), light, where + ", printed: the colours of the light page")
    same(page.value("getComputedStyle(document.images[0]).filter"), "none", where + ", printed: pictures as drawn")
    page.dark(False)


def check_report(page, folder, where, quick=False):
    check_quiet(page, where)
    if not quick:
        check_pictures(page, where)
    check_filters(page, where)
    check_search(page, where)
    check_sorting(page, where)
    check_links(page, folder, where)
    check_names(page, where)
    check_width(page, where)
    check_quiet(page, where + ", at the end")


# The frame -----------------------------------------------------------------------------------------------

class Frame:
    """A page inside a frame of another, which is as narrow as a telephone; windows are never narrower than 500 px."""

    def __init__(self, page, folder, name):
        self.page = page
        path = pathlib.Path(folder, "frame.html")
        path.write_text("<!DOCTYPE html><title>frame</title><iframe src=\"%s\" width=\"%d\" height=\"%d\" "
                        "style=\"border: 0\"></iframe>" % (name, NARROW, HEIGHT))
        page.open(path.resolve().as_uri())
        path.unlink()
        contexts = page.seen("Runtime.executionContextCreated")
        main = page.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self.context = [c["context"]["id"] for c in contexts
                        if c["context"]["auxData"]["frameId"] != main and c["context"]["auxData"]["isDefault"]][-1]

    def value(self, expression):
        answer = self.page.call("Runtime.evaluate", expression=expression, contextId=self.context, returnByValue=True,
                                awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def complaints(self):
        return self.page.complaints()

    def requests(self):
        return self.page.requests()


# What is printed, not judged -----------------------------------------------------------------------------

def measure(browser, folder):
    path = pathlib.Path(folder, "report.html")
    times = []
    for _ in range(5):
        page = browser.page(WIDE, 900)
        page.open(path.resolve().as_uri())
        page.value("new Promise(done => setTimeout(done, 0))")
        times.append(page.value("performance.timing.loadEventEnd - performance.timing.navigationStart"))
        figures = page.value("document.querySelectorAll('section.figure').length")
        drawn = page.value("document.querySelectorAll('section.figure figure.picture').length")
        if len(times) == 5:
            page.value("Promise.all([...document.images].map(i => { i.loading = 'eager'; return i.decode(); }))")
            printed = base64.b64decode(page.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
        page.close()
    print("# %s: %d figures, %d pictures, %.0f kB, load event after %.0f ms (median of five), %d printed pages"
          % (path, figures, drawn, path.stat().st_size / 1e3, statistics.median(times),
             len(re.findall(rb"/Type\s*/Page\b", printed))))


def main(folders):
    folder = folders[0]
    with Chromium() as browser:
        page = browser.page(WIDE, 900)
        page.open(address(folder, "report.html"))
        check_report(page, folder, "1400 px")
        check_dark(page, "1400 px")
        check_print(page, "1400 px")
        page.close()
        page = browser.page(1000, 900)
        check_report(Frame(page, folder, "report.html"), folder, "390 px", quick=True)
        others = ("field.html", "errata.html", "ledger.html", "explorer.html")
        for name in others:
            frame = Frame(page, folder, name)
            for check in (check_quiet, check_names, check_width):
                check(frame, "390 px, " + name)
            check_links(frame, folder, "390 px, " + name)
        page.close()
        explorer.check(browser, folder, address(folder, "explorer.html"), result)
        axe.check(browser, folder, ("report.html", *others), result)
        for each in folders:
            if pathlib.Path(each, "report.html").exists():
                measure(browser, each)
    print("1..%d" % count)
    return failed > 0


if __name__ == "__main__":
    if sys.argv[1] == "--hostile":
        hostile(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
