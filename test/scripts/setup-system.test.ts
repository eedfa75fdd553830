import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { bubblewrapWorks } from "../sandbox/support/confined.js";

const script = resolve(import.meta.dirname, "../../scripts/setup-system.mjs");

function setUp(tools: string[], env: Record<string, string>, asNobody = false) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...tools], {
    env,
    encoding: "utf8",
    cwd: "/",
    ...(asNobody && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}),
  });
  return { status, stderr };
}

test.runIf(bubblewrapWorks)("nothing is said when nothing is missing", () => {
  expect(setUp([], { PATH: "/nonexistent", CI: "true" })).toEqual({ status: 0, stderr: "" });
});

test("a tool it does not know is an error", () => {
  expect(setUp(["nope"], {})).toEqual({
    status: 2,
    stderr: "No such tool: nope. There are: bubblewrap, tmux\n",
  });
});

test("what is missing and cannot be installed is said loudly, and fails in CI", () => {
  const here = setUp(["tmux"], { PATH: "/nonexistent" }, true);
  const inCi = setUp(["tmux"], { PATH: "/nonexistent", CI: "true" }, true);

  expect([here.status, inCi.status]).toEqual([0, 1]);
  expect(here.stderr).toContain("will NOT be tested");
  expect(here.stderr).toContain("sudo apt-get install tmux");
});
