// The adjudicator in the browser; text.js, wire.js and page.js stand before it in one script.

const REASON_KEYS = { ambiguous_text: "a", guideline_gap: "g", rater_error: "r", edge_case: "e", subjective: "s" };
const UNDECIDABLE = "undecidable";

function render({ model, el }) {
  const { study, adjudicator, total, questions, reasons } = model.get("setup");
  let asked = []; // questions on which the raters differ
  let draft = []; // the decisions on the screen, one for each
  let blocks = [];
  let active = 0;
  let reason = null;
  let update = false;

  const label = `Adjudicator, study ${study}, ${adjudicator}`;
  const writes = ["adjudicate", "skip", "undo"];
  const page = openPage({ model, el, label, name: "ct-adjudicator", total, writes });
  const { wire, view } = page;
  const off = { "aria-pressed": "false" };
  const votes = make("div", { class: "ct-votes", role: "region", tabindex: "0", "aria-label": "What the raters said" });
  const group = make("div", { class: "ct-questions" });
  const why = reasons.map(([key, text]) => keyed(REASON_KEYS[key], text, () => give(key)));
  const tick = keyed("t", "guideline should be updated", toggle);
  const ground = make(
    "div", { class: "ct-question ct-reason", role: "group", "aria-label": "Reason" },
    make("div", { class: "ct-name" }, "Why do they differ?"),
    make("div", { class: "ct-options" }, ...why),
  );

  function keyed(key, text, action) {
    return page.choice(key, text, freely(action), { ...off, "aria-keyshortcuts": key });
  }

  function freely(action) {
    return () => { if (wire.free()) action(); }; // what was sent stays as it was sent
  }

  // ---- what the raters said ------------------------------------------------------------------
  function table({ votes: cast, agreeing, pairs }) {
    const head = cast.map((vote) => make("th", { scope: "col" }, `Rater ${vote.letter}`));
    const rows = questions.map((question, n) => {
      const differ = asked.includes(n);
      return make(
        "tr", differ ? { class: "ct-differ" } : {},
        make("th", { scope: "row" }, differ ? `≠ ${question.name}` : question.name),
        ...cast.map((vote) => cell(question, vote.said[n])),
      );
    });
    if (cast.some((vote) => vote.flagged)) {
      rows.push(row("flag", cast.map((vote) => (vote.flagged ? ["flagged"] : []))));
    }
    if (cast.some((vote) => vote.note.length)) {
      rows.push(row("note", cast.map((vote) => written(vote.note))));
    }
    return make(
      "table", {},
      make("caption", { class: "ct-quiet" }, `${agreeing} of ${pairs} pairs of labels agree; ≠ marks where the raters differ`),
      make("thead", {}, make("tr", {}, make("td"), ...head)),
      make("tbody", {}, ...rows),
    );
  }

  function cell(question, said) {
    if (typeof said === "number") return make("td", {}, question.options[said]);
    return make("td", { class: "ct-quiet" }, said ?? "no label");
  }

  function row(name, contents) {
    return make("tr", {}, make("th", { scope: "row" }, name), ...contents.map((nodes) => make("td", {}, make("div", { class: "ct-said", dir: "auto" }, ...nodes))));
  }

  // ---- what is decided -----------------------------------------------------------------------
  function block(n, at, cast) {
    const question = questions[n];
    const pick = (answer) => freely(() => {
      active = at;
      decide(answer);
    });
    const options = question.options.map((text, value) => {
      const button = page.choice(question.keys[value] || NO_KEY, text, pick(value), off);
      const who = cast.filter((vote) => vote.said[n] === value).map((vote) => vote.letter);
      if (who.length) button.append(make("span", { class: "ct-who" }, ` (${who.join(", ")})`));
      return button;
    });
    const none = page.choice("u", "cannot be decided", pick(UNDECIDABLE), off);
    const name = make("div", { class: "ct-name", id: `ct-${view}-${at}` }, question.name);
    const node = make(
      "div", { class: "ct-question", role: "group", "aria-labelledby": name.id },
      name, make("div", { class: "ct-options" }, ...options, none),
    );
    return { node, options, none };
  }

  function show(screen) {
    ({ asked, reason, update_guideline: update } = screen);
    draft = [...screen.answers];
    active = Math.max(draft.findIndex((each) => each === null), 0);
    blocks = asked.map((n, at) => block(n, at, screen.votes));
    votes.replaceChildren(table(screen));
    votes.scrollTop = 0;
    group.replaceChildren(...blocks.map((each) => each.node));
  }

  function paint() {
    blocks.forEach(({ node, options, none }, at) => {
      page.mark(node, at === active);
      options.forEach((each, value) => press(each, draft[at] === value));
      press(none, draft[at] === UNDECIDABLE);
    });
    why.forEach((each, n) => press(each, reasons[n][0] === reason));
    press(tick, update);
    page.guideline(questions[asked[active]]);
  }

  // ---- what the adjudicator does -------------------------------------------------------------
  function decide(answer) {
    const at = active;
    draft[at] = answer;
    move(1);
    page.tell(active === at ? words(at) : `${words(at)} · now ${questions[asked[active]].name}`);
    wire.ping();
  }

  function words(at) {
    const { name, options } = questions[asked[at]];
    if (draft[at] === UNDECIDABLE) return `${name}: cannot be decided`;
    return `${name}: ${options[draft[at]] ?? "not decided"}`;
  }

  function digit(key) {
    const { name, keys } = questions[asked[active]];
    if (keys.includes(key)) return decide(keys.indexOf(key));
    page.refuse(`${name} has no ${key}`);
  }

  function move(step) {
    active = Math.min(Math.max(active + step, 0), asked.length - 1);
    paint();
  }

  function turn(step) {
    move(step);
    page.tell(`now ${words(active)}`);
  }

  function give(key) {
    reason = key;
    paint();
    page.tell(`reason: ${reasons.find(([each]) => each === key)[1]}`);
    wire.ping();
  }

  function toggle() {
    update = !update;
    paint();
    page.tell(`guideline should be updated: ${update ? "yes" : "no"}`);
    wire.ping();
  }

  function save() {
    const missing = draft.findIndex((each) => each === null);
    if (missing >= 0) {
      active = missing;
      page.refuse(`not saved: ${questions[asked[missing]].name} is not decided; choose, or u if it cannot be decided`);
      return paint();
    }
    if (!reason) return page.refuse(`not saved: give the reason (${Object.values(REASON_KEYS).join(", ")})`);
    page.decide("adjudicate", { answers: draft, reason, update_guideline: update });
  }

  return page.start({
    body: [votes, group, ground],
    beside: [make("span", { class: "ct-several" }, tick)],
    buttons: [],
    hint: "digits choose, u cannot be decided, a g r e s reason, t guideline",
    counted: ["decided", "skipped"],
    nothing: "There is nothing to decide: raters agree wherever two of them gave a label.",
    changed: (n) => `The labels of ${n} items have changed since you decided; they are open again.`,
    keys: {
      Enter: save,
      u: () => decide(UNDECIDABLE),
      t: toggle,
      ArrowUp: () => turn(-1),
      ArrowDown: () => turn(1),
      ...Object.fromEntries(reasons.map(([key]) => [REASON_KEYS[key], () => give(key)])),
    },
    digit,
    show,
    draft: () => ({ answers: draft, reason, update_guideline: update }),
    paint,
  });
}

export default { render };
