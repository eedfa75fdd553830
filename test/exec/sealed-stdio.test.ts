import { execFile } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { bubblewrapWorks } from "../sandbox/support/confined.js";
import { quireCommand } from "../support/bin.js";

const onLinux = test.runIf(bubblewrapWorks);

onLinux("[security H12] a descriptor above the limit of open files costs no command", async () => {
  const { env, cwd } = place();
  const script = 'exec 700<>/dev/null; ulimit -n 256; exec "$@"';
  const command = quireCommand(["sandbox", "--", "/bin/sh", "-c", "ls /proc/self/fd"]).flat();

  const { stdout } = await run("bash", ["-c", script, "bash", ...command], { env, cwd });

  expect(stdout.split("\n")).toContain("1");
  expect(stdout.split("\n")).not.toContain("700");
});

onLinux("[security H12] a folder of PATH that the user may not enter is passed over", async () => {
  const { env, cwd, root } = place();
  const closed = join(cwd, "closed");
  mkdirSync(closed, { mode: 0 });
  // Root may enter everything.
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  for (const folder of [root, cwd, env.CODEX_HOME])
    if ("uid" in user) chownSync(folder, nobody, nobody);

  const { stdout } = await run(...quireCommand(["sandbox", "--", "sh", "-c", "echo hi"]), {
    env: { ...env, PATH: `${closed}:${env.PATH}` },
    cwd,
    ...user,
  });

  expect(stdout).toBe("hi\n");
});

const nobody = 65534;
const run = promisify(execFile);

function place() {
  const root = mkdtempSync(join(tmpdir(), "quire-stdio-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [home, cwd] = [join(root, "home"), join(root, "workspace")];
  for (const folder of [home, cwd]) mkdirSync(folder);
  const env = { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home };
  return { env, cwd, root };
}
