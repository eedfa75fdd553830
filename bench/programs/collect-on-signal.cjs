// Loaded into a program under measurement, with --expose-gc: on SIGUSR2 it collects all garbage and
// says on standard error how many bytes the program holds on to. What is resident says less: V8 gives
// pages back when it likes.
"use strict";
process.on("SIGUSR2", () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`${heapUsed + external}\n`);
});
