// The page: which view an address shows, and what happens when news come.

import { Refusal, isShared, listen, post, useToken } from "./connection.js";
import { h, show } from "./elements.js";
import { chooseZone, moment, myZone, zoneChoice } from "./format.js";
import { alertsView, alertView } from "./alerts.js";
import { comparisonView } from "./comparison.js";
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

const main = document.getElementById("main");
const connection = document.getElementById("connection");
let view = null;
let asked = 0;

/** Go to an address of this page without loading it again. */
export function go(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  open();
}

async function open() {
  const path = location.pathname;
  const [, make, match] = VIEWS.map(([form, make]) => [form, make, form.exec(path)]).find((one) => one[2]) ?? [];
  if (view && view.address === path) {
    await view.update();
    return;
  }
  view?.close?.();
  main.replaceChildren();
  for (const link of document.querySelectorAll("nav a")) {
    const here = link.getAttribute("href") === path;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!make) {
    main.append(h("h1", null, "There is no such page"), h("p", null, h("a", { href: "/" }, "All models")));
    return;
  }
  view = make(main, ...match.slice(1).map(decodeURIComponent));
  view.address = path;
  scrollTo(0, 0);
  await refresh();
}

async function refresh() {
  const mine = ++asked;
  try {
    await view?.update();
    if (mine === asked) main.removeAttribute("aria-busy");
  } catch (error) {
    if (!(error instanceof Refusal)) {
      lost(error);
      return;
    }
    if (error.status === 401) askForToken(error);
    else show(main, error.message, (text) => [h("h1", null, error.status === 404 ? "Not found" : "This cannot be shown"), h("p", null, text), h("p", null, h("a", { href: "/" }, "All models"))]);
  }
}

function askForToken(error) {
  view?.close?.();
  view = null;
  const input = h("input", { id: "token", type: "password", autocomplete: "current-password", required: true });
  main.replaceChildren(
    h("h1", null, isShared() ? "This link is no longer valid" : "A token is needed"),
    h("p", null, isShared() ? "It was revoked or has expired. Ask whoever sent it for another one." : error.message),
    h("form", { class: "token", onsubmit: (event) => {
      event.preventDefault();
      useToken(input.value.trim());
      restart();
    } }, h("label", { for: "token" }, "Token with the scope read or admin"), input, h("button", { type: "submit" }, "Open")));
}

// News come in crowds: the view asks again at most once a second.
let waiting = null;
function heard(kind, content) {
  if (!view || waiting || (view.cares && !view.cares(kind, content))) return;
  waiting = setTimeout(() => {
    waiting = null;
    refresh();
  }, view.pause ?? 1000);
}

let since = null;
function lost(error) {
  if (error instanceof Refusal && error.status === 401) {
    askForToken(error);
    return;
  }
  since ??= new Date();
  document.body.classList.add("stale");
  show(connection, since.toISOString(), () => [h("strong", null, "Not connected"), ` since ${moment(since, myZone)}. What you see was known then; the page tries again by itself.`]);
}

function state(alive, error) {
  if (!alive) {
    lost(error);
    return;
  }
  const wasLost = since !== null;
  since = null;
  document.body.classList.remove("stale");
  show(connection, "", () => []);
  if (wasLost) refresh();
}

let stop = null;
function restart() {
  stop?.();
  stop = listen(heard, state);
  open();
}

function foot() {
  const footer = document.querySelector("footer");
  const zone = h("select", { id: "zone", onchange: () => {
    chooseZone(zone.value);
    view?.close?.();
    view = null;
    open();
  } }, h("option", { value: "cohort", selected: zoneChoice() === "cohort" }, "the zone of the cohorts"), h("option", { value: "mine", selected: zoneChoice() === "mine" }, `my zone, ${myZone}`));
  footer.replaceChildren(h("label", { for: "zone" }, "Times in "), zone);
  if (isShared()) footer.append(h("span", null, "You are looking at a shared page: you can read, and change nothing."));
  else footer.append(h("button", { type: "button", id: "share", onclick: share }, "Share a link that can only read"));
}

async function share() {
  const button = document.getElementById("share");
  try {
    const name = `share ${new Date().toISOString().replace(/[:T]/g, "-").slice(0, 19)}`;
    const { secret } = await post(`/v1/tokens?name=${encodeURIComponent(name)}&scope=read`);
    const link = `${location.origin}${location.pathname}${location.search}#share=${secret}`;
    const field = h("input", { id: "share-link", readonly: true, value: link, "aria-label": "Link that can only read" });
    button.replaceWith(h("span", { class: "share" }, field, ` To revoke it: roclab monitor token revoke "${name}"`));
    field.select();
    await navigator.clipboard?.writeText(link).catch(() => {});
  } catch (error) {
    button.after(h("span", { role: "alert" }, ` ${error.message}`));
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.hasAttribute("download") || link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  go(link.href);
  main.focus({ preventScroll: true });
});
addEventListener("popstate", open);

foot();
restart();
