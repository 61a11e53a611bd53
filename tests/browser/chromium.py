# SPDX-License-Identifier: GPL-3.0-or-later
"""A headless Chromium, driven through its pipe (--remote-debugging-pipe): JSON messages that end in a zero byte.

    with Chromium() as browser:
        page = browser.page(width=1400, height=900)
        page.open("file:///tmp/page.html")
        page.value("document.title")

Needs Python's standard library alone, and the command `chromium`, or the one that CHROMIUM names.
"""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class BrowserError(Exception):
    pass


class Chromium:
    TIMEOUT = 60.0  # seconds without any answer

    def __init__(self, command=None):
        self.command = command or os.environ.get("CHROMIUM", "chromium")
        self.last, self.buffer, self.events = 0, b"", []

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="macrostep-browser-")
        read_there, self.write_here = os.pipe()
        self.read_here, write_there = os.pipe()
        # Chromium reads from descriptor 3 and writes to 4; the shell puts them there.
        flags = ["--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + self.profile, "--no-first-run",
                 "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--disable-default-apps", "--no-proxy-server",
                 "--host-resolver-rules=MAP * ~NOTFOUND"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        redirect = 'exec "$@" 3<&%d 4>&%d' % (read_there, write_there)
        self.process = subprocess.Popen(["bash", "-c", redirect, "sh", self.command] + flags + ["about:blank"],
                                        pass_fds=(read_there, write_there), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_here)
        os.close(self.read_here)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, timeout):
        """The next message, or None after `timeout` seconds."""
        end = time.monotonic() + timeout
        while b"\0" not in self.buffer:
            if not select.select([self.read_here], [], [], max(0.0, end - time.monotonic()))[0]:
                return None
            data = os.read(self.read_here, 1 << 16)
            if not data:
                raise BrowserError("%s has ended" % self.command)
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.last += 1
        number = self.last
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_here, data):]
        while True:
            answer = self.receive(self.TIMEOUT)
            if answer is None:
                raise BrowserError("%s: no answer within %g s" % (method, self.TIMEOUT))
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise BrowserError("%s: %s" % (method, answer["error"]["message"]))
            else:
                return answer["result"]

    def page(self, width, height):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, target, session, width, height)


class Page:
    def __init__(self, browser, target, session, width, height):
        self.browser, self.target, self.session = browser, target, session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def dark(self, dark, media=""):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def open(self, address):
        """Waits for the load event."""
        self.browser.events.clear()
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def wait(self, method):
        end = time.monotonic() + self.browser.TIMEOUT
        while not any(event.get("method") == method for event in self.browser.events):
            event = self.browser.receive(end - time.monotonic())
            if event is None:
                raise BrowserError("no %s within %g s" % (method, self.browser.TIMEOUT))
            self.browser.events.append(event)

    def value(self, expression):
        """What the expression is worth in the page; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def seen(self, method):
        """The parameters of the events of that name since open()."""
        return [event["params"] for event in self.browser.events
                if event.get("method") == method and event.get("sessionId") == self.session]

    def complaints(self):
        """Exceptions, errors and warnings of the console, what was refused or not found."""
        texts = [e["exceptionDetails"].get("exception", {}).get("description", e["exceptionDetails"]["text"])
                 for e in self.seen("Runtime.exceptionThrown")]
        texts += [e["entry"]["text"] for e in self.seen("Log.entryAdded") if e["entry"]["level"] in ("error", "warning")]
        texts += [str(e["args"]) for e in self.seen("Runtime.consoleAPICalled") if e["type"] in ("error", "warning")]
        return texts

    def requests(self):
        return [e["request"]["url"] for e in self.seen("Network.requestWillBeSent")]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
