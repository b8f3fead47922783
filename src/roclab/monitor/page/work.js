// Work in slices, so that the page answers while it draws.

const LONGEST = 8; // milliseconds of a slice
const PATIENCE = 200; // milliseconds that work waits for the browser to be idle

const waiting = new Map();
let begun = false;

const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 1));

function work() {
  const end = performance.now() + LONGEST;
  try {
    for (const [key, task] of waiting) {
      waiting.delete(key);
      task();
      if (performance.now() > end) break;
    }
  } finally {
    begun = waiting.size > 0;
    if (begun) whenIdle(work, { timeout: PATIENCE });
  }
}

/** Do something soon, in the order of the calls; of several with the same key only the last. */
export function inTurn(key, task) {
  waiting.set(key, task);
  if (begun) return;
  begun = true;
  whenIdle(work, { timeout: PATIENCE });
}
