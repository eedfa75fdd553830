import { expect, test } from "vitest";
import { openTerminal } from "../../src/exec/pty.js";

const size = { columns: 80, rows: 24 };

test("the terminal library is not loaded beside musl, for which it was not built", async () => {
  const maps = () => "7f00-7f01 r--p 00000000 08:01 42   /lib/ld-musl-x86_64.so.1\n";

  expect(await openTerminal(size, maps)).toBeUndefined();
});

test("a terminal opens beside glibc", async () => {
  const terminal = await openTerminal(size);

  expect(terminal?.name).toMatch(/^\/dev\//);
  terminal?.close(() => undefined);
});
