// What every page has: the item's text, a line that says what is saved, an alert, a note, a
// guideline, and keys that JupyterLab does not see.

const IDLE_MS = 30000; // a longer pause is no time spent on the item

// hooks: body (nodes between text and note), beside (the note), buttons, hint, keys (key to action),
// digit, show (a new item), paint, counted and changed (what the counts tell); where the page has
// more to say: said (what was saved), heard (a reply), nothing (there is no item).
function openPage({ model, el, label, name, total, writes }) {
  const view = Math.random().toString(36).slice(2);
  let hooks = null;
  let screen = null;
  let guideOpen = false;
  let seconds = 0;
  let moved = 0;

  const status = make("span", { class: "ct-status", role: "status", "aria-live": "polite" });
  const alert = make("div", { class: "ct-alert", role: "alert", hidden: true });
  const counts = make("span", { class: "ct-counts" });
  const bar = make("progress", { max: total, value: 0, "aria-label": "Items done" });
  const pane = make("div", { class: "ct-pane", role: "region", tabindex: "0" });
  const askMore = byHand(() => wire.ask({ kind: "more", start: screen.end }));
  const more = make("button", { type: "button", onclick: askMore });
  const note = make("textarea", { rows: "1", "aria-label": "Note", placeholder: "Note (n)", maxlength: "10000" });
  const guide = make("div", { class: "ct-guide", role: "region", "aria-label": "Guideline", tabindex: "0", hidden: true });
  const guideButton = button("h", "Guideline", { "aria-expanded": "false" });
  const work = make("div");
  const done = make("div", { class: "ct-done", hidden: true });
  const root = make("div", { class: `ct-root ${name}`, role: "group", tabindex: "0", "aria-label": label, onkeydown });
  for (const event of ["keydown", "pointermove", "pointerdown", "wheel"]) {
    root.addEventListener(event, spend, { passive: true, capture: true });
  }
  const say = (text) => { status.textContent = text; };
  const warn = (text) => { alert.hidden = !text; alert.textContent = text; };
  const item = () => screen?.item_id;
  const wire = openWire({ model, view, writes, item, act, taken, say, warn });

  function start(given) {
    hooks = given;
    work.append(pane, ...hooks.body, guide, make("div", { class: "ct-note" }, note, ...hooks.beside));
    const buttons = make(
      "div", { class: "ct-buttons", role: "group", "aria-label": "Actions" },
      button("Enter", "Save, next", { class: "ct-save" }),
      button("space", "Skip", {}, " "),
      button("⌫", "Undo", {}, "Backspace"),
      ...hooks.buttons,
      guideButton,
      button("←", "Back", {}, "ArrowLeft"),
      button("→", "Forward", {}, "ArrowRight"),
    );
    root.append(
      make("div", { class: "ct-head" }, counts, bar, status),
      alert, work, done, buttons,
      make("div", { class: "ct-quiet" }, `Keys: ${hooks.hint}, ↑ ↓ construct, n note, Tab and Esc leave.`),
    );
    el.append(root);
    hooks.paint();
    wire.ask({ kind: "hello" });
    return wire.close;
  }

  // ---- buttons -------------------------------------------------------------------------------
  function byHand(action) {
    return (event) => {
      if (wire.listens()) action();
      if (event.detail > 0) root.focus({ preventScroll: true }); // a mouse leaves the keys working
    };
  }

  // A button that does what its key does.
  function button(shown, text, attributes = {}, key = shown) {
    return choice(shown, text, () => wire.key(key), attributes);
  }

  function choice(shown, text, action, attributes = {}) {
    return make("button", { type: "button", onclick: byHand(action), ...attributes }, make("kbd", { "aria-hidden": "true" }, shown), ` ${text}`);
  }

  // ---- what is on the screen -----------------------------------------------------------------
  function taken(kind, reply) {
    const inside = root.contains(document.activeElement);
    if (kind && reply.kind === "refused") say(`nothing saved: ${reply.reason}`);
    else if (kind && reply.kind === "saved") say(hooks.said?.(kind, reply) ?? said(kind, reply));
    else if (kind && kind !== "hello" && reply.screen) say(where(reply.screen));
    if (kind && reply.kind === "more") {
      screen.end = reply.end;
      screen.rest = reply.rest;
      pane.append(...reply.turns.map(turnNode));
      showRest();
    }
    if (kind) hooks.heard?.(reply);
    if (reply.counts) count(reply);
    if (reply.screen) show(reply.screen);
    hooks.paint();
    if (inside) keepFocus();
  }

  // What was focused may be gone, and the next key would be JupyterLab's.
  function keepFocus() {
    const at = document.activeElement;
    if (!root.contains(at) || at.closest("[hidden]")) root.focus({ preventScroll: true });
  }

  const where = ({ item_id: id, index }) => (id === null ? "all items are done" : `item ${index + 1} of ${total}`);

  function said(kind, reply) {
    const what = { skip: "saved: skipped", undo: "saved: taken back" }[kind] ?? "saved";
    return reply.screen ? `${what} · ${where(reply.screen)}` : what;
  }

  function show(next) {
    if (screen && next.serial <= screen.serial) return;
    screen = next;
    seconds = 0;
    moved = Date.now();
    work.hidden = screen.item_id === null;
    done.hidden = !work.hidden;
    if (work.hidden) return;
    note.value = screen.note;
    pane.setAttribute("aria-label", `Item ${screen.index + 1} of ${total}`);
    pane.replaceChildren(...screen.turns.map(turnNode));
    pane.scrollTop = 0;
    showRest();
    hooks.show(screen);
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
      guide.textContent = `${question.name}\n${question.guideline || "There is no guideline for this construct."}`;
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

  const known = (key) => key in ALWAYS || key in ON_ITEM || key in hooks.keys || /^[1-9]$/.test(key);

  function act(key) {
    if (!screen) return;
    if (key in ALWAYS) return ALWAYS[key]();
    if (screen.item_id === null) return;
    const action = hooks.keys[key] ?? ON_ITEM[key];
    if (action) action();
    else hooks.digit(Number(key) - 1);
  }

  function onkeydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    if (event.key === "Escape") return leave(event);
    event.stopPropagation(); // JupyterLab would cut cells at x and delete them at dd
    const { target, key } = event;
    if (target === note || event.isComposing) return;
    if (target.tagName === "BUTTON" && (key === "Enter" || key === " ")) return;
    const scrolls = target !== root && target.tabIndex === 0 && target.tagName !== "BUTTON";
    if (scrolls && /^(Arrow|Page|Home|End)/.test(key)) return;
    if (!known(key) || event.shiftKey) return;
    event.preventDefault();
    if (event.repeat && !key.startsWith("Page")) return; // a key held down decides once
    wire.key(key);
  }

  function leave(event) {
    if (event.target === note) {
      event.stopPropagation();
      return root.focus();
    }
    const outside = root.parentElement.closest("[tabindex]");
    if (outside) outside.focus();
    else root.blur();
  }

  return { view, wire, start, button, choice, decide, guideline, say };
}
