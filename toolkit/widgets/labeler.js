// The labeler in the browser. What models and users wrote becomes text nodes, never markup, and an
// answer is called saved only when the kernel has said that it is on the disk.

const ANSWER_MS = 1500; // without a reply by then the kernel is dead, stopped or busy
const QUIET_MS = 5000; // after that long without a reply the kernel is asked whether it is there
const IDLE_MS = 30000; // a longer pause is no time spent on the item

const GONE =
  "The kernel does not answer: it is busy, was stopped or was started again. " +
  "If it was started again, run this cell once more; it goes on here.";

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children); // strings become text nodes
  return node;
}

function written(parts) {
  return parts.map((part) => {
    if (typeof part === "string") return document.createTextNode(part);
    const [point, count] = part;
    const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
    return make("span", { class: "ct-mark" }, count > 1 ? `${name} x${count}` : name);
  });
}

function turnNode({ role, parts, continued }) {
  const node = make("div", { class: continued ? "ct-turn ct-continued" : "ct-turn" });
  if (role.length && !continued) {
    node.append(make("div", { class: "ct-role", dir: "auto" }, ...written(role)));
  }
  node.append(make("div", { class: "ct-said", dir: "auto" }, ...written(parts)));
  return node;
}

function render({ model, el }) {
  const { study, rater, total, questions } = model.get("setup");
  const view = Math.random().toString(36).slice(2);
  let asked = 0;
  let pending = null; // the message that waits for its reply
  let late = false; // and has waited for too long, or failed
  let retried = false; // and is asked again, so that keys typed meanwhile are not for later items
  let timer = 0;
  let pingTimer = 0;
  let heard = 0;
  let screen = null;
  let draft = []; // the answers on the screen
  let active = 0;
  let flagged = false;
  let guideOpen = false;
  let waiting = []; // keys that came before the reply
  let seconds = 0;
  let moved = 0;

  // ---- the page, made once -------------------------------------------------------------------
  const status = make("span", { class: "ct-status", role: "status", "aria-live": "polite" });
  const alert = make("div", { class: "ct-alert", role: "alert", hidden: true });
  const counts = make("span", { class: "ct-counts" });
  const bar = make("progress", { max: total, value: 0, "aria-label": "Items done" });
  const pane = make("div", { class: "ct-pane", role: "region", tabindex: "0" });
  const askMore = byHand(() => ask({ kind: "more", start: screen.end }));
  const more = make("button", { type: "button", onclick: askMore });
  const note = make("textarea", { rows: "1", "aria-label": "Note", placeholder: "Note (n)", maxlength: "10000" });
  const guide = make("div", { class: "ct-guide", role: "region", "aria-label": "Guideline", tabindex: "0", hidden: true });
  const done = make("div", { class: "ct-done", hidden: true });
  const blocks = questions.map(block);
  const flag = button("f", "Flag", () => act({ key: "f" }), { "aria-pressed": "false" });
  const guideButton = button("h", "Guideline", () => act({ key: "h" }), { "aria-expanded": "false" });
  const work = make(
    "div", {},
    pane,
    make("div", { class: "ct-questions" }, ...blocks.map((each) => each.node)),
    guide,
    make("div", { class: "ct-note" }, note),
  );
  const buttons = make(
    "div", { class: "ct-buttons", role: "group", "aria-label": "Actions" },
    button("Enter", "Save, next", () => act({ key: "Enter" }), { class: "ct-save" }),
    button("space", "Skip", () => act({ key: " " })),
    button("⌫", "Undo", () => act({ key: "Backspace" })),
    flag,
    guideButton,
    button("←", "Back", () => act({ key: "ArrowLeft" })),
    button("→", "Forward", () => act({ key: "ArrowRight" })),
  );
  const root = make(
    "div",
    { class: "ct-labeler", role: "group", tabindex: "0", "aria-label": `Labeler, study ${study}, rater ${rater}`, onkeydown },
    make("div", { class: "ct-head" }, counts, bar, status),
    alert, work, done, buttons,
    make("div", { class: "ct-quiet" }, "Keys: digits choose, 0 none, u unsure, ↑ ↓ construct, n note, Tab and Esc leave."),
  );
  for (const name of ["keydown", "pointermove", "pointerdown", "wheel"]) {
    root.addEventListener(name, spend, { passive: true, capture: true });
  }
  el.append(root);

  function byHand(action) {
    return (event) => {
      if (!pending || late) action(); // a second click must not fall on the next item
      if (event.detail > 0) root.focus({ preventScroll: true }); // a mouse leaves the keys working
    };
  }

  function button(key, text, action, attributes = {}) {
    return make("button", { type: "button", onclick: byHand(action), ...attributes }, make("kbd", { "aria-hidden": "true" }, key), ` ${text}`);
  }

  function block(question, at) {
    const several = question.kind === "multiple";
    const pick = (answer) => () => {
      if (pending) return; // what was sent stays as it was sent
      active = at;
      answer();
    };
    const options = question.options.map((text, n) =>
      button(n < 9 ? String(n + 1) : "·", text, pick(() => choose(n)), { "aria-pressed": "false" }));
    const none = several ? [button("0", "none of these", pick(() => answer([])), { "aria-pressed": "false" })] : [];
    const unsure = button("u", "unsure", pick(() => answer("unsure")), { "aria-pressed": "false" });
    const name = make("div", { class: "ct-name", id: `ct-${view}-${at}` }, question.name);
    const hint = several ? [make("span", { class: "ct-quiet" }, "any number")] : [];
    const node = make(
      "div", { class: `ct-question${several ? " ct-several" : ""}`, role: "group", "aria-labelledby": name.id },
      name, ...hint, make("div", { class: "ct-options" }, ...options, ...none, unsure),
    );
    return { node, options, none, unsure };
  }

  // ---- what is on the screen -----------------------------------------------------------------
  const press = (node, on) => node.setAttribute("aria-pressed", on ? "true" : "false");

  function paint() {
    blocks.forEach(({ node, options, none, unsure }, at) => {
      const given = draft[at];
      const list = Array.isArray(given) ? given : null;
      node.classList.toggle("ct-active", at === active);
      if (at === active) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
      options.forEach((each, n) => press(each, list !== null && list.includes(n)));
      none.forEach((each) => press(each, list !== null && list.length === 0));
      press(unsure, given === "unsure");
    });
    press(flag, flagged);
    guide.hidden = !guideOpen || !screen || screen.item_id === null;
    guideButton.setAttribute("aria-expanded", guide.hidden ? "false" : "true");
    if (!guide.hidden) {
      guide.textContent = `${questions[active].name}\n${questions[active].guideline || "There is no guideline for this construct."}`;
    }
  }

  function show(next) {
    if (screen && next.serial <= screen.serial) return;
    screen = next;
    seconds = 0;
    moved = Date.now();
    const open = screen.item_id !== null;
    work.hidden = !open;
    done.hidden = open;
    if (open) {
      draft = screen.answers;
      flagged = screen.flagged;
      active = Math.max(draft.findIndex((each) => each === null), 0);
      note.value = screen.note;
      pane.setAttribute("aria-label", `Item ${screen.index + 1} of ${total}`);
      pane.replaceChildren(...screen.turns.map(turnNode));
      pane.scrollTop = 0;
      showRest();
    }
    paint();
  }

  function showRest() {
    more.remove();
    if (screen.rest > 0) {
      more.textContent = `Show more (${screen.rest.toLocaleString("en")} characters are left)`;
      pane.append(more);
    }
  }

  function count({ counts: n, minutes_left: left, changed }) {
    if (!n) return;
    const open = n.open ?? 0;
    const told = ["labelled", "unsure", "skipped", "flagged"].filter((name) => n[name]).map((name) => `${n[name]} ${name}`);
    const pace = left !== null && open ? [`about ${left} min left`] : [];
    counts.textContent = [`${total - open} of ${total} done`, ...told, ...pace].join(" · ");
    bar.value = total - open;
    const again = changed ? ` ${changed} items have another text than when you labelled them; they are open again.` : "";
    done.replaceChildren(make("p", {}, `All ${total} items are done: ${told.join(", ")}.${again} You can close this notebook.`));
    if (n.skipped) {
      done.append(make("button", { type: "button", onclick: byHand(() => ask({ kind: "again" })) }, `Go through the ${n.skipped} skipped again`));
    }
  }

  const say = (text) => { status.textContent = text; };
  const warn = (text) => { alert.hidden = !text; alert.textContent = text; };

  // ---- asking the kernel ---------------------------------------------------------------------
  function ask(message) {
    if (pending?.event_id) return; // a decision waits for its answer
    asked += 1;
    pending = { ...message, ask: `${view}-${asked}` };
    retried = false;
    if (["label", "skip", "undo", "flag"].includes(message.kind)) {
      pending.event_id = crypto.randomUUID ? crypto.randomUUID() : `${view}-${Date.now()}-${asked}`;
      say("saving …");
    }
    if (!("item_id" in message) && screen) pending.item_id = screen.item_id;
    deliver();
  }

  function deliver() {
    late = false;
    clearTimeout(timer);
    timer = setTimeout(() => fail(GONE), ANSWER_MS);
    send(pending);
  }

  function send(message) {
    try {
      model.send(message);
    } catch { // the line to the kernel is closed
      fail(GONE);
    }
  }

  function fail(reason) {
    clearTimeout(timer);
    late = true;
    waiting = []; // keys meant for later items must not fall on this one
    if (pending && pending.event_id) {
      say("not saved");
      warn(`NOT SAVED. ${reason} What you chose is still here; Enter tries again.`);
    } else {
      warn(`NOT SAVED: nothing can be saved now. ${reason}`);
    }
  }

  function ping() {
    if (pending || Date.now() - heard < QUIET_MS || pingTimer) return;
    pingTimer = setTimeout(() => {
      pingTimer = 0;
      if (!pending) fail(GONE);
    }, ANSWER_MS);
    send({ kind: "ping", ask: "ping" });
  }

  function onReply(reply) {
    heard = Date.now();
    clearTimeout(pingTimer);
    pingTimer = 0;
    const mine = pending && reply.ask === pending.ask;
    if (mine && reply.kind === "failed") return fail(reply.reason);
    if (mine) {
      const { kind } = pending;
      clearTimeout(timer);
      pending = null;
      late = false;
      if (reply.kind === "refused") say(`nothing saved: ${reply.reason}`);
      else if (reply.kind === "saved") say(said(kind, reply));
      else if (reply.screen && kind !== "hello") say(where(reply.screen));
      if (reply.kind === "more") {
        screen.end = reply.end;
        screen.rest = reply.rest;
        pane.append(...reply.turns.map(turnNode));
        showRest();
      }
      if ("flagged" in reply) flagged = reply.flagged;
    }
    if (!pending) warn("");
    count(reply);
    if (reply.screen) show(reply.screen);
    paint();
    while (waiting.length && !pending) act(waiting.shift());
  }

  const where = ({ item_id: item, index }) => (item === null ? "all items are done" : `item ${index + 1} of ${total}`);

  function said(kind, reply) {
    if (kind === "flag") return reply.flagged ? "saved: flagged" : "saved: flag taken off";
    const what = { skip: "saved: skipped", undo: "saved: taken back" }[kind] ?? "saved";
    return reply.screen ? `${what} · ${where(reply.screen)}` : what;
  }

  // ---- what the rater does -------------------------------------------------------------------
  function spend() {
    const now = Date.now();
    if (!document.hidden) seconds += Math.min(now - moved, IDLE_MS) / 1000;
    moved = now;
  }

  function answer(given) {
    draft[active] = given;
    active = Math.min(active + 1, questions.length - 1);
    paint();
    ping();
  }

  function choose(n) {
    if (n >= questions[active].options.length) return;
    if (questions[active].kind !== "multiple") return answer([n]);
    const given = Array.isArray(draft[active]) ? draft[active] : [];
    draft[active] = given.includes(n) ? given.filter((each) => each !== n) : [...given, n];
    paint();
    ping();
  }

  function decide(kind) {
    spend();
    const common = { kind, note: note.value, active_seconds: Math.round(seconds * 10) / 10 };
    ask(kind === "label" ? { ...common, answers: draft } : common);
  }

  function save() {
    const open = draft.findIndex((each) => each === null || each === undefined);
    if (open < 0) return decide("label");
    active = open;
    const none = questions[open].kind === "multiple" ? ", 0 for none of these" : "";
    say(`not saved: ${questions[open].name} is not answered; choose${none} or u for unsure`);
    paint();
  }

  // Keys that need an item on the screen; the others work at the end too.
  const ON_ITEM = {
    Enter: save,
    " ": () => decide("skip"),
    f: () => ask({ kind: "flag", on: !flagged }),
    h: () => { guideOpen = !guideOpen; paint(); },
    n: () => note.focus(),
    u: () => answer("unsure"),
    0: () => { if (questions[active].kind === "multiple") answer([]); },
    ArrowUp: () => { active = Math.max(active - 1, 0); paint(); },
    ArrowDown: () => { active = Math.min(active + 1, questions.length - 1); paint(); },
    PageUp: () => pane.scrollBy(0, -0.9 * pane.clientHeight),
    PageDown: () => pane.scrollBy(0, 0.9 * pane.clientHeight),
  };
  const ALWAYS = {
    Backspace: () => ask({ kind: "undo" }),
    ArrowLeft: () => ask({ kind: "back" }),
    ArrowRight: () => ask({ kind: "forward" }),
  };

  const known = (key) => key in ALWAYS || key in ON_ITEM || /^[1-9]$/.test(key);

  function act({ key }) {
    if (pending) {
      if (late && key === "Enter") {
        retried = true;
        deliver();
      }
      return;
    }
    if (!screen) return;
    if (key in ALWAYS) return ALWAYS[key]();
    if (screen.item_id === null) return;
    if (key in ON_ITEM) return ON_ITEM[key]();
    choose(Number(key) - 1);
  }

  function onkeydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    if (event.key === "Escape") return leave(event);
    event.stopPropagation(); // JupyterLab would cut cells at x and delete them at dd
    const { target, key } = event;
    if (target === note || event.isComposing) return;
    if (target.tagName === "BUTTON" && (key === "Enter" || key === " ")) return;
    const scrolls = target === pane || target === guide;
    if (scrolls && /^(Arrow|Page|Home|End)/.test(key)) return;
    if (!known(key) || event.shiftKey) return;
    event.preventDefault();
    if (event.repeat && !key.startsWith("Page")) return; // a key held down decides once
    if (!pending || late) act({ key });
    else if (!retried) waiting.push({ key });
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

  model.on("msg:custom", onReply);
  paint();
  ask({ kind: "hello" });
  return () => {
    clearTimeout(timer);
    clearTimeout(pingTimer);
    model.off("msg:custom", onReply);
  };
}

export default { render };
