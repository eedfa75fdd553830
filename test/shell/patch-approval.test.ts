import { expect, test } from "vitest";
import type { SandboxPolicy } from "../../src/protocol/types.js";
import { decidePatch, isPatchWritable, type PatchedPath } from "../../src/shell/index.js";

const roots = [{ root: "/ws/a", read_only_subpaths: ["/ws/a/.git"] }];

function writable(paths: PatchedPath[], mode: SandboxPolicy["mode"] = "workspace-write"): boolean {
  const sandboxPolicy = { mode } as SandboxPolicy;
  return isPatchWritable({ paths, sandboxPolicy, cwd: "/ws/a", writableRoots: roots });
}

test.each([
  ["x.txt", true],
  ["./sub/../x.txt", true],
  ["/ws/a/x.txt", true],
  ["/ws/a/..x", true],
  ["../b/x.txt", false],
  ["/ws/ab/x.txt", false],
  ["sub/../../x.txt", false],
  [".git/config", false],
  ["sub/../.git/config", false],
  [".gitignore", true],
])("under workspace-write %s is writable: %s", (path, expected) => {
  expect(writable([{ path }])).toBe(expected);
});

test("both ends of a move count", () => {
  expect(writable([{ path: "a", moveTo: "b" }])).toBe(true);
  expect(writable([{ path: "a", moveTo: "/b" }])).toBe(false);
  expect(writable([{ path: "/a", moveTo: "b" }])).toBe(false);
});

test("read-only allows no path and full access every path", () => {
  expect(writable([{ path: "a" }], "read-only")).toBe(false);
  expect(writable([{ path: "/etc/x" }], "danger-full-access")).toBe(true);
});

test("a patch without files is refused under every policy", () => {
  expect(
    decidePatch({
      paths: [],
      approvalPolicy: "untrusted",
      sandboxPolicy: { mode: "read-only" },
      cwd: "/",
      writableRoots: [],
      platformSandbox: true,
    }),
  ).toEqual({ decision: "reject", reason: "empty patch" });
});
