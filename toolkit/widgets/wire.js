// The line to the kernel. An answer is called saved only when the kernel has said that it is on the
// disk; one message is under way at a time, and keys that come meanwhile wait for its reply.

const ANSWER_MS = 1500; // without a reply by then the kernel is dead, stopped or busy
const QUIET_MS = 5000; // after that long without a reply the kernel is asked whether it is there

// Jupyter's server holds a small reply back until the packet before it ("busy") is acknowledged, which
// browsers put off by 40 ms unless they have something to send (RFC 1122, 4.2.3.2 and 4.2.3.4).
const NUDGE_MS = 6;

const GONE =
  "The kernel does not answer: it is busy, was stopped or was started again. " +
  "If it was started again, run this cell once more; it goes on here.";

// writes: kinds of messages that are decisions; item: the id of the item on screen; act: what a key
// does; taken: called with each reply, and the kind of the message that it answers.
function openWire({ model, view, writes, item, act, taken, say, warn }) {
  let asked = 0;
  let pending = null; // the message that waits for its reply
  let late = false; // and has waited for too long, or failed
  let retried = false; // and is asked again, so that keys typed meanwhile are not for later items
  let timer = 0;
  let pingTimer = 0;
  let heard = 0;
  let waiting = []; // keys that came before the reply

  function ask(message) {
    if (pending?.event_id) return; // a decision waits for its answer
    asked += 1;
    pending = { item_id: item(), ...message, ask: `${view}-${asked}` };
    retried = false;
    if (writes.includes(message.kind)) {
      pending.event_id = crypto.randomUUID ? crypto.randomUUID() : `${view}-${Date.now()}-${asked}`;
      say("saving …");
      setTimeout(() => send({ kind: "ping", ask: "nudge" }), NUDGE_MS);
    }
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
    const kind = mine ? pending.kind : null;
    if (mine) {
      clearTimeout(timer);
      pending = null;
      late = false;
    }
    if (!pending) warn("");
    taken(kind, reply);
    while (waiting.length && !pending) act(waiting.shift());
  }

  function key(name) {
    if (!pending) return act(name);
    if (late && name === "Enter") {
      retried = true;
      deliver();
    } else if (!late && !retried) {
      waiting.push(name);
    }
  }

  model.on("msg:custom", onReply);
  return {
    ask,
    ping,
    key,
    free: () => !pending,
    listens: () => !pending || late, // a second click must not fall on the next item
    close() {
      clearTimeout(timer);
      clearTimeout(pingTimer);
      model.off("msg:custom", onReply);
    },
  };
}
