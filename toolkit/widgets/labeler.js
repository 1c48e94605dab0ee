// The labeler in the browser; text.js, wire.js and page.js stand before it in one script.

function render({ model, el }) {
  const { study, rater, total, left_out: leftOut, questions } = model.get("setup");
  let draft = []; // the answers on the screen; null too for what is not asked of the item
  let asked = [...questions.keys()]; // which of the questions are, by their places
  let active = 0;
  let flagged = false;

  const label = `Labeler, study ${study}, rater ${rater}`;
  const writes = ["label", "skip", "undo", "flag"];
  const page = openPage({ model, el, label, name: "ct-labeler", total, writes });
  const { wire, view } = page;
  const blocks = questions.map(block);
  const flag = page.button("f", "Flag", { "aria-pressed": "false" });

  function block(question, at) {
    const several = question.kind === "multiple";
    const off = { "aria-pressed": "false" };
    const pick = (answer) => () => {
      if (!wire.free()) return; // what was sent stays as it was sent
      active = at;
      answer();
    };
    const options = question.options.map((text, n) =>
      page.choice(question.keys[n] || NO_KEY, text, pick(() => choose(n)), off));
    const none = several ? [page.choice("0", "none of these", pick(() => answer([])), off)] : [];
    const unsure = page.choice("u", "unsure", pick(() => answer("unsure")), off);
    const name = make("div", { class: "ct-name", id: `ct-${view}-${at}` }, question.name);
    const hint = several ? [make("span", { class: "ct-quiet" }, "any number")] : [];
    const node = make(
      "div", { class: `ct-question${several ? " ct-several" : ""}`, role: "group", "aria-labelledby": name.id },
      name, ...hint, make("div", { class: "ct-options" }, ...options, ...none, unsure),
    );
    return { node, options, none, unsure };
  }

  function show(screen) {
    ({ asked, flagged } = screen);
    draft = [...screen.answers];
    active = asked.find((at) => draft[at] === null) ?? asked[0];
  }

  function paint() {
    blocks.forEach(({ node, options, none, unsure }, at) => {
      const given = draft[at];
      const list = Array.isArray(given) ? given : null;
      node.hidden = !asked.includes(at);
      page.mark(node, at === active);
      options.forEach((each, n) => press(each, list !== null && list.includes(n)));
      none.forEach((each) => press(each, list !== null && list.length === 0));
      press(unsure, given === "unsure");
    });
    press(flag, flagged);
    page.guideline(questions[active]);
  }

  function said(kind, reply) {
    if (kind !== "flag") return null;
    return reply.flagged ? "saved: flagged" : "saved: flag taken off";
  }

  // ---- what the rater does -------------------------------------------------------------------
  function answer(given) {
    const at = active;
    draft[at] = given;
    move(1);
    page.tell(active === at ? words(at) : `${words(at)} · now ${questions[active].name}`);
    wire.ping();
  }

  function words(at) {
    const { name, options, kind } = questions[at];
    if (draft[at] === "unsure") return `${name}: unsure`;
    const chosen = (draft[at] ?? []).map((n) => options[n]).join(", ");
    return `${name}: ${chosen || (kind === "multiple" ? "none" : "no answer")}`;
  }

  function move(step) {
    active = asked[Math.min(Math.max(asked.indexOf(active) + step, 0), asked.length - 1)];
    paint();
  }

  function turn(step) {
    move(step);
    page.tell(`now ${words(active)}`);
  }

  function choose(n) {
    if (questions[active].kind !== "multiple") return answer([n]);
    const given = Array.isArray(draft[active]) ? draft[active] : [];
    draft[active] = given.includes(n) ? given.filter((each) => each !== n) : [...given, n];
    paint();
    page.tell(words(active));
    wire.ping();
  }

  function digit(key) {
    const { name, kind, keys } = questions[active];
    if (kind === "multiple" && key === "0") return answer([]);
    if (keys.includes(key)) return choose(keys.indexOf(key));
    page.refuse(`${name} has no ${key}`);
  }

  function save() {
    const missing = asked.find((at) => draft[at] === null);
    if (missing === undefined) return page.decide("label", { answers: draft });
    active = missing;
    const none = questions[missing].kind === "multiple" ? ", 0 for none of these" : "";
    page.refuse(`not saved: ${questions[missing].name} is not answered; choose${none} or u for unsure`);
    paint();
  }

  const unread = `Left out, as nothing is to be read on them: ${leftOut} of ${total + leftOut} items.`;
  const told = leftOut ? [make("div", { class: "ct-quiet" }, unread)] : [];

  return page.start({
    body: [make("div", { class: "ct-questions" }, ...blocks.map((each) => each.node)), ...told],
    beside: [],
    buttons: [flag],
    hint: questions.some(({ kind }) => kind === "multiple") ? "digits choose, 0 none, u unsure" : "digits choose, u unsure",
    counted: ["labelled", "unsure", "skipped", "flagged"],
    changed: (n) => `${n} items have another text than when you labelled them; they are open again.`,
    keys: {
      Enter: save,
      f: () => wire.ask({ kind: "flag", on: !flagged }),
      u: () => answer("unsure"),
      ArrowUp: () => turn(-1),
      ArrowDown: () => turn(1),
    },
    digit,
    heard: (reply) => { if ("flagged" in reply) flagged = reply.flagged; },
    show,
    draft: () => ({ answers: draft }),
    paint,
    said,
  });
}

export default { render };
