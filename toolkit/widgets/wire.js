// The line to the kernel. An answer is called saved only when the kernel has said that it is on the
// disk; one message is under way at a time, and keys that come meanwhile wait for its reply.

const ANSWER_MS = 1500; // without a reply by then the kernel is dead, stopped or busy
const QUIET_MS = 5000; // after that long without a reply the kernel is asked whether it is there

// Jupyter's server holds a small reply back until the packet before it ("busy") is acknowledged, which
// browsers put off by 40 ms unless they have something to send (RFC 1122, 4.2.3.2 and 4.2.3.4).
const NUDGE_MS = 6;

// A reply comes in 25 to 50 ms. Within this time nobody has read a screen and answered it, so keys are
// meant for the next item; later they may be meant for the one that is still there, and are dropped.
const PROMPT_MS = 200;

const GONE =
  "The kernel does not answer: it is busy, was stopped or was started again. Enter tries again. If it " +
  "was started again, run the notebook's cells once more, also the import; it goes on at this item.";

const LEAVING = ["ArrowLeft", "ArrowRight", "Backspace"]; // keys that need no answer to the last message

// writes: kinds of messages that are decisions; item: the id of the item on screen; act: what a key
// does; taken: called with each reply, the kind of the message that it answers, and whether keys were
// dropped.
function openWire({ model, view, writes, item, act, taken, say, warn }) {
  let asked = 0;
  let pending = null; // the message that waits for its reply
  let late = false; // and has waited for too long, or failed
  let sent = 0;
  let timer = 0;
  let nudgeTimer = 0;
  let pingTimer = 0;
  let heard = 0;
  let waiting = []; // keys that came before the reply
  let dropped = false; // and some of them too late

  function ask(message) {
    if (pending?.event_id) return; // a decision waits for its answer
    asked += 1;
    pending = { item_id: item(), ...message, ask: `${view}-${asked}` };
    sent = Date.now();
    dropped = false;
    if (writes.includes(message.kind)) {
      pending.event_id = crypto.randomUUID ? crypto.randomUUID() : `${view}-${Date.now()}-${asked}`;
      say("saving …");
      nudgeTimer = setTimeout(() => send({ kind: "ping", ask: "nudge" }), NUDGE_MS);
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
    forget();
    late = Boolean(pending?.event_id);
    if (late) {
      say("not saved");
      warn(`NOT SAVED. ${reason}`);
    } else {
      pending = null;
      warn(`NOT SAVED: nothing can be saved now. ${reason}`);
    }
  }

  // Keys that wait were meant for another item than the one that is on screen after all.
  function forget() {
    waiting = [];
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
    if (mine && reply.kind === "failed") {
      return fail(`${reply.reason} What you chose is still here; Enter tries again.`);
    }
    const kind = mine ? pending.kind : null;
    if (mine) {
      clearTimeout(timer);
      pending = null;
      late = false;
      if (Date.now() - sent > PROMPT_MS && waiting.length) {
        dropped = true;
        forget();
      }
      if (reply.kind === "refused") forget();
    }
    if (!pending) warn("");
    if (reply.kind === "pong") return; // nothing to be painted
    taken(kind, reply, dropped);
    while (waiting.length && !pending) act(waiting.shift());
  }

  function key(name) {
    if (!pending) return act(name);
    if (late && LEAVING.includes(name)) { // the choice stays with its item, as a draft
      pending = null;
      act(name);
    } else if (late) {
      if (name === "Enter") deliver();
    } else if (Date.now() - sent > PROMPT_MS) {
      dropped = true;
    } else {
      waiting.push(name);
    }
  }

  model.on("msg:custom", onReply);
  return {
    ask,
    ping,
    key,
    forget,
    free: () => !pending,
    listens: () => !pending || late, // a second click must not fall on the next item
    close() {
      for (const each of [timer, nudgeTimer, pingTimer]) clearTimeout(each);
      model.off("msg:custom", onReply);
    },
  };
}
