// For those who only want green or red.

import { get } from "./connection.js";
import { h, show } from "./elements.js";
import { STATUS, moment, myZone } from "./format.js";
import { badge, modelAddress } from "./overview.js";

export function statusView(main) {
  document.title = "Status · roclab monitor";
  const part = h("div", { class: "verdict" });
  main.append(part);
  return {
    async update() {
      const { models } = await get("/v1/models");
      const firing = models.filter((one) => one.status === "firing");
      const silent = models.filter((one) => one.status === "no data");
      show(part, models.map((one) => [one.model, one.status]), () => {
        const state = firing.length ? "firing" : "ok";
        return [
          h("h1", { class: STATUS[state].color }, h("span", { "aria-hidden": "true" }, `${STATUS[state].shape} `), firing.length ? `${firing.length} of ${models.length} models are in trouble` : models.length ? `No alarm in ${models.length} models` : "No models yet"),
          silent.length ? h("p", null, `${silent.length} of them ${silent.length === 1 ? "is" : "are"} silent.`) : null,
          h("ul", { class: "states" }, models.map((one) => h("li", null, badge(one.status), " ", h("a", { href: modelAddress(one.model) }, one.model)))),
          h("p", { class: "note" }, `As of ${moment(new Date(), myZone)} ${myZone}`)].filter(Boolean);
      });
    },
  };
}
