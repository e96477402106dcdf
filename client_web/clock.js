// The time for clocks that people see: it goes on while the computer sleeps, and never back.

let last = performance.now();
let wall = Date.now();
let ahead = 0;

/** Seconds since some moment, also over a computer's sleep, where `performance.now()` may stop. */
export function now() {
  const passed = performance.now() - last;
  // What the other clock has gone further: a sleep, or somebody has set it.
  ahead += Math.max(0, Date.now() - wall - passed);
  last += passed;
  wall = Date.now();
  return (last + ahead) / 1000;
}
