from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
ADDRESS = "127.0.0.1"
KEPT = ("PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "VIRTUAL_ENV", "OMP_NUM_THREADS")
START = 180_000  # milliseconds for a page or a kernel on a machine that is busy
VIEWPORT = {"width": 1280, "height": 1000}
QUIET = {"fetchNews": "false", "checkForUpdates": False}

# Written into the first cell: where the kernel's process is, so that a test can stop it.
PROCESS = "import os, pathlib; _ = pathlib.Path('process').write_text(str(os.getpid()))\n"

# Every piece of text against what is painted behind it, by the formula of WCAG 2.1.
CONTRAST = """root => {
  const channel = c => { c /= 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
  const parse = text => text.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const behind = node => {
    for (let n = node; n; n = n.parentElement) {
      const c = parse(getComputedStyle(n).backgroundColor);
      if (c.length < 4 || c[3] === 1) return c;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const node of root.querySelectorAll('*')) {
    const own = [...node.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !node.offsetParent) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) low.push(`${node.className} ${node.textContent}: ${ratio.toFixed(2)}`);
  }
  return low;
}"""


class Server:
    """A Jupyter server that serves JupyterLab and Notebook 7, with settings of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.token = folder / "files", secrets.token_hex(16)
        self.folder.mkdir()
        with socket.socket() as free:
            free.bind((ADDRESS, 0))
            self.port = free.getsockname()[1]
        names = ("CONFIG", "DATA", "RUNTIME")
        places = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in names}
        settings = folder / "settings"
        settings.mkdir()
        notifications = {"@jupyterlab/apputils-extension:notification": QUIET}
        (settings / "overrides.json").write_text(json.dumps(notifications))
        options = {
            "ServerApp.ip": ADDRESS,
            "ServerApp.port": self.port,
            "ServerApp.port_retries": 0,
            "ServerApp.root_dir": self.folder,
            "ServerApp.open_browser": False,
            "ServerApp.allow_root": True,
            "IdentityProvider.token": self.token,
            "LabApp.app_settings_dir": settings,
            "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
            "LabApp.extension_manager": "readonly",
        }
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        ours = {"IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(REPOSITORY)}
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter
                [sys.executable, "-m", "jupyterlab", *(f"--{k}={v}" for k, v in options.items())],
                env={**kept, **places, **ours},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait(folder / "log")

    def url(self, path: str) -> str:
        return f"http://{ADDRESS}:{self.port}/{path}?reset&token={self.token}"

    def stop(self) -> None:
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def _wait(self, log: Path) -> None:
        for _ in range(240):
            try:
                with urllib.request.urlopen(self.url("api/status"), timeout=2):  # noqa: S310
                    return
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.25)
        pytest.fail(f"Jupyter did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("jupyter"))
    yield server
    server.stop()


class Desk:
    """A notebook that is open in a browser."""

    def __init__(self, server: Server, page, *, app: str, cells: list[str], name: str) -> None:
        self.server, self.page, self.app = server, page, app
        self.requests, self.complaints, self.dialogs = [], [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._dismiss)
        self.folder = server.folder / name
        self.folder.mkdir()
        self.path = self.folder / "desk.ipynb"
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in [PROCESS + cells[0], *cells[1:]]]
        )
        notebook.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        nbformat.write(notebook, self.path)
        tree = "lab/tree" if app == "lab" else "notebooks"
        page.goto(server.url(f"{tree}/{name}/desk.ipynb"), wait_until="commit", timeout=START)
        page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=START)
        self._wait_for_kernel()
        self.run_all()

    def run_all(self) -> None:
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_text("Run All Cells", exact=True).click()
        self.root.wait_for(timeout=START)
        self.page.wait_for_function(
            "() => document.querySelector('.ct-counts')?.textContent", timeout=START
        )

    def run_again(self) -> None:
        """Run all cells in a kernel that was started again."""
        self.root.evaluate("node => node.classList.replace('ct-root', 'ct-before')")
        self.run_all()

    def run_cell(self, source: str) -> None:
        """Run one line in the last cell."""
        cell = self.page.locator(".jp-Notebook .jp-Cell").last
        cell.locator(".cm-content").click()
        self.keys("Control+a")
        self.page.keyboard.insert_text(source)
        self.keys("Control+Enter")
        self.page.wait_for_timeout(1500)

    @property
    def root(self):
        return self.page.locator(".ct-root").last

    @property
    def pane(self):
        return self.root.locator(".ct-pane")

    @property
    def status(self):
        return self.root.locator(".ct-status")

    @property
    def alert(self):
        return self.root.locator(".ct-alert")

    @property
    def kernel(self) -> int:
        return int((self.folder / "process").read_text())

    @property
    def outside(self) -> list[str]:
        """Requests to anything but this server."""
        inside = (f"http://{ADDRESS}:{self.server.port}/", f"ws://{ADDRESS}", "data:", "blob:")
        return [url for url in self.requests if not url.startswith(inside)]

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def wait_for_status(self, text: str) -> None:
        self.status.filter(has_text=text).wait_for(timeout=30_000)

    def use_theme(self, name: str) -> None:
        """Choose a theme of JupyterLab by its menu."""
        self.page.get_by_role("menuitem", name="Settings", exact=True).click()
        self.page.get_by_text("Theme", exact=True).hover()
        self.page.get_by_text(name, exact=True).click()
        body = self.page.locator(f"body[data-jp-theme-name='{name}']")
        body.wait_for(state="attached")
        self.page.wait_for_timeout(1000)

    def low_contrast(self) -> list[str]:
        """Text with a contrast below 4.5."""
        return list(self.root.evaluate(CONTRAST))

    def events(self, *kinds: str) -> list[dict]:
        """What stands in the journals, whoever wrote it."""
        found = []
        for path in sorted((self.folder / "labels").glob("*.jsonl")):
            found += [json.loads(line) for line in path.read_text().splitlines()]
        return [event for event in found if event["kind"] in kinds]

    def _wait_for_kernel(self) -> None:
        if self.app == "lab":  # earlier, the page shows an idle kernel that it is not connected to
            self.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for(timeout=START)
        else:
            idle = ".jp-Notebook-ExecutionIndicator[data-status=idle]"
            self.page.locator(idle).wait_for(timeout=START)
            self.page.wait_for_timeout(2000)

    def _dismiss(self, dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()


def opener(server, context):
    def opened(*cells: str, app: str = "lab", name: str = "") -> Desk:
        folder = name or secrets.token_hex(4)
        return Desk(server, context.new_page(), app=app, cells=list(cells), name=folder)

    return opened


@pytest.fixture
def desk(server, browser):
    """Open a notebook of these cells, run it, and wait for the labeler."""
    context = browser.new_context(viewport=VIEWPORT)
    yield opener(server, context)
    context.close()


@pytest.fixture(scope="module")
def shared_desk(server, browser):
    """The same for the tests of a module that share a page."""
    context = browser.new_context(viewport=VIEWPORT)
    yield opener(server, context)
    context.close()
