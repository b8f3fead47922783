// The foot of the page: the zone of times, and links that can only read.

import { isShared, post, remove } from "./connection.js";
import { copyButton, h } from "./elements.js";
import { chooseZone, myZone, zoneChoice } from "./format.js";

/** Fill the foot; `changed` is called when times are shown in another zone. */
export function foot(changed) {
  const zone = h("select", { id: "zone", onchange: () => {
    chooseZone(zone.value);
    changed();
  } }, [["cohort", "the zone of each model"], ["mine", `my zone: ${myZone}`]].map(([value, words]) => h("option", { value, selected: zoneChoice() === value }, words)));
  document.querySelector("footer").replaceChildren(
    h("span", null, h("label", { for: "zone" }, "Times in "), zone),
    isShared() ? h("span", null, "This is a shared page: you can read, and change nothing.") : sharing());
}

function sharing() {
  const said = h("span", { role: "status" });
  const button = h("button", { type: "button", id: "share" }, "Share this page, read-only");
  const place = h("span", { class: "share" }, button, said);
  button.addEventListener("click", async () => {
    const name = `share ${new Date().toISOString().replace(/[:T]/g, "-").slice(0, 19)}`;
    try {
      const { secret } = await post("/v1/tokens", { name, scope: "read" });
      const link = `${location.origin}${location.pathname}${location.search}#share=${secret}`;
      const field = h("input", { id: "share-link", readonly: true, value: link, "aria-label": "Link that can only read" });
      const revoke = h("button", { type: "button", onclick: async () => {
        try {
          await remove(`/v1/tokens/${encodeURIComponent(name)}`);
          place.replaceChildren(button, said);
          said.textContent = "The link was revoked.";
          button.focus();
        } catch (error) {
          said.textContent = error.message;
        }
      } }, "Revoke");
      said.textContent = "";
      place.replaceChildren(field, copyButton(link, "the link"), revoke, h("span", null, "Who has this link can read everything here, until you revoke it: here, or later by ", h("code", null, `roclab monitor token revoke "${name}"`), "."), said);
      field.focus();
      field.select();
    } catch (error) {
      said.textContent = error.message;
    }
  });
  return place;
}
