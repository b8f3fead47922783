// The page: which view an address shows, and what happens when news come.

import { Refusal, Unreachable, isShared, listen, useToken } from "./connection.js";
import { h, show } from "./elements.js";
import { moment, myZone } from "./format.js";
import { alertView, alertsView } from "./alerts.js";
import { comparisonView } from "./comparison.js";
import { foot } from "./foot.js";
import { modelView } from "./model.js";
import { overviewView } from "./overview.js";
import { statusView } from "./status.js";

const VIEWS = [
  [/^\/$/, overviewView],
  [/^\/status$/, statusView],
  [/^\/alerts$/, alertsView],
  [/^\/alerts\/(\d+)$/, alertView],
  [/^\/models\/([^/]+)$/, modelView],
  [/^\/models\/([^/]+)\/comparison$/, comparisonView],
];
const PAUSE = 1500; // milliseconds from news to the question what has changed
const SHARE = 10; // of the time that a question took, between two
const AGAIN = 5000; // after a question that was not answered
const REST = 60_000; // without news
const AWAY = 10_000; // until a page that is not seen ceases to listen

const main = document.getElementById("main");
const connection = document.getElementById("connection");
let view = null;
let news = null;

/** Go to an address of this page without loading it again. */
function go(address) {
  if (new URL(address, location).href === location.href) return;
  history.replaceState({ scroll: scrollY }, "");
  history.pushState(null, "", address);
  open();
}

function viewOf(path) {
  for (const [form, make] of VIEWS) {
    const match = form.exec(path);
    if (match) return [make, ...match.slice(1).map(decodeURIComponent)];
  }
  return [];
}

async function open(scroll = null) {
  const path = location.pathname;
  if (view?.address === path) {
    await refresh();
    return;
  }
  view?.close?.();
  view = null;
  main.replaceChildren();
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === path) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const [make, ...names] = viewOf(path);
  if (!make) {
    refuse("There is no such page", "The address leads nowhere.");
    return;
  }
  main.setAttribute("aria-busy", "true");
  view = make(main, ...names);
  view.address = path;
  scrollTo(0, 0);
  await refresh();
  if (scroll) scrollTo(0, scroll);
}

function refuse(title, text) {
  view?.close?.();
  view = null;
  document.title = `${title} · roclab monitor`;
  main.removeAttribute("aria-busy");
  main.replaceChildren(h("h1", null, title), h("p", null, text), h("p", null, h("a", { href: "/" }, "All models")));
}

// News come in crowds, and a question costs time: the view asks again after a pause.
let planned = null;
let due = 0;
function plan(pause) {
  const at = performance.now() + pause;
  if (planned !== null && due <= at) return;
  clearTimeout(planned);
  due = at;
  planned = setTimeout(refresh, pause);
}

let asking = null;
let cost = 0;
async function refresh() {
  clearTimeout(planned);
  planned = null;
  const mine = view;
  if (!mine) return;
  if (asking?.view === mine) {
    asking.again = true; // what changed meanwhile is asked for after this answer
    return;
  }
  const question = { view: mine, again: false };
  asking = question;
  const begun = performance.now();
  try {
    await mine.update();
    if (mine === view) answered();
  } catch (error) {
    if (mine === view) failed(error);
  } finally {
    if (asking === question) asking = null;
  }
  cost = performance.now() - begun;
  if (mine !== view) return;
  if (question.again) await refresh();
  else plan(lostAt.answers ? AGAIN : REST);
}

function answered() {
  main.removeAttribute("aria-busy");
  delete lostAt.answers;
  tellConnection();
}

function failed(error) {
  const status = error instanceof Refusal ? error.status : 0;
  if (status === 401 || status === 403) askForToken(error);
  else if (status === 404) refuse("Not found", error.message);
  else if (status >= 500 || status === 429 || error instanceof Unreachable) lost("answers");
  else if (status) refuse("This cannot be shown", error.message);
  else throw error;
}

function askForToken(error) {
  view?.close?.();
  view = null;
  news?.rest();
  news = null;
  lostAt = {};
  tellConnection();
  main.removeAttribute("aria-busy");
  document.title = "Token · roclab monitor";
  const input = h("input", { id: "token", type: "password", autocomplete: "current-password", required: true, "aria-describedby": "token-said" });
  main.replaceChildren(
    h("h1", null, isShared() ? "This link is no longer valid" : "A token is needed"),
    h("p", { id: "token-said", role: "alert" }, isShared() ? "It was revoked or has expired. Ask whoever sent it for another one." : error.message),
    h("form", { class: "token", onsubmit: (event) => {
      event.preventDefault();
      useToken(input.value.trim());
      restart();
    } }, h("label", { for: "token" }, "Token with the scope read or admin"), input, h("button", { type: "submit", class: "primary" }, "Open")));
  input.focus();
}

function heard(kind, content) {
  if (!view || (view.cares && !view.cares(kind, content))) return;
  view.hear?.(kind, content);
  plan(Math.max(PAUSE, SHARE * cost));
}

let lostAt = {}; // since when there are no news, and no answers
function lost(what) {
  lostAt[what] ??= new Date();
  tellConnection();
}

function tellConnection() {
  const since = Object.values(lostAt).sort((a, b) => a - b)[0] ?? null;
  document.body.classList.toggle("stale", since !== null);
  show(connection, since, () => (since ? [h("strong", null, "Not connected"), ` since ${moment(since, myZone)} ${myZone}. What you see was known then; the page tries again by itself.`] : []));
}

function state(alive, error) {
  if (alive) {
    const wasLost = "news" in lostAt;
    delete lostAt.news;
    tellConnection();
    if (wasLost) {
      view?.hear?.("resync", {});
      refresh();
    }
  } else if (error instanceof Refusal && [401, 403].includes(error.status)) askForToken(error);
  else lost("news");
}

function restart() {
  news?.rest();
  news = listen(heard, state);
  foot(reopen);
  reopen();
}

/** Show the same address anew. */
function reopen() {
  view?.close?.();
  view = null;
  open();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.hasAttribute("download") || link.target || link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  go(link.href);
  main.focus({ preventScroll: true });
});
// A browser has six connections to a server for all of its tabs together: those that nobody looks
// at keep none of them, and ask from time to time.
let leaving = null;
document.addEventListener("visibilitychange", () => {
  clearTimeout(leaving);
  if (document.hidden) leaving = setTimeout(() => news?.rest(), AWAY);
  else if (news?.hurry()) refresh();
});
addEventListener("popstate", (event) => open(event.state?.scroll ?? null));
addEventListener("range", (event) => go(event.detail));
addEventListener("acted", () => {
  view?.hear?.("act", {});
  refresh();
});

restart();
