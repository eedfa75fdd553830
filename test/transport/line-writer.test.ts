import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { LineWriter } from "../../src/transport/byte-channel.js";

/** Collects chunks; with `isStuck`, none is acknowledged until `release` is called. */
function createOutput(isStuck = false) {
  const chunks: string[] = [];
  let acknowledge = () => {};
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _, done) {
      chunks.push(String(chunk));
      if (isStuck) acknowledge = done;
      else done();
    },
  });
  return { output, chunks, release: () => acknowledge() };
}

test("the lines of one turn are one write", async () => {
  const { output, chunks } = createOutput();
  const writer = new LineWriter(output);

  for (const line of ["a\n", "b\n", "c\n"]) expect(writer.write(line)).toBe(true);
  expect(chunks).toEqual([]);
  await nextTurn();
  writer.write("d\n");
  await nextTurn();

  expect(chunks).toEqual(["a\nb\nc\n", "d\n"]);
});

test("a megabyte is written at once, and the sender has to wait for a slow peer", async () => {
  const { output, chunks, release } = createOutput(true);
  const writer = new LineWriter(output);

  expect(writer.write("x".repeat(1024 * 1024))).toBe(false);
  expect(chunks).toHaveLength(1);
  expect(writer.backlog).toBe(1024 * 1024);
  let isDrained = false;
  const drained = writer.drained().then(() => {
    isDrained = true;
  });
  await nextTurn();
  expect(isDrained).toBe(false);

  release();
  await drained;
  expect(writer.backlog).toBe(0);
});

test("the end flushes what was written and drops what follows", async () => {
  const { output, chunks } = createOutput();
  const writer = new LineWriter(output);
  writer.write("a\n");

  await writer.end();
  writer.write("late\n");
  await writer.drained();
  await writer.end();

  expect(chunks).toEqual(["a\n"]);
  expect(writer.isOpen).toBe(false);
});

test("an output that breaks releases the sender, and later lines are dropped", async () => {
  const { output, chunks } = createOutput(true);
  const writer = new LineWriter(output);
  writer.write("x".repeat(2 * 1024 * 1024));
  const drained = writer.drained();

  output.destroy(new Error("gone"));
  await new Promise((resolve) => output.once("close", resolve));

  await drained;
  expect(writer.write("late\n")).toBe(true);
  await writer.end();
  expect([writer.isOpen, chunks.length]).toEqual([false, 1]);
});
