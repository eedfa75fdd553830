// Loaded into a program under measurement, with --expose-gc: on SIGUSR2 it collects all garbage and prints
// the bytes still in use to standard error. Resident memory is less exact: V8 returns pages to the system
// late.
"use strict";
process.on("SIGUSR2", () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`${heapUsed + external}\n`);
});
