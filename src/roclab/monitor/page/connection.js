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

async function asked(path, options) {
  const answer = await fetch(path, { cache: "no-store", ...options, headers: { ...headers(), ...options?.headers } });
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, content.error ?? `The service answers ${answer.status}.`);
  return content;
}

export const get = (path) => asked(path);
export const post = (path, body) => asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body) });
export const remove = (path) => asked(path, { method: "DELETE" });

const SILENT = 40_000; // milliseconds without a sign of life
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 15_000;

/** Listen to news; `heard(kind, content)` for each, `state(alive, error)` when the connection changes. */
export function listen(heard, state) {
  let last = "";
  let pause = FIRST_PAUSE;
  let stopped = false;
  async function connect() {
    const control = new AbortController();
    let watchdog;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => control.abort(), SILENT);
    };
    try {
      alive();
      const answer = await fetch("/v1/events", { cache: "no-store", signal: control.signal, headers: { ...headers(), Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) } });
      if (!answer.ok) throw new Refusal(answer.status, (await answer.json().catch(() => ({}))).error ?? `The service answers ${answer.status}.`);
      pause = FIRST_PAUSE;
      state(true);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
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
          if (fields.id) last = fields.id;
          if (fields.event) heard(fields.event, fields.data ? JSON.parse(fields.data) : {});
        }
      }
      throw new Error("The connection has ended.");
    } catch (error) {
      clearTimeout(watchdog);
      if (stopped) return;
      state(false, error);
      setTimeout(connect, pause * (0.75 + Math.random() / 2));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }
  connect();
  return () => (stopped = true);
}
