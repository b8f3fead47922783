// The connection to the service: questions, acts, and news that come by themselves.

let token = null;
let shared = false;
const remembered = "roclab.token";

// A share link has its token behind the #, so that no server and no log sees it.
const given = new URLSearchParams(location.hash.slice(1)).get("share");
try {
  if (given) sessionStorage.setItem(remembered, JSON.stringify({ token: given, shared: true }));
  ({ token, shared } = JSON.parse(sessionStorage.getItem(remembered)) ?? { token: null, shared: false });
} catch {
  token = given;
  shared = Boolean(given);
}
if (given) history.replaceState(history.state, "", location.pathname + location.search);

export const isShared = () => shared;
export const hasToken = () => token !== null;

export function useToken(text) {
  token = text;
  shared = false;
  try {
    sessionStorage.setItem(remembered, JSON.stringify({ token, shared }));
  } catch {
    // It then lasts as long as the page.
  }
}

/** An answer that is an error, with its status. */
export class Refusal extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

const headers = () => (token ? { Authorization: `Bearer ${token}` } : {});

/** No answer, or half of one. */
export class Unreachable extends Error {}

async function asked(path, options) {
  let answer;
  let content;
  try {
    answer = await fetch(path, { cache: "no-store", ...options, headers: { ...headers(), ...options?.headers } });
    content = await answer.json();
  } catch (error) {
    if (!answer || answer.ok) throw new Unreachable("The service cannot be reached.", { cause: error });
  }
  if (!answer.ok) throw new Refusal(answer.status, content?.error ?? `The service answers ${answer.status}.`);
  return content;
}

export const get = (path) => asked(path);
export const post = (path, body) => asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
export const remove = (path) => asked(path, { method: "DELETE" });

const SILENT = 40_000; // milliseconds without a sign of life
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 15_000;

/** News of a stream of server-sent events, one after the other. */
async function* newsOf(stream, alive) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    text += value;
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop();
    for (const event of events) {
      const fields = {};
      for (const line of event.split(/\r?\n/)) {
        const place = line.indexOf(":");
        if (place > 0) fields[line.slice(0, place)] = line.slice(place + 1).trimStart();
      }
      yield fields;
    }
  }
}

/**
 * Listen to news; `heard(kind, content)` for each, `state(alive, error)` when the connection changes.
 *
 * After an interruption it goes on where it was. Returns functions to rest, and to go on
 * or try again at once if it does not listen; whether it did not.
 */
export function listen(heard, state) {
  let last = "";
  let pause = FIRST_PAUSE;
  let silent = false; // by will, not by accident
  let timer = null;
  let control = null;
  async function connect() {
    timer = null;
    control = new AbortController();
    const mine = control;
    let watchdog;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => mine.abort(), SILENT);
    };
    try {
      alive();
      const answer = await fetch("/v1/events", { cache: "no-store", signal: mine.signal, headers: { ...headers(), Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) } });
      if (!answer.ok) throw new Refusal(answer.status, (await answer.json().catch(() => ({}))).error ?? `The service answers ${answer.status}.`);
      pause = FIRST_PAUSE;
      state(true);
      for await (const { id, event, data } of newsOf(answer.body, alive)) {
        if (id) last = id;
        if (event) heard(event, data ? JSON.parse(data) : {});
      }
      throw new Error("The connection has ended.");
    } catch (error) {
      clearTimeout(watchdog);
      if (silent || mine !== control) return;
      state(false, error);
      if (silent) return;
      timer = setTimeout(connect, pause * (0.75 + Math.random() / 2));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }
  connect();
  return {
    rest() {
      silent = true;
      clearTimeout(timer);
      control.abort();
    },
    hurry() {
      if (!silent && timer === null) return false;
      silent = false;
      clearTimeout(timer);
      connect();
      return true;
    },
  };
}
