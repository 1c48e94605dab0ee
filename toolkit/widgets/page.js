// What every page has: the item's text, a line that says what is saved, an alert, a note, a
// guideline, and keys that JupyterLab does not see.

const IDLE_MS = 30000; // a longer pause is no time spent on the item
const DIGIT = /^[0-9]$/;
const NO_KEY = "·";
const DECIDING = ["label", "adjudicate", "skip"]; // on the item on screen

// hooks: body (nodes between text and note), beside (the note), buttons, hint, keys (key to action),
// digit, show (a new item), draft (what of it may be unsaved), paint, counted and changed (what the counts tell); where the page has
// more to say: said (what was saved), heard (a reply), nothing (there is no item).
function openPage({ model, el, label, name, total, writes }) {
  const view = Math.random().toString(36).slice(2);
  let hooks = null;
  let screen = null;
  let stored = ""; // what of the item on screen is saved
  let guideOpen = false;
  let seconds = 0;
  let moved = 0;

  const status = make("span", { class: "ct-status", role: "status", "aria-live": "polite" });
  const alert = make("div", { class: "ct-alert", role: "alert", hidden: true });
  const told = make("span", { class: "ct-told", role: "status", "aria-live": "polite" });
  const place = make("span", { class: "ct-quiet ct-place" });
  const counts = make("span", { class: "ct-counts" });
  const bar = make("progress", { max: total, value: 0, "aria-label": "Items done" });
  const pane = make("div", { class: "ct-pane", role: "region", tabindex: "0" });
  const askMore = byHand(() => wire.ask({ kind: "more", start: screen.end }));
  const more = make("button", { type: "button", onclick: askMore });
  const note = make("textarea", { rows: "1", "aria-label": "Note", placeholder: "Note (n)", maxlength: "10000", "aria-keyshortcuts": "n" });
  const guide = make("div", { class: "ct-guide", role: "region", "aria-label": "Guideline", tabindex: "0", hidden: true });
  const guideButton = button("h", "Guideline", { "aria-expanded": "false" });
  const work = make("div");
  const done = make("div", { class: "ct-done", hidden: true });
  const drafts = new Map(); // by item, what was chosen or noted and then left
  let forItems = []; // what has no use without an item
  const root = make("div", { class: `ct-root ${name}`, role: "group", tabindex: "0", "aria-label": label });
  for (const event of ["pointermove", "pointerdown", "wheel"]) {
    root.addEventListener(event, spend, { passive: true, capture: true });
  }
  const say = (text) => { status.textContent = text; };
  const tell = (text) => { told.textContent = text; }; // heard, not seen; what is saved stays to be read
  const refuse = (text) => {
    say(text);
    wire.forget();
  };
  const warn = (text) => { alert.hidden = !text; alert.textContent = text; };
  const item = () => screen?.item_id;
  const wire = openWire({ model, view, writes, item, act, taken, say, warn });

  function start(given) {
    hooks = given;
    work.append(pane, ...hooks.body, guide, make("div", { class: "ct-note" }, note, ...hooks.beside));
    const save = button("Enter", "Save, next", { class: "ct-save" });
    const skip = button("space", "Skip", {}, " ");
    const keys = make("div", { class: "ct-quiet" }, `Keys: ${hooks.hint}, ↑ ↓ construct, n note, Tab and Esc leave.`);
    forItems = [work, save, skip, ...hooks.buttons, guideButton, keys];
    const buttons = make(
      "div", { class: "ct-buttons", role: "group", "aria-label": "Actions" },
      save,
      skip,
      button("⌫", "Undo", {}, "Backspace"),
      ...hooks.buttons,
      guideButton,
      button("←", "Back", {}, "ArrowLeft"),
      button("→", "Forward", {}, "ArrowRight"),
    );
    root.append(
      make("div", { class: "ct-head" }, counts, bar, place, status, told),
      alert, work, done, buttons, keys,
    );
    el.append(root);
    hooks.paint();
    // Notebook 7 takes keys at the document, on their way down; JupyterLab on their way back up.
    window.addEventListener("keydown", onkeydown, true);
    wire.ask({ kind: "hello" });
    return () => {
      window.removeEventListener("keydown", onkeydown, true);
      wire.close();
    };
  }

  // ---- buttons -------------------------------------------------------------------------------
  function byHand(action, repeats = false) {
    return (event) => {
      const second = event.detail > 1 && !repeats; // of a double click, which is meant once
      if (wire.listens() && !second) action();
      if (event.detail > 0) root.focus({ preventScroll: true }); // a mouse leaves the keys working
    };
  }

  // A button that does what its key does.
  function button(shown, text, attributes = {}, key = shown) {
    const turns = key.startsWith("Arrow");
    const shortcut = { "aria-keyshortcuts": key === " " ? "Space" : key };
    return choice(shown, text, () => wire.key(key), { ...shortcut, ...attributes }, turns);
  }

  function choice(shown, text, action, attributes = {}, repeats = false) {
    return make("button", { type: "button", onclick: byHand(action, repeats), ...attributes }, make("kbd", { "aria-hidden": "true" }, shown), ` ${text}`);
  }

  // Mark the construct to which the keys go.
  function mark(block, on) {
    block.classList.toggle("ct-active", on);
    if (on) block.setAttribute("aria-current", "true");
    else block.removeAttribute("aria-current");
    for (const each of block.querySelectorAll("button")) {
      const key = each.querySelector("kbd").textContent;
      if (on && key !== NO_KEY) each.setAttribute("aria-keyshortcuts", key);
      else each.removeAttribute("aria-keyshortcuts");
    }
  }

  // ---- what is on the screen -----------------------------------------------------------------
  function taken(kind, reply, dropped) {
    const inside = root.contains(document.activeElement);
    const undone = kind === "undo" && reply.kind === "saved";
    if (undone) drafts.delete(reply.screen.item_id); // shown as it was decided
    const again = undone && reply.screen.item_id === item();
    if (again || (reply.kind === "saved" && DECIDING.includes(kind))) stored = JSON.stringify(draft());
    if (kind && reply.kind === "more") {
      screen.end = reply.end;
      screen.rest = reply.rest;
      pane.append(...reply.turns.map(turnNode));
      showRest();
    }
    hooks.heard?.(reply); // also of another view of the same page
    if (reply.counts) count(reply);
    if (reply.screen) show(reply.screen);
    if (undone) stored = ""; // what is shown is no longer stored
    if (kind) announce(kind, reply, dropped);
    hooks.paint();
    if (inside) keepFocus();
  }

  // What was focused may be gone, and the next key would be JupyterLab's.
  function keepFocus() {
    const at = document.activeElement;
    if (!root.contains(at) || at.closest("[hidden]")) root.focus({ preventScroll: true });
  }

  function announce(kind, reply, dropped) {
    const missed = dropped ? " · keys pressed before it was shown were dropped" : "";
    const unsaved = reply.screen && drafts.has(item()) ? " · what you chose here is not saved yet" : "";
    if (reply.kind === "refused") say(`nothing saved: ${reply.reason}`);
    else if (reply.kind === "saved") say((hooks.said?.(kind, reply) ?? said(kind, reply)) + unsaved + missed);
    else if (kind !== "hello" && reply.screen) say(where(reply.screen) + unsaved + missed);
  }

  const where = ({ item_id: id, index }) => (id === null ? "all items are done" : `item ${index + 1} of ${total}`);

  function said(kind, reply) {
    const what = { skip: "saved: skipped", undo: "saved: taken back" }[kind] ?? "saved";
    return reply.screen ? `${what} · ${where(reply.screen)}` : what;
  }

  function show(next) {
    if (screen && next.serial <= screen.serial) return;
    keepDraft();
    screen = next;
    seconds = 0;
    moved = Date.now();
    tell("");
    const over = screen.item_id === null;
    for (const each of forItems) each.hidden = over;
    done.hidden = !over;
    place.textContent = over ? "" : `${where(screen)} · ${screen.item_id}`;
    if (over) return;
    pane.setAttribute("aria-label", `Item ${screen.index + 1} of ${total}`);
    pane.replaceChildren(...screen.turns.map(turnNode));
    pane.scrollTop = 0;
    showRest();
    fill(screen);
    stored = JSON.stringify(draft());
    if (drafts.has(screen.item_id)) fill({ ...screen, ...drafts.get(screen.item_id) });
  }

  function fill(given) {
    note.value = given.note;
    hooks.show(given);
  }

  const draft = () => ({ ...hooks.draft(), note: note.value });

  // What was chosen or noted on an item that is left without saving is there when it is shown again.
  function keepDraft() {
    if (!screen || screen.item_id === null) return;
    if (JSON.stringify(draft()) === stored) drafts.delete(screen.item_id);
    else drafts.set(screen.item_id, draft());
  }

  function showRest() {
    more.remove();
    if (screen.rest > 0) {
      more.textContent = `Show more (${screen.rest.toLocaleString("en")} characters are left)`;
      pane.append(more);
    }
  }

  function count({ counts: n, minutes_left: left, changed }) {
    const open = n.open ?? 0;
    const told = hooks.counted.filter((each) => n[each]).map((each) => `${n[each]} ${each}`);
    const pace = left !== null && open ? [`about ${left} min left`] : [];
    counts.textContent = [`${total - open} of ${total} done`, ...told, ...pace].join(" · ");
    bar.value = total - open;
    const again = changed ? ` ${hooks.changed(changed)}` : "";
    const all = total ? `All ${total} items are done: ${told.join(", ")}.${again}` : hooks.nothing;
    done.replaceChildren(make("p", {}, `${all} You can close this notebook.`));
    if (n.skipped) {
      done.append(make("button", { type: "button", onclick: byHand(() => wire.ask({ kind: "again" })) }, `Go through the ${n.skipped} skipped again`));
    }
  }

  function guideline(question) {
    const reading = document.activeElement === guide;
    guide.hidden = !guideOpen || !screen || screen.item_id === null;
    guideButton.setAttribute("aria-expanded", guide.hidden ? "false" : "true");
    if (!guide.hidden) {
      const text = `${question.name}\n${question.guideline || "There is no guideline for this construct."}`;
      if (guide.textContent !== text) guide.textContent = text; // else what is selected stays so
    }
    if (reading) keepFocus();
  }

  // ---- deciding ------------------------------------------------------------------------------
  function spend() {
    const now = Date.now();
    if (!document.hidden) seconds += Math.min(now - moved, IDLE_MS) / 1000;
    moved = now;
  }

  function decide(kind, more = {}) {
    spend();
    wire.ask({ kind, note: note.value, active_seconds: Math.round(seconds * 10) / 10, ...more });
  }

  // ---- keys ----------------------------------------------------------------------------------
  // Keys that need an item on the screen; the others work at the end too.
  const ON_ITEM = {
    " ": () => decide("skip"),
    h: () => { guideOpen = !guideOpen; hooks.paint(); },
    n: () => note.focus(),
    PageUp: () => pane.scrollBy(0, -0.9 * pane.clientHeight),
    PageDown: () => pane.scrollBy(0, 0.9 * pane.clientHeight),
  };
  const ALWAYS = {
    Backspace: () => wire.ask({ kind: "undo" }),
    ArrowLeft: () => wire.ask({ kind: "back" }),
    ArrowRight: () => wire.ask({ kind: "forward" }),
  };

  const known = (key) => key in ALWAYS || key in ON_ITEM || key in hooks.keys || DIGIT.test(key);

  function act(key) {
    if (!screen) return wire.ask({ kind: "hello" }); // the first one had no answer
    if (key in ALWAYS) return ALWAYS[key]();
    if (screen.item_id === null) return;
    const action = hooks.keys[key] ?? ON_ITEM[key];
    if (action) action();
    else hooks.digit(key);
  }

  function onkeydown(event) {
    const target = event.composedPath()[0];
    if (!root.contains(target)) return;
    spend();
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    if (event.isComposing) return event.stopPropagation(); // Esc too is the input method's
    if (event.key === "Escape") return leave(event, target);
    event.stopPropagation(); // JupyterLab would cut cells at x and delete them at dd
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // caps lock
    if (target === note) return;
    if (target.tagName === "BUTTON" && (key === "Enter" || key === " ")) {
      if (event.repeat && key === "Enter") event.preventDefault(); // each repeat would be a click
      return;
    }
    const scrolls = target !== root && target.tabIndex === 0 && target.tagName !== "BUTTON";
    if (scrolls && /^(Arrow|Page|Home|End)/.test(key)) return;
    if (!known(key) || (event.shiftKey && !DIGIT.test(key))) return; // French keyboards shift digits
    event.preventDefault();
    if (event.repeat && !key.startsWith("Page")) return; // a key held down decides once
    wire.key(key);
  }

  function leave(event, target) {
    if (target === note) {
      event.stopPropagation();
      return root.focus();
    }
    const outside = root.parentElement.closest("[tabindex]");
    if (outside) outside.focus();
    else root.blur();
  }

  return { view, wire, start, button, choice, mark, decide, guideline, tell, refuse };
}
