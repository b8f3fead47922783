// For those who only want green or red.

import { get } from "./connection.js";
import { h, named, show } from "./elements.js";
import { STATUS, count, myZone, plural, zoned } from "./format.js";
import { badge, modelAddress, titled } from "./overview.js";

export function statusView(main) {
  titled("Status");
  const part = h("div", { class: "verdict" });
  const time = h("p", { class: "note" });
  main.append(part, time);
  return {
    async update() {
      const { models } = await get("/v1/models");
      titled("Status", models.some((one) => one.status === "firing"));
      show(part, models.map((one) => [one.model, one.status]), () => verdict(models));
      time.textContent = `As of ${zoned(new Date(), myZone)}.`;
    },
  };
}

function verdict(models) {
  const of = (status) => models.filter((one) => one.status === status).length;
  const state = !models.length ? "no data" : of("firing") ? "firing" : of("pending") ? "pending" : "ok";
  const words = {
    "no data": "No models yet",
    firing: of("firing") === models.length && models.length > 1 ? `All ${count(models.length)} models are firing` : `${count(of("firing"))} of ${plural(models.length, "model")} ${of("firing") === 1 ? "is" : "are"} firing`,
    pending: `No alarm, ${count(of("pending"))} pending`,
    ok: `No alarm in ${plural(models.length, "model")}`,
  }[state];
  return [
    h("h1", { class: STATUS[state].color }, h("span", { "aria-hidden": "true" }, `${STATUS[state].shape} `), words),
    of("no data") ? h("p", null, `${plural(of("no data"), "model")} ${of("no data") === 1 ? "is" : "are"} silent.`) : null,
    h("ul", { class: "states" }, models.map((one) => h("li", null, badge(one.status), h("a", { href: modelAddress(one.model) }, named(one.model)))))];
}
