import { expect, test } from "vitest";
import { LineProgram } from "../../interop/line-program.js";

function start(code: string, signal = new AbortController().signal): LineProgram {
  const env = { PATH: process.env.PATH ?? "" };
  return new LineProgram({ command: [process.execPath, "-e", code], cwd: "/", env, signal });
}

test("each line is returned once, in order, and lines that are not JSON are text", async () => {
  await using program = start(`console.log('{"n":1}\\nhello\\n{"n":1}')`);

  const lines = [
    await program.until("1", ({ n }) => n === 1),
    await program.until("hello", ({ text }) => text === "hello"),
    await program.until("1", ({ n }) => n === 1),
  ];

  expect(lines).toEqual([{ n: 1 }, { text: "hello" }, { n: 1 }]);
});

test("a program that exits instead is reported with its last output", async () => {
  await using program = start(`console.log('{"n":1}'); console.error("no more"); process.exit(3)`);

  const waiting = program.until("2", ({ n }) => n === 2);

  await expect(waiting).rejects.toThrow(/waited for 2 of `.*`, which ended with 3\n {4}{"n":1}\n/s);
  await expect(program.finish()).resolves.toBe(3);
});

test("closing the input lets a program exit", async () => {
  await using program = start(`process.stdin.on("end", () => process.exit(7)).resume()`);

  expect(await program.finish()).toBe(7);
});

test("an abort ends the program and rejects waiters", async () => {
  const run = new AbortController();
  await using program = start(`console.log("{}"); setInterval(() => {}, 1000)`, run.signal);
  await program.until("its start", () => true);

  run.abort();

  await expect(program.until("more", () => true)).rejects.toThrow("which ended with null");
});
