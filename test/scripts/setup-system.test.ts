import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bubblewrapWorks } from "../sandbox/support/confined.js";

const script = resolve(import.meta.dirname, "../../scripts/setup-system.mjs");
const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "quire-setup-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setUp(tools: string[], env: Record<string, string>, { asNobody = false } = {}) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...tools], {
    env,
    encoding: "utf8",
    cwd: "/",
    ...(asNobody && isRoot ? { uid: 65534, gid: 65534 } : {}),
  });
  return { status, stderr };
}

/** Writes an `apt-get` that logs its arguments and, on `install`, creates the program. */
function fakeApt({ needsUpdate = false } = {}): string {
  const apt = join(folder, "apt-get");
  const updated = join(folder, "updated");
  const lines = [
    "#!/bin/sh",
    `echo "$*" >> ${join(folder, "log")}`,
    `case "$*" in *update*) : > ${updated} ;; esac`,
    `case "$*" in *install*)`,
    needsUpdate ? `[ -e ${updated} ] || exit 100` : ":",
    `: > ${join(folder, "tmux")} ;; esac`,
  ];
  writeFileSync(apt, `${lines.join("\n")}\n`);
  chmodSync(apt, 0o755);
  return apt;
}

function aptLog(): string[] {
  const log = join(folder, "log");
  return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
}

const install = "-qq install --yes --no-install-recommends tmux";

test.runIf(bubblewrapWorks)("prints nothing if nothing is missing", () => {
  expect(setUp([], { PATH: "/nonexistent", CI: "true" })).toEqual({ status: 0, stderr: "" });
});

test("rejects an unknown package", () => {
  expect(setUp(["nope"], {})).toEqual({
    status: 2,
    stderr: "Unknown package: nope (expected bubblewrap, tmux, nats-server, chromium)\n",
  });
});

test("warns about a package it cannot install, and fails in CI", () => {
  const here = setUp(["tmux"], { PATH: "/nonexistent" }, { asNobody: true });
  const inCi = setUp(["tmux"], { PATH: "/nonexistent", CI: "true" }, { asNobody: true });

  expect([here.status, inCi.status]).toEqual([0, 1]);
  expect(here.stderr).toContain("tests of the terminal UI in a real terminal are SKIPPED");
  expect(here.stderr).toContain("sudo apt-get install tmux");
});

test.runIf(isRoot)("announces what it installs, why, and how to prevent it", () => {
  const { status, stderr } = setUp(["tmux"], { PATH: folder, QUIRE_APT_GET: fakeApt() });

  expect(stderr).toBe(
    "Installing tmux (tests of the terminal UI) with apt-get; set QUIRE_NO_SETUP=1 to prevent this\n",
  );
  expect(status).toBe(0);
  expect(aptLog()).toEqual([install]);
});

test.runIf(isRoot)("fetches the package lists if the first attempt fails", () => {
  const env = { PATH: folder, QUIRE_APT_GET: fakeApt({ needsUpdate: true }) };

  expect(setUp(["tmux"], env).status).toBe(0);
  expect(aptLog()).toEqual([install, "-qq update", install]);
});

test.runIf(isRoot)("installs nothing with QUIRE_NO_SETUP=1, and still fails in CI", () => {
  const env = { PATH: folder, QUIRE_APT_GET: fakeApt(), QUIRE_NO_SETUP: "1" };
  const here = setUp(["tmux"], env);
  const inCi = setUp(["tmux"], { ...env, CI: "true" });

  expect([here.status, inCi.status]).toEqual([0, 1]);
  expect(here.stderr).toContain("*** tmux is missing");
  expect(aptLog()).toEqual([]);
});
