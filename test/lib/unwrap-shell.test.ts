import { expect, test } from "vitest";
import { unwrapShell } from "../../src/lib/unwrap-shell.js";

test.each([
  ["/bin/bash -lc 'make test'", "make test"],
  ["bash -c ls", "ls"],
  [`zsh -lc 'echo '\\''hi'\\'''`, "echo 'hi'"],
  [`sh -c "a \\"b\\" c"`, 'a "b" c'],
  ["bash -lc 'a' extra", "bash -lc 'a' extra"],
  ["bash -lc 'a' && rm -rf /", "bash -lc 'a' && rm -rf /"],
  ["bash -lc 'a'; rm x", "bash -lc 'a'; rm x"],
  ["bash -lc $(evil)", "bash -lc $(evil)"],
  ['bash -lc "$(evil)"', 'bash -lc "$(evil)"'],
  ["python -c 'print(1)'", "python -c 'print(1)'"],
  ["bash -lc", "bash -lc"],
  ["bash -lc 'open", "bash -lc 'open"],
])("%s is shown as %s", (command, shown) => {
  expect(unwrapShell(command)).toBe(shown);
});
