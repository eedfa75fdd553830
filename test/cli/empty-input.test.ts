import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { emptyInput } from "../../src/cli/main.js";

test("nothing comes from an empty input", async () => {
  const parts: unknown[] = [];
  for await (const part of emptyInput()) parts.push(part);

  expect([parts, emptyInput().isTTY]).toEqual([[], false]);
});

test("a child can be given it as it is", async () => {
  const child = spawn("true", [], { stdio: [emptyInput(), "ignore", "ignore"] });

  expect(await once(child, "exit")).toEqual([0, null]);
});
