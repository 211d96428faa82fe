// What has been answered in this browser, and what of it Python has not yet acknowledged.
//
// Every answer is an event with its own uuid. It lies in localStorage, one entry per event (so two tabs cannot
// overwrite each other), until Python acknowledges that uuid.

const OFFLINE_MS = 4000; // without an acknowledgement for this long we say "offline"

/** crypto.randomUUID() is missing on plain http away from localhost, getRandomValues() is not. */
function newUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** How many answers to the same study lie here under other names: name → count. */
function waitingElsewhere(prefix) {
  const counts = new Map();
  const study = prefix.split("/", 2).join("/") + "/";
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(study) || key.startsWith(prefix)) continue;
      if (Date.now() - JSON.parse(localStorage.getItem(key)).at < OFFLINE_MS) continue; // on its way from another tab
      const name = decodeURIComponent(key.split("/")[2]);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  } catch {
    // Storage is switched off, or holds what we did not write: nothing to tell.
  }
  return counts;
}

/** The events of one annotator in one study: all that this page has seen, and which of them are still unacknowledged. */
class Ledger {
  constructor(prefix) {
    this.prefix = prefix;
    this.events = new Map();
    this.pending = new Set();
    this.settled = new Set(); // events that the server's latest cards already take into account
    this.refused = new Map(); // event → why the server did not take it; "" for an undo with nothing to take back
    this.elsewhere = new Set(); // those of them that another tab has sent, and tells the reason of
    this.lastAt = 0;
    this.durable = true;
  }

  /** Read what earlier page loads and other tabs have left here. */
  load() {
    try {
      for (const key of Object.keys(localStorage)) this.hear(key, localStorage.getItem(key));
    } catch {
      this.durable = false; // storage switched off: answers live in this page only, and the status line says so
    }
  }

  /** Take in one localStorage entry: our own after a reload, or what another tab has just written or removed. */
  hear(key, text) {
    if (!key?.startsWith(this.prefix)) return;
    const uuid = key.slice(this.prefix.length);
    if (text === null) return void this.pending.delete(uuid);
    try {
      const event = JSON.parse(text);
      if (event.uuid !== uuid || !Number.isFinite(event.at)) throw new Error("not written by us");
      this.lastAt = Math.max(this.lastAt, event.at); // what is said next comes after it, also if the clock was set back
      this.events.set(uuid, event);
      this.pending.add(uuid);
      if (event.refused && !this.refused.has(uuid)) {
        this.refused.set(uuid, event.refused);
        this.elsewhere.add(uuid);
      }
    } catch {
      localStorage.removeItem(key);
    }
  }

  add(kind, id, value, seconds) {
    this.lastAt = Math.max(Date.now(), this.lastAt + 1); // strictly growing, so that the order is never in doubt
    const event = { uuid: newUuid(), at: this.lastAt, kind, id, value, seconds };
    this.events.set(event.uuid, event);
    this.pending.add(event.uuid);
    this.write(event);
  }

  write(event) {
    try {
      localStorage.setItem(this.prefix + event.uuid, JSON.stringify(event));
    } catch {
      this.durable = false;
    }
  }

  /** Forget what Python has stored or refused; returns whether that was news. */
  settle(acknowledged) {
    const stored = acknowledged.filter((uuid) => this.pending.delete(uuid));
    for (const uuid of stored) {
      const refused = this.refused.get(uuid);
      // Other tabs hear first why, since a removal alone tells them that it was stored.
      if (refused) this.write({ ...this.events.get(uuid), refused });
      try {
        localStorage.removeItem(this.prefix + uuid);
      } catch {
        this.durable = false;
      }
    }
    for (const uuid of this.events.keys()) if (!this.pending.has(uuid)) this.settled.add(uuid);
    return stored.length > 0;
  }

  /** Take in why the server did not take some events: uuid → reason. */
  refuse(reasons) {
    for (const [uuid, reason] of Object.entries(reasons)) this.refused.set(uuid, reason);
  }

  /** What was refused, unless the same item has got an answer since. */
  lost() {
    const events = this.ordered();
    const same = (one, other) => one.id === other.id && (one.kind === "note") === (other.kind === "note");
    const stored = events.filter(({ uuid }) => this.settled.has(uuid) && !this.refused.get(uuid));
    const mended = (event) => stored.some((later) => later.at > event.at && same(later, event));
    return events.filter((event) => this.refused.get(event.uuid) && !mended(event));
  }

  ordered() {
    return [...this.events.values()].sort((one, other) => one.at - other.at);
  }

  backlog() {
    return this.ordered().filter((event) => this.pending.has(event.uuid));
  }

  /** Replay: answers that stand, items reopened by undo (latest last) with what was said, and whether an undo needs the server. */
  replay() {
    const answered = [];
    let reopened = [];
    let waiting = false;
    for (const event of this.ordered()) {
      if (event.kind === "note" || this.refused.get(event.uuid)) continue;
      if (event.kind !== "undo") {
        answered.push(event);
        reopened = reopened.filter((item) => item.id !== event.id);
        continue;
      }
      const back = answered.pop();
      if (back) reopened.push({ id: back.id, undo: event.uuid, value: back.value });
      else if (!this.settled.has(event.uuid)) waiting = true;
    }
    return { answered, reopened, waiting };
  }
}
