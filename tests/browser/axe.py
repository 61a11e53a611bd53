# SPDX-License-Identifier: GPL-3.0-or-later
"""Contrast and names of what a page has, by axe-core, light and dark, where it is there: axe.min.js that AXE names, else of a node_modules in the
tree (npm install --no-save axe-core) or of the machine. Debian has no package of it, so that it is optional."""
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
PLACES = (HERE.parents[1] / "node_modules", HERE / "node_modules", pathlib.Path("/usr/local/lib/node_modules"),
          pathlib.Path("/usr/lib/node_modules"), pathlib.Path("/usr/share/nodejs"))
RUN = """axe.run(document, {resultTypes: ['violations']%s}).then(found => [found.passes.length, found.violations.map(
    rule => rule.id + ': ' + rule.nodes.slice(0, 3).map(node => node.target + ' ' + node.failureSummary.split('\\n').slice(1).join(' ')).join(' | '))])"""


def source():
    """The text of axe-core, or None."""
    given = os.environ.get("AXE")
    paths = [pathlib.Path(given)] if given else [place / "axe-core" / "axe.min.js" for place in PLACES]
    return next((path.read_text(encoding="utf-8") for path in paths if path.is_file()), None)


def check(browser, folder, names, result):
    text = source()
    if text is None:
        print("# axe-core is not there: contrast and names were not looked at (npm install --no-save axe-core, or AXE=FILE)")
        return
    page = browser.page(1200, 1000)
    for name in names:
        for dark in (False, True):
            page.open(pathlib.Path(folder, name).resolve().as_uri())
            page.dark(dark)
            page.value("new Promise(done => setTimeout(done, 300))")
            page.call("Runtime.evaluate", expression=text)
            asked, wrong = page.value(RUN % (", runOnly: ['color-contrast']" if dark else ""))
            result(asked > 0 and wrong == [], name + (", dark: axe-core finds no contrast too low" if dark else
                                                      ": axe-core finds nothing in contrast, names and the rest"), "\n# ".join(wrong))
    page.close()
