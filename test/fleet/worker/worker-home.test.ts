import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { openWorkerHome } from "../../../src/fleet/worker/worker-home.js";
import { processStart } from "../../../src/lib/process-table.js";

test("a worker leaves the files of a running worker of its name, and removes those of a killed one", async () => {
  const home = mkdtempSync(join(tmpdir(), "quire-worker-home-"));
  const [running, killed] = [spawn("sleep", ["60"]), spawn("sleep", ["60"])];
  const folderOf = (pid = 0) => `${pid}-${processStart(pid)}`;
  const folders = [folderOf(running.pid), folderOf(killed.pid), "a-thread-of-an-older-version"];
  for (const folder of folders) mkdirSync(join(home, "fleet", "w1", folder), { recursive: true });
  killed.kill();
  await once(killed, "exit");

  const own = await openWorkerHome(home, "w1");
  mkdirSync(own);
  await openWorkerHome(home, "w1");

  expect(new Set(readdirSync(join(home, "fleet", "w1")))).toEqual(
    new Set([folderOf(running.pid), basename(own)]),
  );
  running.kill();
});
