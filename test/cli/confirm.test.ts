import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { CommandIo } from "../../src/cli/command.js";
import { confirm } from "../../src/cli/confirm.js";

/** A terminal that answers with this text. */
function terminal(answer: string, isTTY = true) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  let shown = "";
  stderr.on("data", (chunk) => {
    shown += chunk;
  });
  stdin.end(answer);
  const io = { stdin, stderr, signal: new AbortController().signal } as unknown as CommandIo;
  return { io, shown: () => shown };
}

describe("a confirmation", () => {
  test.each([
    ["y\n", true],
    ["YES\n", true],
    [" y \n", true],
    ["n\n", false],
    ["\n", false],
    ["yep\n", false],
    ["", false],
  ])("answered %j is %s", async (answer, isConfirmed) => {
    const { io, shown } = terminal(answer);

    expect(await confirm("Delete?", io)).toBe(isConfirmed);
    expect(shown()).toContain("Delete? [y/N] ");
  });

  test("without a terminal is undefined, and nothing is asked", async () => {
    const { io, shown } = terminal("y\n", false);

    expect(await confirm("Delete?", io)).toBeUndefined();
    expect(shown()).toBe("");
  });
});
