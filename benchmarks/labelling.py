"""What a rater waits for in JupyterLab: the first item of a large batch, and each label."""

from __future__ import annotations

import importlib.util
import shutil
import statistics
import tempfile
from pathlib import Path

from table import Line, at_most

DESK = Path(__file__).parents[1] / "tests" / "browser"
BATCH, LABELLED = 10_000, 50
FIRST, SAVED = 1.0, 0.05  # seconds
FIRST_ITEM, SAVE = "first item on the screen", "from Enter to saved"

ITEMS = f"""
from toolkit.widgets import Labeler
items = [{{"item_id": f"i{{n}}", "text": f"words of item {{n}} " * 50}} for n in range({BATCH})]
schema = {{"constructs": {{"tone": {{"categories": ["calm", "harsh"]}}}}}}
labeler = Labeler(items, schema, rater="ann", study="pilot", interactive=True)
"""
# From the moment that the page is built to the item's text; from Enter to the page's word "saved".
WATCH = """() => {
  window.saved = []; window.first = null;
  let built = 0; let pressed = 0; let before = '';
  addEventListener('keydown', e => { if (e.key === 'Enter') pressed = performance.now(); }, true);
  new MutationObserver(() => {
    const root = document.querySelector('.ct-root');
    if (!root) return;
    built ||= performance.now();
    if (root.querySelector('.ct-said')) window.first ??= performance.now() - built;
    const status = root.querySelector('.ct-status').textContent;
    if (status !== before && status.startsWith('saved')) saved.push(performance.now() - pressed);
    before = status;
  }).observe(document, {childList: true, subtree: true, characterData: true});
}"""


def labelling_lines() -> list[Line]:
    """Label by keyboard in Chromium; a line that says what is missing where there is none."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    absent = [name for name in ("playwright", "jupyterlab") if not importlib.util.find_spec(name)]
    if executable is None or absent:
        missing = ", ".join([*absent, *([] if executable else ["Chromium"])])
        return [Line(what, measured=f"not measured: no {missing}") for what in (FIRST_ITEM, SAVE)]
    with tempfile.TemporaryDirectory() as folder:
        first, saved = _measure(executable, Path(folder))
    most = f"most {max(saved):.4g} s"
    return [
        at_most(FIRST_ITEM, first, FIRST, n=f"{BATCH:,} items"),
        at_most(SAVE, statistics.median(saved), SAVED, n=f"{LABELLED} labels", measured=most),
    ]


def _measure(executable: str, folder: Path) -> tuple[float, list[float]]:
    """Give the seconds to the first item, and those of each label."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not everybody has it

    browser_tests, jupyter = _module(DESK), _module(DESK / "jupyter")
    server = jupyter.Server(folder)
    try:
        with sync_playwright() as playwright:
            options = {"executable_path": executable, "args": browser_tests.ARGUMENTS}
            browser = playwright.chromium.launch(**options)
            page = browser.new_page(viewport=jupyter.VIEWPORT)
            page.add_init_script(f"({WATCH})()")
            desk = jupyter.Desk(server, page, app="lab", cells=[ITEMS, "labeler"], name="desk")
            desk.root.focus()
            for number in range(LABELLED):
                desk.keys("1", "Enter")
                desk.wait_for_status(f"saved · item {number + 2} of")
            first, saved = page.evaluate("[window.first, window.saved]")
            browser.close()
    finally:
        server.stop()
    return first / 1000, [each / 1000 for each in saved]


def _module(folder: Path):  # noqa: ANN202 - a module
    """Load what the browser tests share."""
    spec = importlib.util.spec_from_file_location(f"{folder.name}_desk", folder / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
