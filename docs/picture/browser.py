#!/usr/bin/env python3
"""Take a picture of a query's graph in the Neo4j Browser.

usage: browser.py URL PASSWORD_FILE QUERY PICTURE.png

Headless Chromium is driven through the DevTools protocol on a pipe, so nothing beyond Python is
needed. The style sheet beside this file is dropped on the Browser as a user would drop it.
"""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

WIDTH, HEIGHT, SCALE = 1120, 720, 1.25  # 1400x900 pixels
FLAGS = ("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
         "--disable-background-networking --disable-component-update --remote-debugging-pipe").split()

# The larger of the two shares of the frame that the nodes span, across and down.
COVERED = """(() => {
    const nodes = [...document.querySelectorAll('svg .node')].map(e => e.getBoundingClientRect());
    const span = (low, high) => Math.max(...nodes.map(r => r[high])) - Math.min(...nodes.map(r => r[low]));
    return Math.max(span('left', 'right') / (innerWidth - 300), span('top', 'bottom') / (innerHeight - 60));
})()"""


class Page:
    """One page of a Chromium that ends with the with block."""

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="browser-picture-")
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()

        def wire():  # Chromium reads commands from 3 and answers on 4
            a, b = os.dup(to_read), os.dup(back_write)
            os.dup2(a, 3), os.dup2(b, 4)

        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or "google-chrome"
        self.process = subprocess.Popen([chromium, *FLAGS, "--user-data-dir=" + self.profile, "about:blank"],
                                        preexec_fn=wire, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(back_write)
        self.buffer, self.number, self.session = b"", 0, {}
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = {"sessionId": attached["sessionId"]}
        self.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=SCALE, mobile=False)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params, **self.session}
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                part = os.read(self.back, 1 << 20)
                if not part:
                    sys.exit("Chromium ended early")
                self.buffer += part
            line, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer["result"] if "error" not in answer else sys.exit(f"{method}: {answer['error']}")

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=60):
        end = time.time() + seconds
        while not (value := self.js(expression)):
            if time.time() > end:
                sys.exit("not seen in the Browser: " + expression)
            time.sleep(0.2)
        return value

    def click(self, find):
        """Click the middle of the element that the JavaScript expression finds."""
        x, y = self.wait(f"(e => e && (r => [r.x + r.width/2, r.y + r.height/2])(e.getBoundingClientRect()))({find})")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=1,
                      button="none" if kind == "mouseMoved" else "left")

    def fill(self, selector, text):
        field = f"document.querySelector('{selector}')"
        self.wait(f"(e => e && (e.focus(), e.select(), true))({field})")
        self.call("Input.insertText", text=text)
        self.wait(f"{field}.value === {json.dumps(text)}", 5)

    def command(self, text):
        """Run a line in the editor."""
        self.click("document.querySelector('[data-testid=activeEditor] .monaco-editor')")
        self.call("Input.insertText", text=text)
        for kind in ("rawKeyDown", "keyUp"):  # Ctrl and Enter
            self.call("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13, modifiers=2)

    def drop(self, path):
        """Drop a file on the window."""
        with open(path) as file:
            text, name = file.read(), os.path.basename(path)
        self.js(f"""(() => {{
            const data = new DataTransfer();
            data.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));
            const on = document.querySelector('[data-testid=stream]');
            for (const kind of ['dragenter', 'dragover', 'drop'])
                on.dispatchEvent(new DragEvent(kind, {{bubbles: true, cancelable: true, dataTransfer: data}}));
        }})()""")


def main(url, password_file, query, picture):
    with open(password_file) as file:
        password = file.read().strip()
    with Page() as page:
        page.call("Page.navigate", url=url)
        page.wait("document.querySelector('[data-testid=password]') && true")
        time.sleep(2)  # the form takes the focus once more after it shows
        page.fill("[data-testid=username]", "neo4j")
        page.fill("[data-testid=password]", password)
        page.click("document.querySelector('[data-testid=connect]')")
        page.wait("!document.querySelector('[data-testid=disconnectedBanner]')")
        time.sleep(5)  # the start page comes late, above what is there
        page.drop(os.path.join(os.path.dirname(os.path.abspath(__file__)), "communities.grass"))
        # Without autoComplete only the relationships of the query are drawn.
        for line in (':config {"autoComplete": false}', ":clear", query):
            time.sleep(1)
            page.command(line)
        page.wait("document.querySelector('svg .node') && true")
        page.click("document.querySelector('[data-testid=frame] button[title=Fullscreen]')")
        time.sleep(6)  # until the layout rests
        while page.js(COVERED) < 0.72:
            page.click("document.querySelector('[aria-label=zoom-in]')")
            time.sleep(1)
        with open(picture, "wb") as file:
            file.write(base64.b64decode(page.call("Page.captureScreenshot", format="png")["data"]))


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 5 else sys.exit(__doc__)
