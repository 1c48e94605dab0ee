from __future__ import annotations

import json

import pytest

from toolkit.widgets.marks import PIECE, parts

pytestmark = pytest.mark.browser

CELL = """
import json
from pathlib import Path
from toolkit.widgets import Labeler
items = json.loads(Path("items.json").read_text())
schema = {"constructs": {"tone": {"categories": ["<b>calm</b>", "<script>alert(1)</script>"]}}}
labeler = Labeler(items, schema, rater="<i>ann</i>", study="<svg onload=alert(2)>",
                  guidelines="<img src=x onerror=alert(3)>", interactive=True)
labeler
"""
RUN = "window.ran=1;alert(1)"
AROUND = [
    "{}",
    "before {} after",
    "</div></div></div>{}",
    '"><textarea>{}',
    "<!-- --!>{}",
    "```html\n{}\n```",
    "&lt;{}&gt;",
]
MARKUP = [
    f"<script>{RUN}</script>",
    f"<img src=x onerror='{RUN}'>",
    f"<svg onload='{RUN}'></svg>",
    f"<svg><script>{RUN}</script></svg>",
    f"<a href='javascript:{RUN}'>click</a>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<details open ontoggle='{RUN}'>x</details>",
    f"<input autofocus onfocus='{RUN}'>",
    f"<video><source onerror='{RUN}'></video>",
    f"<body onpageshow='{RUN}'>",
    f"<math><mtext><table><mglyph><style><img src=x onerror='{RUN}'>",
    "<style>@import 'http://example.invalid/x.css'; * {display:none}</style>",
    "<link rel=stylesheet href=http://example.invalid/a.css>",
    "<meta http-equiv=refresh content='0;url=http://example.invalid/'>",
    "<base href=http://example.invalid/>",
    "<object data=http://example.invalid/a.swf></object>",
    "<form action=http://example.invalid/><button>send</button></form>",
    "<div style='position:fixed;inset:0;z-index:99999;background:#fff'>gone</div>",
    "![x](http://example.invalid/a.png)",
    f"[x](javascript:{RUN})",
    f"$\\href{{javascript:{RUN}}}{{x}}$",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    f"${{{RUN}}}",
    f"<%= {RUN} %>",
    f"#{{{RUN}}}",
]
ODD = [
    "",
    " ",
    "\n" * 500,
    "\x00",
    "\x00" * 5000,
    "".join(map(chr, range(32))),
    "\x7f\x80\x9f",
    "\x1b[31mred\x1b[0m \x1b[2J\x1b]8;;http://example.invalid\x07link\x1b]8;;\x07",
    "\u202egnirts desrever\u202c and on",
    "\u2066\u2067\u2068 never closed",
    "\u202e" * 1000,
    "\u05e9\u05dc\u05d5\u05dd 1 2 3 \u0633\u0644\u0627\u0645",
    "half \ud83d an emoji",
    "\udc00\ud800",
    "\ud800" * 1000,
    "\ufeffmark\ufffe\uffff",
    "\u2028\u2029",
    "".join(chr(0xE0000 + ord(letter)) for letter in "hidden orders"),
    "z" + "\u0301" * 3000,
    "\u200b" * 2000 + "word",
    "w" * 200_000,
    "word " * 200_000,
    "\u0d9e" * 100_000,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 500,
    "\\u003cscript\\u003e",
]


def texts() -> list[str]:
    """Two hundred texts that a page must not run, hide or break on."""
    framed = [frame.replace("{}", each) for frame in AROUND for each in MARKUP]
    return [*framed, *ODD]


def shown(text: str) -> str:
    """What the page should hold of a text: itself, hiding characters by their code points."""
    written = []
    for part in parts(text[:PIECE]):
        if isinstance(part, str):
            written.append(part)
        else:
            name = f"U+{part[0]:04X}"
            written.append(f"{name} x{part[1]}" if part[1] > 1 else name)
    return "".join(written)


def test_two_hundred_hostile_texts_are_shown_as_written_and_do_nothing(desk, server):
    hostile = texts()
    assert len(hostile) == 200
    items = {f"i{n}": text for n, text in enumerate(hostile)}
    folder = server.folder / "hostile"
    turns = [
        {"item_id": item, "turns": [{"role": text[:40], "text": text}]}
        for item, text in items.items()
    ]
    (server.folder / "items.json").write_text(json.dumps(turns))
    lab = desk(CELL.replace('"items.json"', '"../items.json"'), name=folder.name)
    page = lab.page
    page.evaluate("window.ran = 0")
    asked = len(lab.requests)
    lab.root.focus()
    lab.keys("h")
    seen = []
    for number in range(1, 201):
        said = lab.pane.locator(".ct-said").evaluate("node => node.textContent")
        foreign = lab.pane.evaluate(
            "node => [...node.querySelectorAll('*')].filter("
            "n => !['DIV', 'SPAN', 'BUTTON'].includes(n.tagName)).length"
        )
        assert foreign == 0
        seen.append(said)
        lab.keys("1", "Enter")
        done = "all items are done" if number == 200 else f"item {number + 1} of 200"
        lab.wait_for_status(f"saved · {done}")
    events = lab.events("label")
    assert seen == [shown(items[event["item_id"]]) for event in events]
    assert {event["labels"]["tone"] for event in events} == {"<b>calm</b>"}

    assert page.evaluate("window.ran") == 0
    assert lab.dialogs == []
    assert lab.complaints == []
    assert lab.outside == []
    new = [url for url in lab.requests[asked:] if "/api/" not in url and "/static/" not in url]
    assert new == []
    # The page around it still works and nothing lies above it.
    box = lab.root.get_by_role("button", name="Undo").bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    top = page.evaluate(
        "p => document.elementFromPoint(p.x, p.y).closest('button')?.innerText", point
    )
    assert "Undo" in top
