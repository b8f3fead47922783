// Columns of readings over time: asked for once, and then only what has changed.

import { get } from "./connection.js";

const COMPLETE = 300_000; // milliseconds after which everything is asked for again

const isColumn = (value) => Array.isArray(value);

/** Columns of a stream with those of some later cohorts in place of what was known of these. */
function spliced(before, part) {
  if (!part.cohort.length) return { ...before, status: part.status, reference: part.reference };
  const kept = before.cohort.findIndex((one) => one >= part.cohort[0]);
  const end = kept < 0 ? before.cohort.length : kept;
  const found = {};
  for (const [name, value] of Object.entries(before)) found[name] = isColumn(value) ? [...value.slice(0, end), ...part[name]] : value;
  found.status = part.status;
  found.reference = part.reference;
  if (end) found.gap[end] = part.cohort[0] > before.end[end - 1] + 1;
  return found;
}

const iso = (seconds) => new Date(seconds * 1000).toISOString();

/** The readings of a model within a range of time, kept up to date. */
export class Series {
  constructor(address) {
    this.address = address;
    this.found = null;
    this.version = 0; // another one for other content
    this.changed = [];
    this.range = null;
    this.complete = -Infinity; // until when everything that is not in `changed` is as it was
  }

  /** Cohorts that have changed; without them everything may have. */
  hear(cohort) {
    if (cohort) this.changed.push(Date.parse(cohort) / 1000);
    else this.complete = -Infinity;
  }

  async update(range) {
    const same = JSON.stringify(range) === JSON.stringify(this.range);
    const changed = this.changed;
    this.changed = [];
    try {
      if (same && performance.now() < this.complete) await this.askPart(changed);
      else await this.askAll(range);
    } catch (error) {
      this.changed.push(...changed);
      this.complete = -Infinity;
      throw error;
    }
  }

  async askAll(range) {
    this.complete = performance.now() + COMPLETE; // news that come meanwhile may be later than the answer
    const query = range ? `?since=${iso(range[0])}&until=${iso(range[1])}` : "";
    this.found = await get(`${this.address}/series${query}`);
    this.range = range;
    this.version += 1;
  }

  async askPart(changed) {
    const inside = changed.filter((one) => !this.range || one < this.range[1]);
    if (!inside.length) return;
    const first = Math.max(Math.min(...inside), this.range?.[0] ?? -Infinity);
    const part = await get(`${this.address}/series?since=${iso(first)}${this.range ? `&until=${iso(this.range[1])}` : ""}`);
    const names = this.found.segments.map((one) => one.name);
    if (part.segments.some((one) => !names.includes(one.name))) return this.askAll(this.range);
    const streams = new Map([part.whole, ...part.segments].map((one) => [one.name, one]));
    const join = (one) => spliced(one, streams.get(one.name));
    const found = { ...part, whole: join(this.found.whole), segments: this.found.segments.map(join) };
    this.found = found;
    this.version += 1;
  }
}
