// Numbers, times and statuses as people read them.

export const STATUS = {
  firing: { shape: "▲", word: "firing", color: "alarm" },
  pending: { shape: "◐", word: "pending", color: "warning" },
  ok: { shape: "○", word: "ok", color: "ok" },
  learning: { shape: "◌", word: "learning", color: "muted" },
  "no data": { shape: "–", word: "no data", color: "muted" },
  muted: { shape: "◇", word: "muted", color: "muted" },
  ended: { shape: "○", word: "ended", color: "muted" },
};

export const auc = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
export const signed = (value) => (value === null || value === undefined ? "–" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`);
export const percent = (value) => (value === null || value === undefined ? "–" : `${Math.floor(value * 1000 + 1e-9) / 10 === 100 ? 100 : (value * 100).toFixed(value > 0.995 || (value > 0 && value < 0.1) ? 1 : 0)} %`);
export const count = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en"));
export const interval = (low, high) => (low === null || low === undefined ? "" : `[${auc(low)}, ${auc(high)}]`);

export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  for (const [word, length] of [["day", 86400], ["hour", 3600], ["minute", 60]]) {
    if (seconds >= length * (word === "minute" ? 1 : 1.5)) {
      const number = seconds / length;
      const shown = number < 10 && word !== "minute" ? Math.round(number * 10) / 10 : Math.round(number);
      return `${shown} ${word}${shown === 1 ? "" : "s"}`;
    }
  }
  return `${Math.round(seconds)} s`;
}

const MINE = Intl.DateTimeFormat().resolvedOptions().timeZone;
let chosen = "cohort";
try {
  chosen = localStorage.getItem("roclab.zone") ?? "cohort";
} catch {
  // A browser may keep nothing; then the choice lasts as long as the page.
}

/** The zone that times are shown in: that of the cohorts, or the reader's. */
export const zoneOf = (cohorts) => (chosen === "mine" ? MINE : cohorts ?? "UTC");
export const zoneChoice = () => chosen;
export const myZone = MINE;
export function chooseZone(which) {
  chosen = which;
  try {
    localStorage.setItem("roclab.zone", which);
  } catch {
    // As above.
  }
}

const formats = new Map();
function parts(zone, time) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }));
  }
  return Object.fromEntries(formats.get(zone).formatToParts(time).map((one) => [one.type, one.value]));
}

/** A moment, to the minute. */
export function moment(time, zone) {
  if (time === null || time === undefined) return "–";
  const p = parts(zoneOf(zone), new Date(time));
  return `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}`;
}

/** A moment with the name of its zone. */
export const zoned = (time, zone) => `${moment(time, zone)} ${zoneOf(zone)}`;

/** A cohort by its beginning: a date, or a date and an hour. Days are those of the cohorts' zone. */
export function cohort(time, period, zone) {
  const p = parts(period === "hour" ? zoneOf(zone) : zone ?? "UTC", new Date(time));
  const day = `${p.year}-${p.month}-${p.day}`;
  return period === "hour" ? `${day} ${p.hour}:${p.minute}` : period === "week" ? `week of ${day}` : day;
}

/** How long ago. */
export function ago(time) {
  if (!time) return "never";
  const seconds = (Date.now() - new Date(time)) / 1000;
  return seconds < 60 ? "just now" : `${duration(seconds)} ago`;
}

/** How long ago a cohort began: by the calendar, as its date reads; hours of the last two days by the clock. */
export function cohortAgo(time, period, zone) {
  const day = (one) => Date.parse(cohort(one, period === "hour" ? "hour" : "day", zone).slice(0, 10));
  const days = (day(Date.now()) - day(time)) / 86_400_000;
  if (period === "hour" && days < 2) return ago(time);
  return days < 1 ? "today" : `${plural(days, "day")} ago`;
}

export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
