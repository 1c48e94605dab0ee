from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from required import leave_out

# Debian's browser: playwright's own would be a download of its own.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window; where there is none the tests skip, but never in CI."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    if executable is None:
        reason = "no Chromium (Debian and Ubuntu: apt-get install chromium fonts-dejavu-core)"
        leave_out("browser", reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


class Visit:
    """A page that was opened, with all that it asked for and complained about."""

    def __init__(self, page, path: Path) -> None:
        self.page, self.requests, self.complaints = page, [], []
        self.url = path.resolve().as_uri()
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.url, wait_until="load")
        page.wait_for_timeout(300)

    @property
    def outside(self) -> list[str]:
        """Requests for anything but the file itself and what is written inside it."""
        inside = (self.url, "data:", "blob:")
        return [url for url in self.requests if not url.startswith(inside)]


@pytest.fixture
def visit(browser):
    """Open an HTML file from disk."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield lambda path: Visit(context.new_page(), path)
    context.close()
