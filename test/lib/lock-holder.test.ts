import { spawn } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { nameSelf, readHolderName, stateOfHolder } from "../../src/lib/lock-holder.js";
import { processStart } from "../../src/lib/process-table.js";

test("the text of a lock identifies its holder", () => {
  const self = nameSelf();

  expect(stateOfHolder(self)).toBe("running");
  expect(readHolderName(self)).toEqual({
    pid: process.pid,
    start: processStart(process.pid),
    host: hostname(),
  });
  expect(nameSelf()).not.toBe(self);
});

test("a process that has ended is gone, also when its number is in use again", async () => {
  const child = spawn("true");
  await once(child, "exit");

  expect(stateOfHolder(`${child.pid} 1 ${hostname()} x`)).toBe("gone");
  expect(stateOfHolder(`${process.pid} 1 ${hostname()} x`)).toBe("gone");
});

test("a process whose start is unknown runs as long as one of its number does", () => {
  expect(stateOfHolder(`${process.pid} - ${hostname()} x`)).toBe("running");
  expect(stateOfHolder(`${process.pid}  ${hostname()} x`)).toBe("running");
});

test("of another machine, and of a lock without a name, nothing is known", () => {
  expect(stateOfHolder("1 2 elsewhere.example x")).toBe("elsewhere");
  expect(stateOfHolder("")).toBe("unnamed");
});
